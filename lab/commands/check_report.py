"""What ``maze check`` shows: a line for each exercise, the first failure of each, and the next step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.commands.screen import BOLD, GREEN, RED, YELLOW, paint
from lab.exercises import EXERCISES, Exercise

_MESSAGE_LINES = 60


@dataclass(slots=True)
class Result:
    """A public test, and how it ended; ``passed`` is None before it has."""

    file: str
    title: str
    passed: bool | None = None
    message: str = ""

    def end(self, *, passed: bool, message: str) -> None:
        """Note how it ended; a failure is never taken back."""
        if self.passed is not False:
            self.passed, self.message = passed, message

    @property
    def unwritten(self) -> bool:
        """Whether it failed because a skeleton is still to be written."""
        return self.message.startswith("Still to be written:")


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The results of one exercise."""

    exercise: Exercise
    results: tuple[Result, ...]

    @property
    def failures(self) -> list[Result]:
        return [result for result in self.results if not result.passed]

    @property
    def status(self) -> str:
        passed = len(self.results) - len(self.failures)
        if self.results and all(result.unwritten for result in self.results):
            return paint("still to be written", YELLOW)
        text = f"{passed} of {len(self.results)} passed"
        return paint(text, RED if self.failures else GREEN)


def show(results: Sequence[Result], folder: Path) -> None:
    """Print the results, exercise by exercise."""
    outcomes = [
        _Outcome(exercise, tuple(result for result in results if result.file == f"test_{exercise.stem}"))
        for exercise in EXERCISES
    ]
    print(f"Public tests of {folder}\n")
    for outcome in outcomes:
        print(f"  {outcome.exercise.title:<22} {outcome.status}")
    for outcome in outcomes:
        if any(not result.unwritten for result in outcome.failures):
            _show_failures(outcome)
    print("\n" + _summary(outcomes, results))


def _show_failures(outcome: _Outcome) -> None:
    """The first failure in full, the others by their titles."""
    first, *others = sorted(outcome.failures, key=lambda result: result.unwritten)
    print("\n" + paint(f"{outcome.exercise.title} ({outcome.exercise.file})", BOLD))
    print(f"  {paint('failed', RED)}: {first.title}\n")
    lines = first.message.strip("\n").split("\n")
    print("\n".join(f"    {line}".rstrip() for line in lines[:_MESSAGE_LINES]))
    if len(lines) > _MESSAGE_LINES:
        print(f"    ... {len(lines) - _MESSAGE_LINES} more lines ...")
    if others:
        print()
    for title in dict.fromkeys(other.title for other in others):
        print(f"  {paint('failed', RED)}: {title}")


def _summary(outcomes: Sequence[_Outcome], results: Sequence[Result]) -> str:
    passed = sum(result.passed is True for result in results)
    text = f"{passed} of {len(results)} public tests passed."
    left = [outcome for outcome in outcomes if outcome.failures]
    if not left:
        return f"{text}\nNext: maze pack makes the file to hand in. Hidden tests will look at it as well."
    exercise, failure = left[0].exercise, left[0].failures[0]
    work = f"write {exercise.name} in {exercise.file}" if failure.unwritten else f"mend {exercise.file}"
    return f"{text}\nNext: {work}, then run maze check again."
