"""What is told of work that is wrong: what a slip or an exception means, and the story of a recorded run.

Slips of the pen and Python's exceptions, told in the place of what Python said, or beside it.

A slip fails every check of its exercise in one manner. It is told before any maze is: what was looked for,
and what stands in the file instead. What is known of it is in ``lab``, for those who try their work, too.

The story of a lost exercise: what its lines did at the step where the run and a right one part.

A call that is shown is made once more and recorded, after all marks are known, in all files of the student's
own: their lines are numbered as if the files stood below each other. What is told is a claim like any other:
it decides nothing. Only calls that students may see are told of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, Final, NamedTuple

from grader.exercises.kit.check import Case, Check, PlannedExercise, Twin, Wrong
from grader.exercises.kit.findings import cell_text
from grader.exercises.kit.kind import AskedState
from grader.exercises.registry import kind_of
from grader.grading.case_runs import MakeCalls
from grader.grading.purse import Purse
from grader.intake.names import decode_source
from grader.intake.selection import tell_fault
from grader.languages import Message, Text, said
from grader.model import Call, Claim, ExerciseResult, LookAt, Story, StoryStep, Target, Verdict
from grader.reader import Read, read_here
from lab import Maze, Vector
from lab.came import Came, recognise
from lab.exceptions import QUESTIONS, PythonError, explain
from lab.exercises import BY_ID, Exercise
from lab.recorded import Told
from lab.slips import NO_SOURCE, OF_CLASS, FileHint, FileText, missing_class, missing_method, other_parameters
from lab.story import MOST_STEPS, Recorded
from lab.telling import TELLING, excerpt, in_full, of_answer, shortened

NOT_THERE: Final = "said.missing_name"
"""What is said of a file without its class."""
_READ_BY: Final = re.compile(r" \(Python (\d+)\.(\d+)\)$")
"""A message on syntax ends with the Python that could not read it."""


def with_slips(
    result: ExerciseResult, target: Target, content: bytes | None, read: Read = read_here
) -> ExerciseResult:
    """Return the result with each slip explained by what was meant; ``content`` is the exercise's file."""
    verdicts = [each for check in result.checks for each in (check.verdict, check.for_staff) if each]
    if content is None or all(each.status == "passed" for each in verdicts):
        return result
    found = read(
        lambda: _slips(verdicts, BY_ID[result.id], content), tuple[Came | None, list[list[FileHint]]]
    )
    came, told = found or (None, [])
    by_verdict = dict(zip(map(id, verdicts), told, strict=False))

    def spelt(verdict: Verdict) -> Verdict:
        if came is not None:
            at_import = _fault(verdict).get("stage") == "import"
            return replace(verdict, hint=tell_fault(came, target.file)) if at_import else verdict
        return _with_told(verdict, by_verdict.get(id(verdict), []))

    return replace(
        result,
        checks=tuple(
            replace(check, verdict=spelt(check.verdict), for_staff=check.for_staff and spelt(check.for_staff))
            for check in result.checks
        ),
    )


def _with_told(verdict: Verdict, told: Sequence[FileHint]) -> Verdict:
    if not told:
        return verdict
    if verdict.status == "missing":
        return replace(verdict, message=_in_words(told))
    if told[0].key in OF_CLASS:
        shown = {"actual": {"fault": _fault(verdict)}, "expected": {}}
        return Verdict(verdict.status, _in_words(told), counterexample=shown)
    if told[0].key not in QUESTIONS:
        return replace(verdict, message=_in_words(told, verdict.message))
    return verdict if verdict.misconception else replace(verdict, hint=_in_words(told))


def _in_words(told: Sequence[FileHint], before: Text = "") -> Text:
    """Return the sentences as one message, after another one."""
    for each in told:
        sentence = said(each.key, **each.values)
        before = said("then", sentence=before, more=sentence) if before else sentence
    return before


def _slips(
    verdicts: Sequence[Verdict], asked: Exercise, content: bytes
) -> tuple[Came | None, list[list[FileHint]]]:
    text = decode_source(content)
    source = NO_SOURCE if text is None else FileText.of(text)
    came = recognise(content) if source is NO_SOURCE else None
    return came and came._replace(code=None), [_told(each, asked, source) for each in verdicts]


