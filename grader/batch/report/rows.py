"""One row per submission for the class page and the tables, and the questions that only a person can answer.

staff.json holds what people have to look at, and how hidden checks failed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from sys import intern
from typing import Final

from grader.batch.job import work_in
from grader.batch.journal import JournalRow, outliers
from grader.batch.ledger import Decision
from grader.batch.marking import digest_of
from grader.batch.report.similar_groups import Alike
from grader.batch.requests import LookRequest
from grader.disk import write_whole
from grader.errors import InputError, Undecided
from grader.exports.grades_csv import ITEMS, UNNAMED, CheckRow, Concern, ExerciseRow, Row, Status
from grader.grading.engine import RESULTS, STAFF, STAFF_PAGE
from grader.intake.class_listing import HandIn
from grader.model import UNREPAIRED, CheckJson, ExerciseJson, RemarkJson, ResultsJson
from grader.results import checks_of, fails_to_load, is_unwritten, read

NEAR: Final = 0.5
"""A person looks at a submission that used at least this share of its time."""
_ENDED: Final = re.compile(r"ended with signal")
_NO_PROCESS: Final = re.compile(r"BlockingIOError|can't (start|fork) ?(a )?new (thread|process)")
"""Python's messages when no more processes or threads can be started."""
_VIOLATION: Final = "broke the protocol of the sandbox"
UNWRITTEN: Final = "unwritten"
"""The status in the tables of a check whose exercise is unchanged from the template."""


def rows_of(
    out: Path,
    hand_ins: Iterable[HandIn],
    entries: Mapping[str, JournalRow],
    wall_seconds: float,
    *,
    changed: Collection[str] = (),
) -> Iterator[Row]:
    """Yield a row for every submission, in order, with one result in memory at a time.

    ``changed`` names those whose files were changed after grading: they do not count. Equal checks share one
    object, which saves memory, since most of a class pass most checks.
    """
    same: dict[CheckRow, CheckRow] = {}
    for hand_in in hand_ins:
        entry = entries.get(hand_in.name)
        results = _read_or_none(out / hand_in.name / RESULTS) if entry else None
        if entry is None or results is None or hand_in.name in changed:
            text = "its files were changed after it was graded" if entry else "not graded yet"
            yield Row(hand_in, "waiting", None, 0.0, (), 0.0, 0, (Concern("waiting", text),))
        else:
            whole = _read_or_none(out / hand_in.name / STAFF) or results
            seen = _concerns(entry, results, whole, wall_seconds)
            is_unnamed = hand_in.platform == UNNAMED  # then when it came is not told
            concerns = tuple(each for each in seen if not (is_unnamed and each.kind == "attempts"))
            row = _row(hand_in, entry, results, whole, concerns, same)
            yield replace(row, has_staff_page=(out / hand_in.name / STAFF_PAGE).is_file())


def _read_or_none(path: Path) -> ResultsJson | None:
    try:
        return read(path)
    except InputError:
        return None


def _row(
    hand_in: HandIn,
    entry: JournalRow,
    results: ResultsJson,
    whole: ResultsJson,
    concerns: tuple[Concern, ...],
    same: dict[CheckRow, CheckRow],
) -> Row:
    seen = {check["id"]: check for check in checks_of(whole)}
    withdrawn = results.get("withdrawn", {}).get("checks", {})
    exercises = tuple(_exercise(exercise, seen, withdrawn, same) for exercise in results["exercises"])
    late = results.get("late", {})
    status = _status(entry, results)
    score = float(results["score"]) if status == "graded" else None
    return Row(
        hand_in,
        status,
        score,
        float(results["max_score"]),
        exercises,
        entry.seconds,
        int(late.get("days", 0)),
        concerns,
        bool(late.get("marked")),
        numbered=attempts_told(results),
        work=work_in(entry.key),
    )


def attempts_told(results: ResultsJson) -> int:
    """Return how many attempts the remarks tell of, of which the last counts; 1 without such a remark."""
    told = [
        each.get("said", {}).get("message", ())
        for each in results.get("intake", [])
        if each["kind"] == "attempts"
    ]
    return max((int(said[1]["count"]) for said in told if len(said) > 1), default=1)


