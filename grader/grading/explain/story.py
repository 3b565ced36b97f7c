"""The story of a lost exercise: what its lines did at the step where the run and a right one part.

A call that is shown is made once more and recorded, after all marks are known. What is told is a claim like
any other: it decides nothing. Only calls that students may see are told of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from grader.exercises.kit.check import PlannedExercise, Wrong
from grader.exercises.kit.findings import cell_text
from grader.exercises.registry import kind_of
from grader.grading.case_runs import MakeCalls
from grader.intake.python_source import decode_source
from grader.languages import said
from grader.model import Claim, Story, StoryStep
from grader.reader import Read
from lab import Vector
from lab.recorded import Told
from lab.story import Recorded
from lab.telling import TELLING, excerpt, of_answer, shortened

MOST_TRIED: Final = 3
"""At most three calls are recorded, of the first checks that were lost."""
_SAME_EVERYWHERE: Final = {"returned", "raised", "endless"}
"""Where a call ends otherwise, it is a matter of the machine how far its record goes."""
_UNTOLD: Final = ("missing", "not-asked", "violation", "skipped")


class CallRecord(NamedTuple):
    """What a recorded call tells, and which lines ran at each step of the walk that is shown."""

    told: list[Told]
    walk: list[list[int]]


@dataclass
class Storyteller:
    """Tells of the calls of one exercise of one submission."""

    exercise: PlannedExercise
    files: Mapping[str, bytes]
    make_calls: MakeCalls
    read: Read

    def tell(self, wrong: Mapping[str, Wrong]) -> Story | None:
        """Return the story that says most, of the first checks that were lost; None where nothing ran."""
        best: Story | None = None
        for check, found in [*_first_calls(wrong)][:MOST_TRIED]:
            call = replace(found.case.call, group="", recorded=(self._file,))
            (claim,) = self.make_calls([call], False)
            ends = {claim.outcome, found.finding.status}
            if not ends & _SAME_EVERYWHERE:
                continue
            record = self.read(partial(self._read, found, claim), CallRecord)
            if record is None or not record.told or not self._is_wrong(check, found, claim):
                continue
            story = self._story(check, record)
            if record.told[0].key in TELLING:
                return story
            best = best or story
        return best

    @cached_property
    def _file(self) -> str:
        """The file in which the exercise's class, or function, is: work may be in one file."""
        target = self.exercise.target
        made = re.compile(rb"^[ \t]*(?:class|def)[ \t]+%s\b" % target.name.encode(), re.MULTILINE)
        own = [path for path, content in self.files.items() if path.endswith(".py") and made.search(content)]
        return target.file if target.file in own or not own else own[0]

    @cached_property
    def _text(self) -> str | None:
        return decode_source(self.files.get(self._file, b""))

    def _is_wrong(self, id_: str, wrong: Wrong, claim: Claim) -> bool:
        """Tell whether the recorded call went wrong, too: code can see that it is recorded."""
        check = next(each for each in self.exercise.checks if each.id == id_)
        claims = {wrong.case.call.id: replace(claim, call=wrong.case.call.id)}
        judges = [judge for judge in (check.judge, check.control) if judge is not None]
        with suppress(LookupError):  # it looks at others, too
            return any(judge((wrong.case,), claims) for judge in judges)
        return True

    def _story(self, check: str, record: CallRecord) -> Story:
        steps = tuple(
            StoryStep(self._file, each.line, said(f"story_{each.key}", **each.values), each.shown)
            for each in record.told
        )
        code = (self._text or "").split("\n")
        first, shown = excerpt(record.told, code)
        fits = all(1 <= line <= len(code) for lines in record.walk for line in lines)
        walk = tuple(map(tuple, record.walk)) if fits else ()
        return Story(check, steps, first, shown, walk)

    def _read(self, wrong: Wrong, claim: Claim) -> CallRecord:
        ran = any(event.kind == "line" for event in claim.events)
        is_unwritten = claim.fault is not None and claim.fault.kind == "NotImplementedError"
        if self._text is None or not ran or is_unwritten:
            return CallRecord([], [])
        run, kind = Recorded(self._text, claim.events), kind_of(self.exercise.id)
        if claim.outcome == "raised":
            told = run.of_exception()
        elif not claim.came_back:
            told = run.of_rounds()
        else:
            told = kind.story(self.exercise.id, wrong, claim, run) or of_answer(run)
        actual: Any = wrong.finding.actual
        walk = [cell_text(Vector(*cell)) for cell in actual.get("walk") or actual.get("visits") or ()]
        return CallRecord(shortened(told), run.of_walk(walk))


def _first_calls(wrong: Mapping[str, Wrong]) -> Iterator[tuple[str, Wrong]]:
    """Yield the lost checks whose calls may be told of, each call once; first those that show a parting."""
    seen = set[str]()
    for check, found in sorted(wrong.items(), key=lambda each: "parts_at" not in each[1].finding.extra):
        is_told = found.finding.status not in _UNTOLD and not found.finding.decides and not found.case.hidden
        if is_told and found.case.call.id not in seen:
            seen.add(found.case.call.id)
            yield check, found
