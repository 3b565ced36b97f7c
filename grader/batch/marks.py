"""Marks: the ledger of what people decided, and the layers by which lateness and decisions change results.

The ledger is an append-only file with one JSON line per decision. It lies beside the journal and survives
regrading: the grader computes its marks anew, and the decisions are applied to them again.

The layers are withdrawn checks, then lateness, then decisions about one submission: all arithmetic on marks.
The late penalty also applies to points that a person gives for a check, since these are points of the work; a
score that a person gives is final, however late the work was.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from grader import shipped
from grader.batch.job import PutRight, work_in
from grader.batch.journal import Journal
from grader.course.late_work import apply, read_lateness, share_left
from grader.disk import alone, writing
from grader.errors import InputError
from grader.exports.grades_csv import check_running, page_language
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
from grader.text import in_bytes

LEDGER: Final = "ledger.jsonl"
Action = Literal[
    "check", "score", "exempt", "comment", "undo", "keep",
    "looked", "reopen", "withdraw", "restore", "choose", "unchoose", "put-right",
]  # fmt: skip
"""The kinds of decisions: points for a check, a score, no mark at all (exempt), a comment alone; the
last one undone, or all of them confirmed (keep); an item of the review closed (looked) or reopened; a check
withdrawn for the whole class, or counted again (restore); one of several attempts or files chosen, or not
any more (unchoose); work that was put right by hand."""
_MOST_BYTES: Final = 64 * 1024 * 1024
"""A larger ledger is refused; that of a class is ten thousand times smaller."""
_OF_MARKS: Final = ("check", "score", "exempt", "comment", "undo", "keep")


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, a line of the ledger."""

    when: str
    who: str
    submission: str
    """The name of the submission; empty where the decision is about the whole class."""
    action: Action
    automatic: float
    """The grader's mark at the time of the decision; for points of a check, the mark before lateness."""
    reason: str = ""
    comment: str = ""
    check: str = ""
    """The id of the check, of the item of the review, or of the question which of several attempts counts; or
    the digest of what was handed in, where it was put right by hand."""
    points: float = 0.0
    """The points added to the check, the score, or the number of what was chosen. For ``keep``, the confirmed
    mark after lateness; ``automatic`` is then the mark before lateness."""
    work: str = ""
    """The digest of the work that was decided on, looked at, or made by hand; empty if it was unknown."""
    mark: float | None = None
    """The mark that came of it, which stays while other work waits for a decision."""


def decisions(out: Path) -> dict[str, list[Decision]]:
    """Return comments and the decisions about marks that are in force, by submission, oldest first.

    Raises InputError.
    """
    lines: dict[str, list[Decision]] = {}
    for decision in _read_lines(out / LEDGER):
        if decision.action in _OF_MARKS:
            lines.setdefault(decision.submission, []).append(decision)
    return {name: known for name, theirs in lines.items() if (known := decided(theirs))}


def decided(lines: Iterable[Decision]) -> list[Decision]:
    """Return the decisions about one mark that are in force after these lines of the ledger."""
    known: list[Decision] = []
    for decision in lines:
        if decision.action == "undo":
            del known[-1:]
        elif decision.action == "keep":
            known[:] = [_confirmed(each, decision) for each in known]
        else:
            known.append(decision)
    return known


def _confirmed(decision: Decision, by: Decision) -> Decision:
    automatic = by.automatic if decision.action == "check" else by.points
    return replace(decision, automatic=automatic, work=by.work, mark=by.mark)


def withdrawals(out: Path) -> dict[str, Decision]:
    """Return the decisions that withdraw checks now, by check. Raises InputError."""
    return _holding(out, "withdraw", "restore")


def looked_at(out: Path) -> dict[str, Decision]:
    """Return the decisions that close items of the review now, by item. Raises InputError."""
    return _holding(out, "looked", "reopen")


def choices(out: Path) -> dict[str, Decision]:
    """Return the choices among attempts or files that are in force, by question. Raises InputError."""
    return _holding(out, "choose", "unchoose")


def chosen_numbers(out: Path) -> dict[str, dict[str, int]]:
    """Return the numbers of what was chosen, by submission and question. Raises InputError."""
    found: dict[str, dict[str, int]] = {}
    for question, decision in choices(out).items():
        found.setdefault(decision.submission, {})[question] = int(decision.points)
    return found


def put_right(out: Path) -> dict[str, PutRight]:
    """Return the work that staff put right by hand, by submission. Raises InputError."""
    lines = (each for each in _read_lines(out / LEDGER) if each.action == "put-right")
    return {each.submission: PutRight(path_put_right(out, each), each.check) for each in lines}


def path_put_right(out: Path, decision: Decision) -> Path:
    """Return where the work lies that a person put right by hand."""
    return out / decision.submission / f"put-right-{decision.work[:8]}.zip"


def _holding(out: Path, begins: Action, ends: Action) -> dict[str, Decision]:
    """Return decisions of the kind ``begins`` that no later one of the kind ``ends`` has ended."""
    found = {}
    for decision in _read_lines(out / LEDGER):
        if decision.action == begins:
            found[decision.check] = decision
        elif decision.action == ends:
            found.pop(decision.check, None)
    return found


def is_last(out: Path, decision: Decision) -> bool:
    """Return whether the last line is this decision, ignoring its time, marks and work. Raises InputError."""
    *_, last = (None, *_read_lines(out / LEDGER))
    return last is not None and decision == replace(
        last,
        when=decision.when,
        automatic=decision.automatic,
        points=decision.points if decision.action == "keep" else last.points,
        work=decision.work,
        mark=decision.mark,
    )