def _status(entry: JournalRow, results: ResultsJson) -> Status:
    """Return a submission's status; a person's decision overrides the grader's."""
    layer = results.get("adjusted")
    if entry.status == "fault" and entry.reason.startswith(Undecided.OPENING):
        return "undecided"
    if layer is None or entry.status == "fault":
        return entry.status
    return "exempt" if layer["exempt"] else "graded"


def _exercise(
    data: ExerciseJson,
    seen: Mapping[str, CheckJson],
    withdrawn: Collection[str],
    same: dict[CheckRow, CheckRow],
) -> ExerciseRow:
    found = (
        replace(_check(check, seen.get(check["id"], check)), is_withdrawn=check["id"] in withdrawn)
        for check in data["checks"]
    )
    if is_unwritten(data):
        found = (replace(check, status=UNWRITTEN) for check in found)
    checks = tuple(same.setdefault(check, check) for check in found)
    id_, title = intern(data["id"]), intern(data["title"])
    look_at = intern(data["look_at"]["kind"]) if "look_at" in data else ""
    return ExerciseRow(
        id_, title, data["score"], data["max_score"], checks, look_at, data.get("drawn_from", "")
    )


def _check(data: CheckJson, whole: CheckJson) -> CheckRow:
    """Return a check with its failure as staff see it."""
    passed = data["status"] == "passed"
    case = {} if passed else whole["counterexample"] or {}
    maze, label = (str(case.get(key) or "") for key in ("maze", "label"))
    shown_by = data.get("misconception")
    return CheckRow(
        intern(data["id"]),
        intern(data["title"]),
        intern(data["status"]),
        data["score"],
        data["max_score"],
        intern(shown_by["id"] if shown_by else ""),
        "" if passed else intern(whole["message"]),
        intern(maze),
        intern(label),
    )


_GIT_TIME: Final = ["said.intake_git_time"]
_UNTIMED: Final[Mapping[str, tuple[str, str]]] = {
    "late": ("marked", "marked late, without a time"),
    "arrival": ("unknown", "when it came is not known, as it is of others"),
}
"""What is asked of work without a time, by its key under ``late``."""


def _concerns(
    entry: JournalRow, results: ResultsJson, whole: ResultsJson, wall_seconds: float
) -> Iterator[Concern]:
    if entry.status == "fault":
        is_undecided = _status(entry, results) == "undecided"
        told = entry.reason if is_undecided else f"could not be graded: {entry.reason}"
        yield Concern("undecided" if is_undecided else "fault", told)
        return
    remarks = results.get("intake", [])
    if entry.status == "refused":
        yield from _refusal_concerns(results, remarks)
    else:
        yield from _intake_concerns(results, remarks)
        yield from (Concern("outlier", text) for text in outliers(results["exercises"], entry.earlier))
    for what, exercises in _troubles(whole).items():
        kind = "violation" if what == _VIOLATION else "limits"
        yield Concern(kind, f"{what} ({', '.join(exercises)})")
    decided = results["adjusted"]["before"].get("unmarked", ()) if "adjusted" in results else ()
    noted = (
        check
        for check in checks_of(whole)
        if check["status"] == "passed" and check["id"] not in decided and "criteria" not in check
    )
    yield from (Concern("walks", each["message"]) for each in noted if each["message"])
    yield from _unmarked(results, whole)
    used = float(results["timing"].get("calls", 0.0))
    if used >= NEAR * wall_seconds:
        yield Concern("time", f"used {used:.0f} of its {wall_seconds:.0f} seconds")
    conflict = results.get("adjusted", {}).get("conflict")
    if conflict:
        gave, gives = conflict["decided_on"], conflict["now"]
        what = "adjusted on other work," if conflict.get("other_work") else "adjusted"
        yield Concern("conflict", f"{what} when the grader gave {gave:g}; it gives {gives:g} now")
    late = results.get("late", {})
    yield from (Concern(kind, text) for kind, (key, text) in _UNTIMED.items() if late.get(key))
    if entry.reason:
        yield Concern("fault", entry.reason)


