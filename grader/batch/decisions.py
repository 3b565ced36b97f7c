"""What people decide about a class: change a mark, say what counts, put it right, withdraw a check."""

from __future__ import annotations

import io
import shlex
import zipfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

from grader.batch.class_run import BatchOptions, grade_class
from grader.batch.job import work_in, work_of
from grader.batch.ledger import (
    Action,
    Decision,
    append,
    choices,
    decided,
    decisions,
    path_put_right,
    withdrawals,
)
from grader.batch.marking import of_grader
from grader.batch.marks import marks_of, update_marks, with_layers, without_layers
from grader.batch.open_results import (
    TAKEN_IN,
    expect_files,
    find_candidate,
    find_newest,
    find_submission,
    list_candidates,
    open_after_run,
    open_beside,
    open_results,
    was_interrupted,
)
from grader.batch.report.class_facts import check_batch, load
from grader.batch.report.class_page import load_items, write_reports
from grader.batch.taken_items import expect_free
from grader.course.late_work import apply, read_lateness
from grader.disk import write_whole
from grader.errors import InputError
from grader.exports.grades_csv import is_running, marked_unfinished
from grader.grading.engine import RESULTS
from grader.intake.submissions import submission_at
from grader.model import ChoiceJson, Limits, ResultsJson
from grader.platforms.base import parse_points
from grader.reader import Reader
from grader.results import Changes, changes_between, checks_of, format_mark, read, tell_changes
from grader.text import visible


@dataclass(frozen=True, slots=True)
class MarkChange:
    """A change of one submission's mark that a person asks for."""

    action: Action
    who: str
    reason: str = ""
    comment: str = ""
    check: str = ""
    points: float = 0.0
    item: str = ""
    """The id of the item of the review that it answers, where it was asked by one."""


def read_points(text: str) -> float:
    """Read points that a person typed. Raises InputError."""
    points = parse_points(text)
    if points is None:
        raise InputError(f"expected points, such as 1 or -2.5, and 1000 for a thousand, got {text[:40]!r}")
    return points


def adjust_mark(
    out: Path,
    who: str,
    change: MarkChange,
    key: Path | None = None,
    *,
    tell: Callable[[Changes, int], str] = tell_changes,
) -> str:
    """Write a decision into the ledger, apply it to the results, and return which marks changed.

    ``key`` names the students of results under pseudonyms. Giving points to a check that has been given some
    already adds to them, and the line says so. Raises InputError, also for a decision that would change
    nothing.

    An earlier change that was interrupted, or that found the disk full, is completed first; repeating that
    same decision does not record it twice.
    """
    with open_beside(out) as (journal, is_beside):
        name, facts = find_submission(out, who, journal.entries(), key), load(out)
        expect_free(out, _items_decided(out, name, change), change.who)
        work, before = work_in(journal.entries()[name].key), read(out / name / RESULTS)
        if is_beside:
            return _adjust_beside(out, name, before, change, work)
        is_recorded = was_interrupted(out, _decision(name, change, before, work))
        known = [] if is_recorded else decisions(out).get(name, [])
        if not is_recorded:
            _check(without_layers(before), change, known)
            _check_effect(out, before, known, _decision(name, change, before, work), work)
        with marked_unfinished(out):
            changes = update_marks(out, journal)
            is_intact = journal.intact(name)
            if is_intact and not is_recorded:
                results = read(out / name / RESULTS)
                decision = _decision(name, change, results, work)
                then = with_layers(
                    results, read_lateness(results), decided([*known, decision]), withdrawals(out)
                )
                append(out, replace(decision, mark=then["score"]))
                update_marks(out, journal)
            write_reports(out, facts, journal)
        if not is_intact:
            raise InputError(
                "this file was changed after the grader wrote it: grade the submission again first, with "
                f"grader regrade {shlex.quote(str(out))} {shlex.quote(name)}",
                path=out / name / RESULTS,
            )
        changes[name] = format_mark(before), format_mark(read(out / name / RESULTS))
        return _told_before(known, change) + tell(changes, len(facts.found.hand_ins))


def _items_decided(out: Path, name: str, change: MarkChange) -> list[str]:
    """Return the ids of the open items that a change answers; a comment answers none."""
    if change.item or change.action == "comment":
        return [change.item] if change.item else []
    open_items = (item for item in load_items(out) if item.is_open and name in item.names)
    return [item.id for item in open_items if change.action != "check" or item.check in ("", change.check)]