def append(out: Path, *decisions: Decision, is_beside: bool = False) -> None:
    """Append decisions, if ``is_beside`` for a run that is going on; they are on the disk when this returns.

    Raises DiskError, and Busy where there is no such run.
    """
    with ledger_alone(out):
        if is_beside:
            check_running(out)
        for decision in decisions:
            _append(out / LEDGER, decision)


def ledger_alone(out: Path) -> AbstractContextManager[None]:
    """Keep all others from writing decisions; a run ends in such a block, so that none comes too late."""
    return alone(out / ".ledger.lock")


def _append(path: Path, decision: Decision) -> None:
    with writing(path), path.open("ab+") as file:
        # an incomplete last line: the command that wrote it never reported success
        content = path.read_bytes()
        if content and not content.endswith(b"\n"):
            os.truncate(path, content.rfind(b"\n") + 1)
        file.write(json.dumps(asdict(decision), ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _read_lines(path: Path) -> Iterable[Decision]:
    """Yield all lines of a ledger; none if the file does not exist. Raises InputError with the line."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return
    if len(content) > _MOST_BYTES:
        raise InputError(f"expected at most {in_bytes(_MOST_BYTES)} of decisions", path=path)
    lines = content.split(b"\n")[:-1]
    for number, line in enumerate(lines, 1):
        try:
            yield _decision(json.loads(line))
        except (ValueError, TypeError, RecursionError, OverflowError):
            raise InputError(
                "expected a decision as grader adjust writes it: put the line back as it was, or take it out",
                path=path,
                line=number,
            ) from None


_ACTIONS: Final = get_args(Action)


def _decision(data: dict[str, Any]) -> Decision:
    """Parse a decision. Raises ValueError, TypeError or OverflowError if it is invalid."""
    decision = Decision(**data)
    numbers = (decision.automatic, decision.points, 0.0 if decision.mark is None else decision.mark)
    texts = (
        decision.when,
        decision.who,
        decision.submission,
        decision.reason,
        decision.comment,
        decision.check,
        decision.work,
    )
    are_numbers = all(type(number) in (int, float) and math.isfinite(number) for number in numbers)
    if decision.action not in _ACTIONS or not are_numbers or not all(isinstance(text, str) for text in texts):
        raise ValueError("no decision")
    "".join(texts).encode()  # a lone surrogate cannot be shown, and the grader never writes one
    return decision


# --- withdrawn --------------------------------------------------------------------------------------
# The lowest layer over the grader's marks: checks that were withdrawn for the whole class.
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
    of_marks = [each for each in decisions if each.action != "comment"]
    made = _with_marks(results, late, of_marks, withdrawals, work)
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
    layer = _layer(before, decisions, work)
    if "other_work" in layer.get("conflict", {}):
        _keep_last_mark(made, decisions[-1])
    return {**made, "adjusted": layer}


def _keep_last_mark(results: ResultsJson, decision: Decision) -> None:
    """Give the results the mark that came of a decision about other work; nothing is taken off again."""
    if decision.mark is not None:
        results["score"] = _within(decision.mark, results)
        if "taken" in results.get("late", {}):
            results["late"]["taken"] = 0.0


def _layer(before: BeforeJson, decisions: Sequence[Decision], work: str) -> AdjustedJson:
    """Return the record of the decisions, with a conflict where the work or its mark has changed since.

    What was decided before a whole score, or an exemption, does not count any more.
    """
    layer: AdjustedJson = {
        "before": before,
        "exempt": decisions[-1].action == "exempt",
        "decisions": [_as_data(decision) for decision in decisions],
    }
    places = [place for place, each in enumerate(decisions) if each.action in ("score", "exempt")]
    for decision in decisions[places[-1] if places else 0 :]:
        now = before["work" if decision.action == "check" else "score"]
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

_LAYERS = (b'\n "adjusted":', b'\n "late":', b'\n "withdrawn":', b'\n "comments":')


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
    before, shown = journal.layers(), dict[str, str]()
    for name, entry in journal.entries().items():
        path = out / name / RESULTS
        there = page_language(out / name / FEEDBACK)
        is_foreign = language is not None and there not in (None, language) and entry.status != "fault"
        earlier = before[name].partition(" ")[0]
        late = _digest(lates[name]) if name in lates else earlier or "?"
        shown[name] = f"{late} {_digest((known.get(name, ()), withdrawn, work_in(entry.key)))}"
        if not is_foreign and shown[name] == before[name] and journal.intact(name):
            continue
        has_layers = withdrawn or name in known or lates.get(name)
        if not path.is_file() or not (is_foreign or has_layers or _has_layer(path)):
            continue
        try:
            results = read(path)
        except InputError:
            del shown[name]
            continue
        given = lates[name] if name in lates else read_lateness(results)
        layers = given, known.get(name, ()), withdrawn, work_in(entry.key)
        made = with_layers(results, *layers)
        if not journal.knows(name, path.read_bytes(), as_json(made)):
            del shown[name]
            continue
        if is_foreign or as_json(made) != as_json(results) or not journal.intact(name):
            spoken = language if is_foreign else there
            staff = _staff(out / name, layers, spoken)
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


def _staff(folder: Path, layers: Layers, language: str | None) -> dict[str, bytes]:
    """Apply the same layers to those staff files that exist and can be read."""
    try:
        made = with_layers(read(folder / STAFF), *layers)
    except InputError:
        return {}
    files = {STAFF: as_json(made)}
    if (folder / STAFF_PAGE).is_file():
        files[STAFF_PAGE] = _page(made, language)
    return files


def _page(results: ResultsJson, language: str | None) -> bytes:
    return render_html(json.loads(as_json(results)), language=language).encode()
