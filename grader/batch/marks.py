"""The layers by which lateness and what people decided change results: all arithmetic on marks.

The layers are what persons marked (``marking.py``), withdrawn checks, then lateness, then decisions about one
submission (``ledger.py``). The late penalty also applies to points that a person gives for a check, since
these are points of the work; a score that a person gives is final, however late the work was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from types import MappingProxyType

from grader import shipped
from grader.batch.job import work_in
from grader.batch.journal import Journal
from grader.batch.ledger import Decision, decisions, line_comments, withdrawals
from grader.batch.line_comments import with_line_comments
from grader.batch.marking import of_grader, with_marks
from grader.batch.requests import Requests
from grader.course.late_work import apply, read_lateness, share_left
from grader.errors import InputError
from grader.exports.grades_csv import page_language
from grader.feedback import render_html
from grader.grading.engine import FEEDBACK, RESULTS, STAFF, STAFF_PAGE
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
from grader.results import Changes, as_json, checks_of, format_mark, is_unwritten, read

# --- withdrawn --------------------------------------------------------------------------------------
# Checks that were withdrawn for the whole class.
#
# A withdrawn check gives all its points to everybody who handed in its exercise. It changes nothing if the
# exercise is missing, unchanged from the template, or got zero because a decisive check failed.

_NOTHING_IN_IT = ("missing", "skipped")


def with_withdrawn(results: ResultsJson, withdrawals: Mapping[str, Decision]) -> ResultsJson:
    """Withdraw exactly these checks; ``results`` must not have a higher layer."""
    made = _restored(results)
    layer: WithdrawnJson = {"before": {"score": made["score"], "exercises": {}, "checks": {}}, "checks": {}}
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
    if not {"adjusted", "late", "comments", "earlier_comments"} & results.keys():
        return results
    plain = deepcopy(results)
    plain.pop("comments", None)
    plain.pop("earlier_comments", None)
    late = plain.pop("late", {})
    layer = plain.pop("adjusted", None)
    if layer is None:
        plain["score"] = late.get("score_before", plain["score"])
        return plain
    before = layer["before"]
    plain["score"] = before["work"]
    put_back(plain, before)
    for check in checks_of(plain):
        check["status"] = "unmarked" if check["id"] in before.get("unmarked", ()) else check["status"]
    return plain


def with_layers(
    results: ResultsJson,
    late: LateJson | None,
    decisions: Sequence[Decision],
    withdrawals: Mapping[str, Decision] = MappingProxyType({}),
    work: str = "",
) -> ResultsJson:
    """Apply the layers to results: withdrawn checks, lateness, decisions, comments (which change no mark).

    ``work`` is the digest of the work that was graded: a decision on other work is a conflict, and until a
    person decides again the mark is the one that came of it.
    """
    if "fault" in results:
        return without_layers(results)
    comments = [each for each in decisions if each.action == "comment"]
    marks = [each for each in decisions if each.action == "mark"]
    of_marks = [each for each in decisions if each.action not in ("comment", "mark")]
    marked = with_marks(_restored(without_layers(results)), marks)
    made = _with_marks(marked, late, of_marks, withdrawals, work)
    told: list[CommentJson] = [{"when": c.when, "who": c.who, "text": c.comment} for c in comments]
    return {**made, "comments": told} if told else made


def _with_marks(
    results: ResultsJson,
    late: LateJson | None,
    decisions: Sequence[Decision],
    withdrawals: Mapping[str, Decision],
    work: str,
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
    _skip_unmarked(made, before, decisions)
    made["score"] = _within(made["score"], made)
    made = apply(made, late)
    if given is not None:
        made["score"] = _within(given + since * share_left(late), made)
        if "taken" in made.get("late", {}):
            made["late"]["taken"] = round_points(since * (1 - share_left(late)))
    layer = _layer(before, of_grader(plain), decisions, work)
    if "other_work" in layer.get("conflict", {}):
        _keep_last_mark(made, decisions[-1])
    return {**made, "adjusted": layer}


def _keep_last_mark(results: ResultsJson, decision: Decision) -> None:
    """Give the results the mark that came of a decision about other work; nothing is taken off again."""
    if decision.mark is not None:
        results["score"] = _within(decision.mark, results)
        if "taken" in results.get("late", {}):
            results["late"]["taken"] = 0.0


def _layer(before: BeforeJson, automatic: float, decisions: Sequence[Decision], work: str) -> AdjustedJson:
    """Return the record of the decisions, with a conflict where the work or its mark has changed since.

    ``automatic`` is the grader's mark before lateness, without what persons mark. What was decided before a
    whole score, or an exemption, does not count any more.
    """
    layer: AdjustedJson = {
        "before": before,
        "exempt": decisions[-1].action == "exempt",
        "decisions": [_as_data(decision) for decision in decisions],
    }
    places = [place for place, each in enumerate(decisions) if each.action in ("score", "exempt")]
    for decision in decisions[places[-1] if places else 0 :]:
        now = automatic if decision.action == "check" else before["score"]
        is_other = bool(work and decision.work) and decision.work != work
        if decision.automatic != now or is_other:
            layer["conflict"] = {"decided_on": decision.automatic, "now": now}
            layer["conflict"] |= {"other_work": True} if is_other else {}
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
            if check["status"] == "unmarked":
                before.setdefault("unmarked", []).append(check["id"])
            if check["id"] in before.get("unmarked", ()):
                check["status"] = "passed" if points == check["max_score"] else "failed"
            gained = points - check["score"]
            before["checks"].setdefault(check["id"], check["score"])
            before["exercises"].setdefault(exercise["id"], exercise["score"])
            check["score"] = points
            exercise["score"] = round_points(exercise["score"] + gained)
            return gained
    return 0.0


def _skip_unmarked(results: ResultsJson, before: BeforeJson, decisions: Sequence[Decision]) -> None:
    """Count no check that waits for a person's points where the whole mark is decided."""
    is_whole = any(decision.action in ("score", "exempt") for decision in decisions)
    for check in checks_of(results):
        if is_whole and check["status"] == "unmarked":
            before.setdefault("unmarked", []).append(check["id"])
            check["status"] = "skipped"