def _adjust_beside(out: Path, name: str, before: ResultsJson, change: MarkChange, work: str) -> str:
    """Write a decision into the ledger for the run that is going on; return a line with both marks."""
    known, late, withdrawn = decisions(out).get(name, []), read_lateness(before), withdrawals(out)
    now = with_layers(before, late, known, withdrawn, work)
    _check(without_layers(now), change, known)
    decision = _decision(name, change, now, work)
    _check_effect(out, now, known, decision, work)
    then = with_layers(now, late, decided([*known, decision]), withdrawn)
    append(out, replace(decision, mark=then["score"]), is_beside=True)
    after = with_layers(now, late, decisions(out).get(name, []), withdrawn, work)
    told = f"{visible(name)}: {format_mark(now)} -> {format_mark(after)}, {TAKEN_IN}"
    return f"{told}{_told_before(known, change)}"


def _check_effect(
    out: Path, results: ResultsJson, known: Sequence[Decision], decision: Decision, work: str
) -> None:
    """Raise InputError if the decision would change nothing."""
    if decision.action not in ("check", "score", "exempt"):
        return
    late, withdrawn = read_lateness(results), withdrawals(out)
    now, then = (with_layers(results, late, some, withdrawn, work) for some in (known, [*known, decision]))
    if _counting(now) == _counting(then):
        what = f"{decision.check} of {results['submission']}" if decision.check else results["submission"]
        raise InputError(f"nothing would change: {what} {_why_unchanged(then, decision)}")


def _told_before(known: Sequence[Decision], change: MarkChange) -> str:
    """Return a line saying that this check has been given points before; empty if it has not."""
    for each in known:
        if change.action == "check" and (each.check, each.points) == (change.check, change.points):
            before = f"{each.points:+g} before ({visible(each.who)}, {visible(each.when)})"
            return f"{change.check} had got {before}: grader adjust --undo takes this one back\n"
    return ""


def _counting(results: ResultsJson) -> object:
    """Return the parts of a result that a decision may change."""
    is_asked = "conflict" in results.get("adjusted", {})
    return format_mark(results), [(check["score"], check["status"]) for check in checks_of(results)], is_asked


def _why_unchanged(results: ResultsJson, decision: Decision) -> str:
    for check in checks_of(results):
        if check["id"] == decision.check:
            return f"has {check['score']:g} of its {check['max_score']:g} points"
    return "is exempt already" if decision.action == "exempt" else f"has {format_mark(results)} already"


def _automatic_marks(results: ResultsJson) -> tuple[float, float]:
    """Return the grader's mark before and after the late penalty."""
    work = without_layers(results)
    return of_grader(work), apply(work, read_lateness(results))["score"]


def _decision(name: str, change: MarkChange, results: ResultsJson, work: str) -> Decision:
    """Return the line for the ledger, with the grader's marks and the digest of the work at this moment."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    words = (change.reason, change.comment, change.check)
    before, after = _automatic_marks(results)
    if change.action == "keep":
        return Decision(now, change.who, name, change.action, before, *words, after, work)
    automatic = before if change.action == "check" else after
    return Decision(now, change.who, name, change.action, automatic, *words, change.points, work)


def _check(results: ResultsJson, change: MarkChange, known: list[Decision]) -> None:
    """Raise InputError where the change does not fit the submission."""
    checks = [check["id"] for check in checks_of(results)]
    if "fault" in results:
        first = "choose what counts" if "choice" in results else "grade it again"
        raise InputError(f"{results['submission']} has no mark yet: {first} first")
    if change.action == "check" and change.check not in checks:
        near = [check for check in checks if check.partition(".")[0] == change.check.partition(".")[0]]
        raise InputError(
            f"expected a check of the rubric, got {change.check}; there are {', '.join(near or checks)}"
        )
    if change.action == "score" and not 0 <= change.points <= results["max_score"]:
        raise InputError(f"expected a score from 0 to {results['max_score']:g}, got {change.points:g}")
    if change.action in ("undo", "keep") and not known:
        raise InputError(f"nothing was decided about {results['submission']}")


def grade_one_again(out: Path, who: str, key: Path | None = None) -> int:
    """Grade one submission of a class again, with the options of the last run; return the exit status.

    ``key`` names the students of results under pseudonyms.
    """
    with open_after_run(out) as journal:
        check_batch(load(out), out)
        name = find_submission(out, who, journal.entries(), key)
    return grade_again(out, [name], again=True)


def grade_put_right(out: Path, who: str, folder: Path, by: str, key: Path | None = None) -> int:
    """Grade what staff put right by hand in the place of a student's work; return the exit status.

    It is kept with the results, and graded as long as the student hands in nothing else. ``key`` names the
    students of results under pseudonyms. Raises InputError.
    """
    with open_results(out) as journal:
        check_batch(load(out), out)
        name = find_submission(out, who, journal.entries(), key)
        of = work_in(journal.entries()[name].key) or (find_choice(out, name) or {"question": ""})["question"]
        if not of:
            raise InputError(f"{visible(name)} has no result to put right: grade it first", path=out)
        read = submission_at(folder, Reader.of(Limits()))
        if not read.holds_an_exercise:
            raise InputError("expected a folder or an archive with files of the lab", path=folder)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        decision = Decision(now, by, name, "put-right", 0.0, check=of, work=work_of(read))
        write_whole(path_put_right(out, decision), _zipped(read.files))
        append(out, decision)
    print(f"{visible(name)}: put right by {visible(by)}", flush=True)
    return grade_again(out, [name], again=True)


def _zipped(files: Mapping[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, text in sorted(files.items()):
            packed.writestr(zipfile.ZipInfo(path), text, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def grade_again(out: Path, names: Collection[str], *, quiet: bool = False, again: bool = False) -> int:
    """Grade those of these submissions that have changed, or have other decisions; return the exit status.

    With ``again``, grade all of them. Where a run is going on, it does so.
    """
    if is_running(out):
        print(TAKEN_IN)
        return 0
    asked = load(out).asked
    expect_files(asked, ["submissions"], out)
    options = BatchOptions(Path(asked.get("submissions") or ""), out, again=again, quiet=quiet)
    return grade_class(options, only=names)


def list_choices(out: Path, who: str, key: Path | None = None) -> str:
    """Return what came of a student's undecided work, side by side. Raises InputError."""
    name = _find(out, who, key)
    lines = list_candidates(_choice(out, name))
    return "\n  ".join([f"{visible(name)}: which counts?", *lines])