def _told(verdict: Verdict, asked: Exercise, source: FileText) -> list[FileHint]:
    fault = _fault(verdict)
    if verdict.status == "missing":
        is_there = isinstance(verdict.message, Message) and verdict.message.key != NOT_THERE
        return [] if is_there else missing_class(source, asked)
    if not fault:
        return []
    trace, message = fault.get("trace") or [{"file": "", "line": 0, "code": ""}], str(fault.get("message"))
    read_by = _READ_BY.search(message)
    raised = PythonError(
        *(str(fault.get("kind")), message),
        line=trace[-1]["line"] if trace[-1]["file"] == asked.file else 0,
        code=str(trace[-1]["code"]),
        at_import=fault.get("stage") == "import",
        python=(int(read_by[1]), int(read_by[2])) if read_by else None,
    )
    return _of_class(raised, asked, source) or explain(raised, source)


def _of_class(raised: PythonError, asked: Exercise, source: FileText) -> list[FileHint]:
    """Tell of a method that the exercise's class lacks, or that takes something else than it is given."""
    lacks = rf"'{asked.name}' object has no attribute |Can't instantiate abstract class {asked.name} "
    called = r"(?P<name>\w+)" if asked.is_function else rf"(?:.*\.)?{asked.name}\.(?P<name>\w+)"
    if re.match(lacks, raised.message):
        there = source.functions(asked.name)
        named = (name for name in asked.methods if re.search(rf"\b{name}\b", raised.message))
        return missing_method(source, asked, [name for name in named if name not in there])
    found = (
        re.match(rf"{called}\(\) (takes|missing) ", raised.message) if raised.kind == "TypeError" else None
    )
    names = (asked.name,) if asked.is_function else asked.methods
    return other_parameters(source, asked, found["name"]) if found and found["name"] in names else []


def _fault(verdict: Verdict) -> Mapping[str, Any]:
    actual: Any = (verdict.counterexample or {}).get("actual")
    return (actual.get("fault") or {}) if isinstance(actual, Mapping) else {}


MOST_TRIED: Final = 3
"""At most three calls are recorded, of the first checks that were lost."""
MOST_TWINS, A_FEW = 24, 8
"""Of cases beside it, 24 at the most are tried, eight at a time, until one is right."""
MOST_FILES: Final = 20
"""At most 20 files are recorded."""
_SAME_EVERYWHERE: Final = {"returned", "raised", "endless"}
"""Where a call ends otherwise, it is a matter of the machine how far its record goes."""
_ENDED: Final = ("returned", "raised")
_UNTOLD: Final = ("missing", "not-asked", "unmarked", "violation", "skipped")


class CallRecord(NamedTuple):
    """What a recorded call tells, and which lines ran at each step of the walk that is shown."""

    told: list[Told]
    walk: list[list[int]]
    code: tuple[str, ...] = ()
    """The lines of the file that is shown, of which the first is ``begins``."""
    begins: int = 1


class Counterpart(NamedTuple):
    """A case that differs from a wrong one in one thing, and was answered rightly."""

    twin: Twin
    claim: Claim


