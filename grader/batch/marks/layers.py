"""The layers over the grader's marks: withdrawn checks, then lateness, then decisions about one submission.

All are arithmetic on marks. The late penalty also applies to points that a person gives for a check, since
these are points of the work; a score that a person gives is final, however late the work was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from types import MappingProxyType

from grader.batch.marks.ledger import Decision
from grader.course.late_work import apply, share_left
from grader.model import (
    AdjustedJson,
    BeforeJson,
    BeforeWithdrawnJson,
    CommentJson,
    LateJson,
    ResultsJson,
    WithdrawnJson,
)
from grader.points import round_points
from grader.results import is_unwritten

# --- withdrawn --------------------------------------------------------------------------------------
# The lowest layer over the grader's marks: checks that were withdrawn for the whole class.
#
# A withdrawn check gives all its points to everybody who handed in its exercise. It changes nothing if the
# exercise is missing, unchanged from the template, or got zero because a decisive check failed.


_NOTHING_IN_IT = ("missing", "skipped")


def with_withdrawn(results: ResultsJson, withdrawals: Mapping[str, Decision]) -> ResultsJson:
    """Withdraw exactly these checks; ``results`` must not have a higher layer."""
    made = _restored(results)
    layer: WithdrawnJson = {
        "before": {"score": made["score"], "exercises": {}, "checks": {}},
        "checks": {},
    }
    gained = 0.0
    for exercise in made["exercises"]:
        if exercise.get("zeroed") or is_unwritten(exercise):
            continue
        for check in exercise["checks"]:
            decision = withdrawals.get(check["id"])
            if decision is None or check["status"] in _NOTHING_IN_IT:
                continue
            layer["checks"][check["id"]] = {
                "when": decision.when,
                "who": decision.who,
                "reason": decision.reason,
            }
            layer["before"]["checks"][check["id"]] = check["score"]
            layer["before"]["exercises"].setdefault(exercise["id"], exercise["score"])
            more = check["max_score"] - check["score"]
            check["score"] = check["max_score"]
            exercise["score"] = round_points(exercise["score"] + more)
            gained += more
    if not layer["checks"]:
        return made
    made["score"] = round_points(min(made["max_score"], made["score"] + gained))
    return {**made, "withdrawn": layer}


def _restored(results: ResultsJson) -> ResultsJson:
    """Return a copy of the results without this layer."""
    plain = deepcopy(results)
    if "withdrawn" not in plain:
        return plain
    before = plain.pop("withdrawn")["before"]
    plain["score"] = before["score"]
    put_back(plain, before)
    return plain


def put_back(results: ResultsJson, before: BeforeWithdrawnJson) -> None:
    """Restore the scores of exercises and checks from before a layer."""
    for exercise in results["exercises"]:
        exercise["score"] = before["exercises"].get(exercise["id"], exercise["score"])
        for check in exercise["checks"]:
            check["score"] = before["checks"].get(check["id"], check["score"])


def without_layers(results: ResultsJson) -> ResultsJson:
    """Remove lateness and decisions from results; withdrawn checks stay withdrawn."""
    if not {"adjusted", "late", "comments"} & results.keys():
        return results
    plain = deepcopy(results)
    plain.pop("comments", None)
    late = plain.pop("late", {})
    layer = plain.pop("adjusted", None)
    if layer is None:
        plain["score"] = late.get("score_before", plain["score"])
        return plain
    before = layer["before"]
    plain["score"] = before["work"]
    put_back(plain, before)
    return plain


def with_layers(
    results: ResultsJson,
    late: LateJson | None,
    decisions: Sequence[Decision],
    withdrawals: Mapping[str, Decision] = MappingProxyType({}),
) -> ResultsJson:
    """Apply the layers to results: withdrawn checks, lateness, decisions, comments (which change no mark)."""
    if "fault" in results:
        return without_layers(results)
    comments = [each for each in decisions if each.action == "comment"]
    made = _with_marks(results, late, [each for each in decisions if each.action != "comment"], withdrawals)
    told: list[CommentJson] = [{"when": c.when, "who": c.who, "text": c.comment} for c in comments]
    return {**made, "comments": told} if told else made


def _with_marks(
    results: ResultsJson,
    late: LateJson | None,
    decisions: Sequence[Decision],
    withdrawals: Mapping[str, Decision],
) -> ResultsJson:
    """Apply the layers that change marks."""
    plain = with_withdrawn(without_layers(results), withdrawals)
    if not decisions:
        return apply(plain, late)
    made = deepcopy(plain)
    before: BeforeJson = {
        "score": apply(plain, late)["score"],
        "work": plain["score"],
        "exercises": {},
        "checks": {},
    }
    given, since = None, 0.0
    for decision in decisions:
        if decision.action == "score":
            given, since = decision.points, 0.0
        elif decision.action == "check":
            gained = _add(made, before, decision)
            since += gained
            made["score"] += gained
    made["score"] = _within(made["score"], made)
    made = apply(made, late)
    if given is not None:
        made["score"] = _within(given + since * share_left(late), made)
        if "taken" in made.get("late", {}):
            made["late"]["taken"] = round_points(since * (1 - share_left(late)))
    return {**made, "adjusted": _layer(before, decisions)}


def _layer(before: BeforeJson, decisions: Sequence[Decision]) -> AdjustedJson:
    """Return the record of the decisions, with a conflict where the automatic mark has changed since."""
    layer: AdjustedJson = {
        "before": before,
        "exempt": decisions[-1].action == "exempt",
        "decisions": [_as_data(decision) for decision in decisions],
    }
    for decision in decisions:
        now = before["work" if decision.action == "check" else "score"]
        if decision.automatic != now:
            layer["conflict"] = {"decided_on": decision.automatic, "now": now}
            break
    return layer


def _as_data(decision: Decision) -> dict[str, str]:
    """Return a decision in the form of results.json."""
    what = {"check": f"{decision.check} {decision.points:+g}", "score": f"{decision.points:g}"}
    return {
        "when": decision.when,
        "who": decision.who,
        "what": what.get(decision.action, decision.action),
        "reason": decision.reason,
        "comment": decision.comment,
    }


def _add(results: ResultsJson, before: BeforeJson, decision: Decision) -> float:
    """Add points to a check, or subtract them, within 0 and its maximum; return the difference."""
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            if check["id"] != decision.check:
                continue
            points = round_points(min(check["max_score"], max(0.0, check["score"] + decision.points)))
            gained = points - check["score"]
            before["checks"].setdefault(check["id"], check["score"])
            before["exercises"].setdefault(exercise["id"], exercise["score"])
            check["score"] = points
            exercise["score"] = round_points(exercise["score"] + gained)
            return gained
    return 0.0


def _within(score: float, results: ResultsJson) -> float:
    """Clamp a score to the range of the results, rounded to two digits."""
    return round_points(min(results["max_score"], max(0.0, score)))