def _unmarked(results: ResultsJson, whole: ResultsJson) -> Iterator[Concern]:
    """Yield the checks that wait for a person's points."""
    withdrawn = results.get("withdrawn", {}).get("checks", {})
    for exercise in whole["exercises"]:
        for check in exercise["checks"]:
            if "criteria" in check and check["id"] not in withdrawn:
                yield from _by_persons(exercise, check)
            elif check["status"] == "unmarked" and check["id"] not in withdrawn:
                yield Concern("unseen", f"{check['id']}: {check['message']}", check["id"])


def _by_persons(exercise: ExerciseJson, check: CheckJson) -> Iterator[Concern]:
    """Yield what persons still have to mark of a check by its criteria."""
    id_, file = check["id"], digest_of(exercise)
    if "apart" in check:
        one, other = check["apart"]
        text = f"{id_}: two persons gave {one:g} and {other:g} points, more than {check['differ']:g} apart"
        yield Concern("differ", text, id_, file=file)
    elif check["status"] == "unmarked":
        yield Concern("marking", id_, id_, markers=2 if "differ" in check else 1, file=file)
    elif check.get("gone"):
        yield Concern(
            "criteria",
            f"{id_}: it met what is no criterion any more: {'; '.join(check['gone'])}",
            id_,
            file=file,
        )


def _refusal_concerns(results: ResultsJson, remarks: Sequence[RemarkJson]) -> Iterator[Concern]:
    """Yield why a submission was refused, unless a person has decided about its mark."""
    if "adjusted" not in results:
        told = [*results["notes"], *(remark["message"] for remark in remarks)]
        yield Concern("refused", f"refused: {' '.join(told)[:400]}")


def _intake_concerns(results: ResultsJson, remarks: Sequence[RemarkJson]) -> Iterator[Concern]:
    """Yield what was wrong with the submitted files."""
    unsure = [remark for remark in remarks if remark["kind"] == "unsure"]
    if results.get("late", {}).get("unknown"):  # that is the question then
        unsure = [each for each in unsure if each.get("said", {}).get("message") != _GIT_TIME]
    asked = [remark["message"] for remark in unsure]
    if asked:
        yield Concern("unsure", f"which file was meant? {' '.join(asked)[:400]}")
    yield from (Concern("unseen", each["message"]) for each in remarks if each["kind"] == "unseen")
    for kind in ("attempts", "beside", "author"):
        if named := [remark["message"] for remark in remarks if remark["kind"] == kind]:
            yield Concern(kind, " ".join(named)[:400])
    sources = (r["source"] for r in remarks if r["kind"] not in UNREPAIRED)
    repaired = list(dict.fromkeys(sources))
    if repaired:
        more = f" and {len(repaired) - 3} more" if len(repaired) > 3 else ""
        yield Concern("repaired", f"put right: {', '.join(repaired[:3])}{more}")
    exercises = results["exercises"]
    missing = sum(all(check["status"] == "missing" for check in each["checks"]) for each in exercises)
    unwritten = sum(map(is_unwritten, exercises))
    broken = [each for each in exercises if fails_to_load(each)]
    if broken and missing + unwritten + len(broken) == len(exercises):
        first = next(each["message"] for each in broken[0]["checks"] if each["visibility"] == "public")
        yield Concern("unloadable", f"no file that was written could be loaded: {first}")
    if 2 * (missing + unwritten) >= len(exercises) > 0:
        told = f"; {unwritten} of them as handed out" if unwritten else ""
        yield Concern("few", f"found {len(exercises) - missing} of {len(exercises)} exercises{told}")


def _troubles(results: ResultsJson) -> Mapping[str, list[str]]:
    """Return what the submission did to the sandbox, with the exercises in which it happened."""
    found: dict[str, list[str]] = {}
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            what = _trouble(check["status"], check["message"])
            if what and exercise["title"] not in found.setdefault(what, []):
                found[what].append(exercise["title"])
    return found


def _trouble(status: str, message: str) -> str:
    """Describe what a check did to the sandbox; empty if nothing."""
    if status == "violation":
        return _VIOLATION
    if status == "out-of-memory":
        return "ran out of memory"
    if status in ("timeout", "not-asked"):
        return "lost points by the clock, not by a count"
    if status == "crashed" and _NO_PROCESS.search(message):
        return "asked for more processes than it may have"
    return "died of a signal" if status == "crashed" and _ENDED.search(message) else ""