@dataclass
class Storyteller:
    """Tells of the calls of one exercise of one submission."""

    exercise: PlannedExercise
    files: Mapping[str, bytes]
    make_calls: MakeCalls
    read: Read
    purse: Purse = field(default_factory=Purse)

    def tell(self, wrong: Mapping[str, Wrong], place: LookAt | None = None) -> Story | None:
        """Return the story that says most, of the first checks that were lost; None where nothing ran.

        ``place`` is where an edit puts checks right.
        """
        best: Story | None = None
        for id_, found in [*_first_calls(wrong)][:MOST_TRIED]:
            check = next(each for each in self.exercise.checks if each.id == id_)
            claim = self._recorded(found.case.call)
            ends = {claim.outcome, found.finding.status}
            if not ends & _SAME_EVERYWHERE or not _is_wrong(check, found, claim):
                continue
            beside = self._beside(check, found) if claim.outcome in _ENDED else None
            line = place if place is not None and id_ in place.checks else None
            state = kind_of(self.exercise.id).asked_state(found, claim, self._asked)
            look = partial(self._record, found, claim, beside, line, state)
            record = self.read(partial(self._with_lines, look), CallRecord)
            if record is None or not record.told:
                continue
            story = replace(self._story(id_, record, beside), states=state.table if state else ())
            if any(each.key in TELLING for each in record.told):
                return story
            best = best or story
        return best

    def _recorded(self, call: Call) -> Claim:
        (claim,) = self.make_calls([replace(call, group="", recorded=tuple(self._begins.items()))], False)
        return claim

    def _asked(self, calls: Sequence[Call]) -> Sequence[Claim]:
        return self.make_calls(calls, False)

    def _beside(self, check: Check, wrong: Wrong) -> Counterpart | None:
        """Return the first case that differs from a wrong one in one thing, and is right when recorded."""
        twins = islice(kind_of(self.exercise.id).twins(wrong), MOST_TWINS)
        while self.purse.left > 0 and (some := [*islice(twins, A_FEW)]):
            cases = {case.call.id: case for each in some for case in (each.case, *each.also)}
            calls = [replace(case.call, group="") for case in cases.values()]
            claims = dict(zip(cases, self.make_calls(calls, False), strict=True))
            if not all(claim.outcome in _ENDED for claim in claims.values()):
                return None
            for twin in some:
                if all(_is_right(check, each, claims[each.call.id]) for each in (twin.case, *twin.also)):
                    again = self._recorded(twin.case.call)
                    return Counterpart(twin, again) if _is_right(check, twin.case, again) else None
        return None

    @cached_property
    def _file(self) -> str:
        """The file in which the exercise's class, or function, is: work may be in one file."""
        target = self.exercise.target
        made = re.compile(rb"^[ \t]*(?:class|def)[ \t]+%s\b" % target.name.encode(), re.MULTILINE)
        own = [path for path, content in self.files.items() if path.endswith(".py") and made.search(content)]
        return target.file if target.file in own or not own else own[0]

    @cached_property
    def _begins(self) -> dict[str, int]:
        """How many lines stand above each file that is recorded: the exercise's is the first.

        Solvers are not to blame for what stands in the file of the search.
        """
        search = BY_ID["search"].file
        others = sorted(path for path in self.files if path.endswith(".py") and path != search)
        begins, above = dict[str, int](), 0
        for path in [*dict.fromkeys([self._file, *others])][:MOST_FILES]:
            begins[path] = above
            above += _line_count(self.files.get(path, b""))
        return begins

    def _place(self, line: int) -> tuple[str, int]:
        """Return the file of a line, and its number there."""
        file = next(file for file, above in reversed(self._begins.items()) if line > above)
        return file, line - self._begins[file]

    def _text(self, ran: Collection[str]) -> str | None:
        """Return the files that ran, below each other, with empty lines for the others; None without text."""
        text = ""
        for file in self._begins:
            content = self.files.get(file, b"")
            told = f"{decode_source(content)}\n" if file in ran else "\n" * _line_count(content)
            if file in ran and decode_source(content) is None:
                return None
            text += told
        return text

    def _story(self, check: str, record: CallRecord, beside: Counterpart | None) -> Story:
        shown, placed = self._placed(record)
        steps = tuple(
            StoryStep(file, line, said(f"story_{each.key}", **each.values), each.shown)
            for (file, line), each in zip(placed, record.told, strict=True)
        )
        walk = tuple(tuple(self._lines_in(shown, lines)) for lines in record.walk)
        maze = beside.twin.case.maze or "" if beside else ""
        return Story(check, steps, record.begins, record.code, walk if all(walk) else (), maze)

    def _placed(self, record: CallRecord) -> tuple[str, list[tuple[str, int | None]]]:
        """Return the file that is shown, and the place of each step."""
        lines = [each.line for each in record.told]
        shown = next((self._place(line)[0] for line in lines if line), self._file)
        return shown, [self._place(line) if line else (shown, None) for line in lines]

    def _lines_in(self, file: str, lines: Iterable[int]) -> Iterator[int]:
        return (number for path, number in map(self._place, lines) if path == file)

    def _with_lines(self, look: Callable[[], CallRecord]) -> CallRecord:
        """Return what a call tells, with the lines of the file around it."""
        record = look()
        shown, placed = self._placed(record)
        text = (decode_source(self.files.get(shown, b"")) or "").split("\n")
        begins, code = excerpt([line for file, line in placed if line and file == shown], text)
        return record._replace(code=code, begins=begins)

    def _record(
        self,
        wrong: Wrong,
        claim: Claim,
        beside: Counterpart | None,
        place: LookAt | None,
        state: AskedState | None,
    ) -> CallRecord:
        lines = {event.line for event in claim.events if event.kind == "line"}
        last = sum(map(_line_count, (self.files.get(file, b"") for file in self._begins)))
        if not all(0 < line <= last for line in lines):
            return CallRecord([], [])
        text = self._text({self._file, *(self._place(line)[0] for line in lines)})
        is_unwritten = claim.fault is not None and claim.fault.kind == "NotImplementedError"
        if text is None or is_unwritten:
            return CallRecord([], [])
        try:
            run = Recorded(text, claim.events)
        except (SyntaxError, ValueError):  # Python refused the file, so nothing of it ran
            return CallRecord([], [])
        if not lines:
            return CallRecord(run.of_generator(BY_ID[self.exercise.id].method), [])
        told = run.of_step(state.step, state.told, state.before) if state is not None else []
        if state is None or not claim.came_back or claim.outcome == "raised":
            told += self._told(run, wrong, claim)
        if beside is not None:
            told = [*run.of_twin(Recorded(text, beside.claim.events), beside.twin.told), *told]
        once = in_full(run, told)
        line = self._begins.get(place.file, 0) + place.line if place is not None else 0
        if place is not None and place.file in self._begins and line not in {each.line for each in once}:
            at_place = run.of_place(line, _place_key(place))
            once = shortened([*once[: MOST_STEPS - len(at_place)], *at_place])
        actual: Any = wrong.finding.actual
        walk = [cell_text(Vector(*cell)) for cell in actual.get("walk") or actual.get("visits") or ()]
        return CallRecord(once, run.of_walk(walk))

    def _told(self, run: Recorded, wrong: Wrong, claim: Claim) -> list[Told]:
        if claim.outcome == "raised":
            return run.of_exception()
        if claim.spent is not None and claim.spent.what == "waits":
            return run.of_wait()
        if not claim.came_back:
            maze = wrong.case.maze
            return run.of_rounds(None if maze is None else Maze.from_text(maze))
        kind = kind_of(self.exercise.id)
        return kind.story(self.exercise.id, wrong, claim, run) or of_answer(run)