def choose(out: Path, who: str, which: str, by: str, key: Path | None = None) -> int:
    """Record which candidate counts, by its number or name, and grade it; return the exit status."""
    name = _find(out, who, key)
    print(record_choices(out, {name: find_candidate(_choice(out, name), which)}, by), flush=True)
    return grade_again(out, [name])


def choose_newest(out: Path, by: str) -> int:
    """Choose all over the class what was changed last, tell each, and grade; return the exit status."""
    with open_beside(out) as (journal, _):
        known = {name: choice for name in journal.entries() if (choice := find_choice(out, name))}
    newest = {name: number for name, choice in known.items() if (number := find_newest(choice))}
    for name in known:
        if name not in newest:
            print(f"{visible(name)}: the times do not tell which is the newest")
    if not newest:
        print("nothing was chosen")
        return 0
    print(record_choices(out, newest, by))
    print("grader choose --undo takes this back", flush=True)
    return grade_again(out, newest)


def undo_choices(out: Path, who: str, by: str, key: Path | None = None) -> int:
    """Take back what was chosen for a student, or without one what was chosen last; grade these again."""
    name = _find(out, who, key) if who else ""
    with open_beside(out) as (_, is_beside):
        names = [each.name for each in load(out).found.hand_ins]
        before = marks_of(out, names)
        known = [*choices(out).values()]
        last = max((each.when for each in known), default="")
        gone = [each for each in known if (each.submission == name if who else each.when == last)]
        if not gone:
            raise InputError(f"nothing was chosen{f' for {visible(name)}' if who else ''}", path=out)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        lines = [Decision(now, by, each.submission, "unchoose", 0.0, check=each.check) for each in gone]
        append(out, *lines, is_beside=is_beside)
        for each in gone:
            print(
                f"{visible(each.submission)}: {visible(each.reason)} was chosen, and is not any more",
                flush=True,
            )
    grade_again(out, {each.submission for each in gone}, quiet=True)
    print(tell_changes(changes_between(before, marks_of(out, names)), len(names)))
    return 0


def record_choices(out: Path, numbers: Mapping[str, int], by: str) -> str:
    """Write into the ledger which candidates count, and return a line on each. Raises InputError."""
    check_batch(load(out), out)
    now, made = datetime.now(UTC).isoformat(timespec="microseconds"), []
    with open_beside(out) as (_, is_beside):
        for name, number in numbers.items():
            choice = _choice(out, name)
            expect_free(out, _items_decided(out, name, MarkChange("choose", by)), by)
            called, question = choice["candidates"][number - 1]["name"], choice["question"]
            made.append(Decision(now, by, name, "choose", 0.0, called, check=question, points=number))
        append(out, *made, is_beside=is_beside)
    return "\n".join(f"{visible(each.submission)}: {visible(each.reason)} counts" for each in made)