REQUEST: Final = "request"
"""The kind of what a student asks, which holds up no export."""
PROPOSALS: Final[Mapping[str, str]] = {
    REQUEST: "look again, and answer with grader adjust --answers CHECK: the mark may stay, rise or fall; "
    "grader try runs the code on a maze",
    "undecided": "say so with grader choose, or grader review --next; in grader serve the student does",
    "refused": "ask these again for their files, then grader review --done refused; or grader adjust",
    "fault": "grader batch grades it again, and in grader serve Rerun on the student's page",
    "unsure": "look at the files: what has the best name, and is Python, is graded",
    "unloadable": "look at the first error: one line, or how the files came, may have cost it all",
    "unseen": "look at it: grader adjust --check CHECK POINTS gives a check its points, or 0 gives it none; "
    "where no check waits for them, grader review --done",
    "marking": "grader review --next marks them, question by question",
    "differ": "grader review --next: a third person decides",
    "criteria": "grader review --next: mark it anew by the criteria that there are now",
    "conflict": "grader adjust: --keep what was decided, --undo it, or decide anew",
    "violation": "read the code before the mark stands",
    "late": "find out when it came, and give it with grader late --times; or the mark stands",
    "arrival": "find out when it came, and give it with grader late --times; or the mark stands",
    "alike": "look at both",
    "walks": "look at the generator: grader adjust, where it is the given one in other words",
    "author": "ask whose work it is: the author of a commit is whoever its machine was told",
    "same_name": "ask whose name it is: the same name draws the same mazes, so that answers can be passed on",
}
"""The kinds of questions that only a person can answer, in the order of the list, and what to do."""
KINDS: Final[Mapping[str, str]] = {
    REQUEST: "Asked for another look",
    "undecided": "Which attempt or file counts?",
    "refused": "Refused",
    "fault": "Could not be graded",
    "unsure": "Which file was meant?",
    "unloadable": "Nothing could be loaded",
    "unseen": "Not looked at, or not whole",
    "marking": "To be marked by a person",
    "differ": "Two markers differ",
    "criteria": "Marked by a criterion that is gone",
    "conflict": "The work, or the grader's mark, has changed since a person decided",
    "violation": "Broke the protocol of the sandbox",
    "late": "Marked late",
    "arrival": "When did it come?",
    "alike": "Suspiciously alike",
    "author": "Whose commit is it?",
    "same_name": "Mazes drawn from the same name",
    "attempts": "Several attempts, of which the last counts",
    "beside": "More files for one exercise: the lab's own counts",
    "few": "Few of the exercises",
    "outlier": "Out of line with the rest",
    "limits": "Ran into limits of the sandbox",
    "time": "Took long",
    "walks": "Works as what was given does",
    "repaired": "Put right",
}
"""The titles of these kinds, and of those that ask nothing: there the mark stands."""
BY_PERSONS: Final = ("marking", "differ", "criteria")
"""The kinds that are answered by marking a check by its criteria."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question."""

    id: str
    """Stays the same as long as the reason to ask does."""
    submission: str
    kind: str
    text: str
    who: str = ""
    when: str = ""
    """The person who closed it, and when; both are empty while it is open."""
    others: tuple[str, ...] = ()
    """Further submissions that it concerns; those of earlier work begin with the name of a folder."""
    pages: tuple[tuple[str, str], ...] = ()
    """For each pair, who they are, and the page that shows their code side by side."""
    work: str = ""
    """A digest of the work that it is about; empty if it is unknown."""
    check: str = ""
    """The check that gets its points by the answer, so that grader adjust alone closes it; mostly empty."""
    markers: int = 1
    """How many persons have to mark the check."""
    file: str = ""
    """The digest of the file that they mark."""
    parts: tuple[Item, ...] = ()
    """The items that a list joins, one for each submission: it is closed by closing these."""

    @property
    def is_open(self) -> bool:
        """Whether nobody has closed it yet."""
        return not self.when

    @property
    def names(self) -> tuple[str, ...]:
        """All submissions that it concerns."""
        return (self.submission, *self.others)