def _is_wrong(check: Check, wrong: Wrong, claim: Claim) -> bool:
    """Tell whether the recorded call went wrong, too: code can see that it is recorded."""
    claims = {wrong.case.call.id: replace(claim, call=wrong.case.call.id)}
    judges = [judge for judge in (check.judge, check.control) if judge is not None]
    with suppress(LookupError, ValueError):  # it looks at others, too
        return any(judge((wrong.case,), claims) for judge in judges)
    return True


def _is_right(check: Check, case: Case, claim: Claim) -> bool:
    return claim.outcome == "returned" and check.judge((case,), {case.call.id: claim}) is None


def _place_key(place: LookAt) -> str:
    """Return the sentence that tells whether an edit changes a line, takes it away, moves it or adds some."""
    gone, added = ({text[1:].strip() for text in place.edit if text[0] == sign} for sign in "-+")
    if place.after:
        return "place_after"
    return "place_moved" if gone & added else "place_gone" if added <= {"pass"} else "place"


def _line_count(content: bytes) -> int:
    """Return how many lines a file has, as Python counts them, and one more."""
    return len(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))


def _first_calls(wrong: Mapping[str, Wrong]) -> Iterator[tuple[str, Wrong]]:
    """Yield the lost checks whose calls may be told of, each call once; first those that show a parting."""
    seen = set[str]()
    for check, found in sorted(wrong.items(), key=lambda each: "parts_at" not in each[1].finding.extra):
        is_told = found.finding.status not in _UNTOLD and not found.finding.decides and not found.case.hidden
        if is_told and found.case.call.id not in seen:
            seen.add(found.case.call.id)
            yield check, found