def find_choice(out: Path, name: str) -> ChoiceJson | None:
    """Return what a person has to choose from before a submission can be graded, or None."""
    path = out / name / RESULTS
    return read(path).get("choice") if path.is_file() else None


def _choice(out: Path, name: str) -> ChoiceJson:
    choice = find_choice(out, name)
    if choice is None:
        made = [each for each in choices(out).values() if each.submission == name]
        told = "; ".join(
            f"{each.who} chose {each.reason}, {each.when[:16]}: --undo asks again" for each in made
        )
        raise InputError(f"{visible(name)}: nothing is to be chosen" + visible(f" ({told})" if told else ""))
    return choice


def _find(out: Path, who: str, key: Path | None) -> str:
    with open_beside(out) as (journal, _):
        return find_submission(out, who, journal.entries(), key)


@dataclass(frozen=True, slots=True)
class Move:
    """One submission whose mark would change."""

    name: str
    before: ResultsJson
    after: ResultsJson

    def __str__(self) -> str:
        """Return the name, the old mark and the new one."""
        return f"{visible(self.name)}: {format_mark(self.before)} -> {format_mark(self.after)}"

    @property
    def gained(self) -> float:
        """The change of the score; negative if points are lost."""
        return self.after["score"] - self.before["score"]


def withdraw(
    out: Path, check: str, who: str, reason: str, *, undo: bool, agree: Callable[[Sequence[str]], bool]
) -> str:
    """Withdraw a check, or reinstate it with ``undo``, if ``agree`` consents; return which marks changed.

    ``agree`` gets lines that say whose marks would change; without consent, the answer is empty. A run that
    is going on takes it in. Raises InputError.
    """
    with open_beside(out) as (journal, is_beside):
        facts, known = load(out), withdrawals(out)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        decision = Decision(now, who, "", "restore" if undo else "withdraw", 0.0, reason, check=check)
        is_there = not is_beside and was_interrupted(out, decision)
        if not is_there:
            results = _results(out, [hand_in.name for hand_in in facts.found.hand_ins])
            _check_withdrawal(check, known, results, undo=undo)
            others = {id_: each for id_, each in known.items() if id_ != check}
            works = {name: work_in(entry.key) for name, entry in journal.entries().items()}
            moves = _moves(out, results, others if undo else {**others, check: decision}, works)
            told = f"{visible(check)}: {len(moves) or 'none'} of {len(results)} marks would move"
            told += f", by {mean(move.gained for move in moves):+.4g} points on average" if moves else ""
            if not agree([told, *(f"  {move}" for move in moves)]):
                return ""
        if is_beside:
            append(out, decision, is_beside=True)
            return TAKEN_IN
        with marked_unfinished(out):
            if not is_there:
                append(out, decision)
            changes = update_marks(out, journal)
            write_reports(out, facts, journal)
        return tell_changes(changes, len(facts.found.hand_ins))


def _results(out: Path, names: Sequence[str]) -> dict[str, ResultsJson]:
    return {name: read(path) for name in names if (path := out / name / RESULTS).is_file()}


def _check_withdrawal(
    check: str, known: Mapping[str, Decision], results: Mapping[str, ResultsJson], *, undo: bool
) -> None:
    """Raise InputError if the check does not exist, or is already in the requested state."""
    if check in known and not undo:
        by = known[check]
        raise InputError(f"{check} was withdrawn already, by {visible(by.who)}, {visible(by.when)}")
    if check not in known and undo:
        there = ", ".join(map(visible, known)) or "none"
        raise InputError(f"{visible(check)} is not withdrawn; withdrawn here: {there}")
    ids = {
        found["id"]: None
        for each in results.values()
        for exercise in each["exercises"]
        for found in exercise["checks"]
    }
    if check not in ids and not undo:
        told = ", ".join(map(visible, ids))
        raise InputError(f"expected a check of these results, got {visible(check)}; there are {told}")


def _moves(
    out: Path,
    results: Mapping[str, ResultsJson],
    withdrawn: Mapping[str, Decision],
    works: Mapping[str, str],
) -> list[Move]:
    known = decisions(out)
    found = (
        Move(
            name,
            each,
            with_layers(each, read_lateness(each), known.get(name, ()), withdrawn, works.get(name, "")),
        )
        for name, each in results.items()
    )
    return [move for move in found if format_mark(move.before) != format_mark(move.after)]