def _within(score: float, results: ResultsJson) -> float:
    """Clamp a score to the range of the results, rounded to two digits."""
    return round_points(min(results["max_score"], max(0.0, score)))


Layers = tuple[LateJson | None, Sequence[Decision], Mapping[str, Decision], str]

_LAYERS = tuple(
    f'\n "{key}":'.encode()
    for key in ("marked", "adjusted", "late", "withdrawn", "comments", "earlier_comments", "requests")
)


def marks_of(out: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the final marks of those that have results, as people read them."""
    found = {}
    for name in names:
        with suppress(InputError):
            found[name] = format_mark(read(out / name / RESULTS))
    return found


def update_marks(
    out: Path,
    journal: Journal,
    lates: Mapping[str, LateJson | None] = MappingProxyType({}),
    language: str | None = None,
) -> Changes:
    """Apply lateness and the ledger to results that do not show them yet; return the marks that changed.

    ``lates`` is the lateness known now, by submission; for others, the lateness in their results stays. Pages
    in another ``language`` than this are made anew in it. Results that somebody else changed since the grader
    wrote them are skipped, to be graded again.
    """
    known, withdrawn, changed = decisions(out), withdrawals(out), Changes()
    at_lines, requests = line_comments(out), Requests.load(out)
    before, shown = journal.layers(), dict[str, str]()
    for name, entry in journal.entries().items():
        path = out / name / RESULTS
        there = page_language(out / name / FEEDBACK)
        is_foreign = language is not None and there not in (None, language) and entry.status != "fault"
        earlier = before[name].partition(" ")[0]
        late = _digest(lates[name]) if name in lates else earlier or "?"
        work = work_in(entry.key)
        comments, asked = at_lines.get(name, ()), requests.of(name, work)
        shown[name] = f"{late} {_digest((known.get(name, ()), withdrawn, comments, work, *asked))}"
        if not is_foreign and shown[name] == before[name] and journal.intact(name):
            continue
        has_layers = withdrawn or name in known or comments or lates.get(name) or asked
        if not path.is_file() or not (is_foreign or has_layers or _has_layer(path)):
            continue
        try:
            results = read(path)
        except InputError:
            del shown[name]
            continue
        given = lates[name] if name in lates else read_lateness(results)
        layers = given, known.get(name, ()), withdrawn, work
        made = with_line_comments(with_layers(results, *layers), comments, work)
        made = requests.added(made, name, work)
        if not journal.knows(name, path.read_bytes(), as_json(made)):
            del shown[name]
            continue
        if is_foreign or as_json(made) != as_json(results) or not journal.intact(name):
            spoken = language if is_foreign else there
            staff = _staff(out / name, layers, comments, requests, spoken)
            journal.rewrite(entry, as_json(made), _page(made, spoken), staff)
        if format_mark(made) != format_mark(results):
            changed[name] = format_mark(results), format_mark(made)
    journal.remember_layers({name: digest for name, digest in shown.items() if digest != before[name]})
    return changed


def _digest(layers: object) -> str:
    """Return a digest of layers, and of what applies them."""
    return hashlib.sha256(repr((shipped.digest("lab", "grader"), layers)).encode()).hexdigest()[:32]


def _has_layer(path: Path) -> bool:
    """Return whether a results.json has a layer, without parsing it."""
    content = path.read_bytes()
    return any(key in content for key in _LAYERS)


def _staff(
    folder: Path, layers: Layers, comments: Sequence[Decision], requests: Requests, language: str | None
) -> dict[str, bytes]:
    """Apply the same layers to those staff files that exist and can be read."""
    try:
        made = with_line_comments(with_layers(read(folder / STAFF), *layers), comments, layers[-1])
        made = requests.added(made, folder.name, layers[-1])
    except InputError:
        return {}
    files = {STAFF: as_json(made)}
    if (folder / STAFF_PAGE).is_file():
        files[STAFF_PAGE] = _page(made, language)
    return files


def _page(results: ResultsJson, language: str | None) -> bytes:
    return render_html(json.loads(as_json(results)), language=language).encode()