def items_of(
    rows: Sequence[Row],
    alike: Alike,
    looked: Mapping[str, Decision],
    requests: Iterable[LookRequest] = (),
) -> list[Item]:
    """Return the review's items, sorted by kind and name; groups of similar submissions keep their order.

    An item is closed as long as the work that was looked at is the same; ``requests`` are those of students
    as they stand now.
    """
    works = {row.name: row.work for row in rows}

    def item(names: Sequence[str], kind: str, text: str, why: str = "") -> Item:
        whole = "\0".join((*names, kind, why or text)).encode("utf-8", "surrogatepass")
        id_ = hashlib.sha256(whole).hexdigest()[:8]
        by, now = looked.get(id_), _joint_work(names, works)
        is_same = by is not None and (by.work == now or not by.work)
        done = (by.who, by.when) if by and is_same else ("", "")
        return Item(id_, names[0], kind, str(text), *done, tuple(names[1:]), work=now)

    found = [
        replace(
            item((row.name,), concern.kind, concern),
            check=concern.check,
            markers=concern.markers,
            file=concern.file,
        )
        for row in rows
        for concern in row.concerns
        if concern.kind in PROPOSALS
    ]
    found = [each for each in found if each.kind not in ("refused", "marking")] + [
        *_joined([each for each in found if each.kind == "refused"]),
        *_to_mark([each for each in found if each.kind == "marking"]),
    ]
    for group in alike.groups:
        pages = tuple((f"{pair.one} and {pair.other}", pair.page) for pair in group.pairs if pair.page)
        found.append(replace(item(group.names, "alike", group.text, group.seen), pages=pages))
    found += [item(names, "unseen", text) for names, text in alike.unseen]
    found += [_request_item(each) for each in requests if each.state == "open" or each.is_answered]
    found += [item(names, "same_name", title) for title, names in _of_one_name(rows)]
    kinds = list(PROPOSALS)
    return sorted(
        found,
        key=lambda item: (kinds.index(item.kind), *((item.submission, item.text) if not item.others else ())),
    )


def _request_item(request: LookRequest) -> Item:
    words = " ".join(request.words.split()) + f" – added: {' '.join(request.reply.split())}" * bool(
        request.reply
    )
    told = f"{request.check}: {words}"
    done = (request.answered_by, request.answered_at)
    kind, work, check = REQUEST, request.work, request.check
    return Item(request.id, request.submission, kind, told, *done, work=work, check=check)


def _joint_work(names: Iterable[str], works: Mapping[str, str]) -> str:
    """Return a digest of the work of several submissions; empty if that of none is known."""
    known = [works.get(name, "") for name in names]
    return hashlib.sha256("\0".join(known).encode()).hexdigest()[:16] if any(known) else ""


def _joined(items: Sequence[Item]) -> list[Item]:
    """Join items that ask the same of many into one list, and what was closed together into another."""
    lists: dict[tuple[str, str], list[Item]] = {}
    for each in items:
        lists.setdefault((each.who, each.when), []).append(each)
    return [_list_of(each) if len(each) > 1 else each[0] for each in lists.values()]


def _to_mark(items: Sequence[Item]) -> Iterator[Item]:
    """Yield an item for each check that persons mark, with all works that wait for it."""
    checks = dict.fromkeys(item.check for item in items)
    for check in checks:
        theirs = [item for item in items if item.check == check]
        whole = _list_of(theirs) if len(theirs) > 1 else theirs[0]
        yield replace(whole, text=f"{check}: {len(theirs)} to mark") if whole.parts else whole


def _list_of(items: Sequence[Item]) -> Item:
    first, ids = items[0], [item.id for item in items]
    return replace(
        first,
        id=hashlib.sha256("".join(ids).encode()).hexdigest()[:8],
        text=f"{len(items)} hand-ins",
        others=tuple(item.submission for item in items[1:]),
        parts=tuple(items),
    )


def _of_one_name(rows: Sequence[Row]) -> Iterator[tuple[str, list[str]]]:
    """Yield exercises in which several submissions got their cases from the same name, with these."""
    by_name: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for exercise in row.exercises:
            if exercise.drawn_from:
                by_name.setdefault((exercise.title, exercise.drawn_from), []).append(row.name)
    yield from ((title, names) for (title, _), names in by_name.items() if len(names) > 1)


def save_items(out: Path, items: Sequence[Item]) -> None:
    """Store the items with the results, where exports look for open ones."""
    write_whole(out / ITEMS, json.dumps([asdict(item) for item in items]).encode())
