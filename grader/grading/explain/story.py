"""The story of a lost exercise: what its lines did at the step where the run and a right one part.

A call that is shown is made once more and recorded, after all marks are known, in all files of the student's
own: their lines are numbered as if the files stood below each other. What is told is a claim like any other:
it decides nothing. Only calls that students may see are told of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, Final, NamedTuple

from grader.exercises.kit.check import Case, Check, PlannedExercise, Twin, Wrong
from grader.exercises.kit.findings import cell_text
from grader.exercises.registry import kind_of
from grader.grading.case_runs import MakeCalls
from grader.intake.python_source import decode_source
from grader.languages import said
from grader.model import Call, Claim, LookAt, Story, StoryStep
from grader.reader import Read
from lab import Vector
from lab.exercises import BY_ID
from lab.recorded import Told
from lab.story import MOST_STEPS, Recorded
from lab.telling import TELLING, excerpt, of_answer, shortened

MOST_TRIED: Final = 3
"""At most three calls are recorded, of the first checks that were lost."""
MOST_TWINS, A_FEW = 24, 8
"""Of cases beside it, 24 at the most are tried, eight at a time, until one is right."""
MOST_FILES: Final = 20
"""At most 20 files are recorded."""
_SAME_EVERYWHERE: Final = {"returned", "raised", "endless"}
"""Where a call ends otherwise, it is a matter of the machine how far its record goes."""
_ENDED: Final = ("returned", "raised")
_UNTOLD: Final = ("missing", "not-asked", "violation", "skipped")


class CallRecord(NamedTuple):
    """What a recorded call tells, and which lines ran at each step of the walk that is shown."""

    told: list[Told]
    walk: list[list[int]]


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
            record = self.read(partial(self._read, found, claim, beside, line), CallRecord)
            if record is None or not record.told:
                continue
            story = self._story(id_, record, beside)
            if any(each.key in TELLING for each in record.told):
                return story
            best = best or story
        return best

    def _recorded(self, call: Call) -> Claim:
        (claim,) = self.make_calls([replace(call, group="", recorded=tuple(self._begins.items()))], False)
        return claim

    def _beside(self, check: Check, wrong: Wrong) -> Counterpart | None:
        """Return the first case that differs from a wrong one in one thing, and is right when recorded."""
        twins = islice(kind_of(self.exercise.id).twins(wrong), MOST_TWINS)
        while some := [*islice(twins, A_FEW)]:
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
        lines = [each.line for each in record.told]
        shown = next((self._place(line)[0] for line in lines if line), self._file)
        placed: list[tuple[str, int | None]] = [
            self._place(line) if line else (shown, None) for line in lines
        ]
        steps = tuple(
            StoryStep(file, line, said(f"story_{each.key}", **each.values), each.shown)
            for (file, line), each in zip(placed, record.told, strict=True)
        )
        code = (decode_source(self.files.get(shown, b"")) or "").split("\n")
        first, source = excerpt([step.line for step in steps if step.line and step.file == shown], code)
        walk = tuple(tuple(self._lines_in(shown, lines)) for lines in record.walk)
        maze = beside.twin.case.maze or "" if beside else ""
        return Story(check, steps, first, source, walk if all(walk) else (), maze)

    def _lines_in(self, file: str, lines: Iterable[int]) -> Iterator[int]:
        return (number for path, number in map(self._place, lines) if path == file)

    def _read(
        self, wrong: Wrong, claim: Claim, beside: Counterpart | None, place: LookAt | None
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
        told = self._told(run, wrong, claim)
        if beside is not None:
            told = [*run.of_twin(Recorded(text, beside.claim.events), beside.twin.told), *told]
        once = shortened([*told, *run.deeper(told)])
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
        if not claim.came_back:
            return run.of_rounds()
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
