"""The parts of a page: what is shown of a submission, an exercise and a check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.feedback import untrusted
from grader.feedback.example import Example
from grader.languages import Message
from grader.model import Fault
from lab import Maze

_NO_FILE = "said.missing_file"
"""What is said of a file that was not handed in."""
_WITH_SEARCH = "said.with_search"
"""What is said where a solver was judged with a Search of the student's own that is wrong."""


@dataclass(frozen=True, slots=True)
class CheckView:
    """One check, as it is shown."""

    id: str
    title: str
    status: str
    score: float
    max_score: float
    hidden: bool
    message: str
    hint: str
    misconception: str
    """The id of the wrong model that explains all that was seen; empty where none does."""
    example: Example | None
    fault: Fault | None = None
    """What stopped it, also where it makes no example."""
    unwritten: bool = False
    """It met nothing but what the template raises."""
    follow_through: bool = False
    """It passes only with a Search that works, the submission's own being wrong."""
    withdrawn: bool = False
    """It was withdrawn for the whole class, and has all its points."""
    reason: str = ""
    """Why it was withdrawn, in somebody's own words."""
    said: Mapping[str, object] = field(default_factory=dict)
    """The messages that its texts come from, by their place, as they stand in results.json."""

    @property
    def is_likely(self) -> bool:
        """Tell whether the hint comes from a wrong model."""
        return bool(self.misconception)

    @property
    def shown_status(self) -> str:
        """The status in the words for people: code that is still to be written did not crash."""
        return "unwritten" if self.unwritten else self.status

    @property
    def lacks_class(self) -> bool:
        """Tell whether the file is there, and what was asked for is not in it."""
        told = untrusted.message(self.said.get("message"))
        return self.status == "missing" and not self.hidden and told is not None and not _says(told, _NO_FILE)

    @property
    def blames_search(self) -> bool:
        """Tell whether it was lost beside a Search that fails checks of its own."""
        told = untrusted.message(self.said.get("message"))
        return told is not None and _says(told, _WITH_SEARCH)

    @property
    def passed(self) -> bool:
        """Tell whether nothing is left to do."""
        return self.status == "passed" or self.withdrawn

    @property
    def gives_a_part(self) -> bool:
        """Tell whether it gives a part of its points although it is lost."""
        return not self.passed and 0 < self.score < self.max_score

    @property
    def has_details(self) -> bool:
        """Tell whether there is more to show than title and status."""
        return bool(self.message or self.hint or self.example)


@dataclass(frozen=True, slots=True)
class GalleryMaze:
    """A maze that the student's generator made."""

    rows: int
    columns: int
    seed: int | None
    maze: Maze


@dataclass(frozen=True, slots=True)
class LookView:
    """The place in the student's own code where the mistake stands."""

    file: str
    line: int
    after: bool
    """Something is missing after the line."""
    message: str
    checks: tuple[str, ...]
    """The ids of those that it is about."""
    first: int
    code: tuple[str, ...]
    """The lines around the place, from that number on."""
    edit: tuple[str, ...] = ()
    """For staff: what would put it right."""
    walk_check: str = ""
    """The id of the check whose walk is known line by line,"""
    walk: tuple[tuple[int, ...], ...] = ()
    """and the lines that ran at each of its steps, that of the visit first."""
    said: Mapping[str, object] = field(default_factory=dict)

    @property
    def numbered(self) -> list[tuple[int, str, bool]]:
        """The lines with their numbers, and whether each is the one to look at."""
        return [(number, text, number == self.line) for number, text in enumerate(self.code, self.first)]


@dataclass(frozen=True, slots=True)
class ExerciseView:
    """One exercise, as it is shown."""

    id: str
    title: str
    score: float
    max_score: float
    zeroed: bool
    checks: tuple[CheckView, ...]
    output: str
    output_left: int
    gallery: tuple[GalleryMaze, ...]
    look_at: LookView | None = None

    def look_for(self, check: CheckView) -> LookView | None:
        """The place to look at, at the first of the checks that it is about."""
        if self.look_at is None:
            return None
        about = (card for card in self.cards if card.id in self.look_at.checks)
        return self.look_at if next(about, None) is check else None

    @property
    def passed(self) -> tuple[CheckView, ...]:
        """The checks that pass."""
        return tuple(check for check in self.checks if check.passed)

    @property
    def open(self) -> tuple[CheckView, ...]:
        """The checks with something left to do."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def one_cause(self) -> bool:
        """Tell whether all checks were lost for one reason, whatever the case: a file that cannot be loaded,
        a class that is not there."""
        others = self.checks[1:]
        return bool(others) and not self.passed and all(_is_like(self.checks[0], other) for other in others)

    @property
    def cards(self) -> tuple[CheckView, ...]:
        """The checks that are shown each by itself: one speaks for all that were lost for one reason."""
        return self.open[:1] if self.one_cause else self.open

    @property
    def follows_through(self) -> bool:
        """Whether checks pass only with a Search that works, the submission's own being wrong."""
        return any(check.follow_through for check in self.checks)

    @property
    def blames_search(self) -> bool:
        """Tell whether it was judged with the student's own Search, which is wrong."""
        return any(check.blames_search for check in self.checks)

    @property
    def state(self) -> str:
        """complete, missing (nothing was handed in), unfound (its class is not in what was), unwritten (as
        the template has it) or open."""
        if not self.open:
            return "complete"
        statuses = {check.shown_status for check in self.checks}
        state = next((state for state in ("missing", "unwritten") if statuses == {state}), "open")
        is_there = state == "missing" and any(check.lacks_class for check in self.checks)
        return "unfound" if is_there else state


@dataclass(frozen=True, slots=True)
class RemarkView:
    """What was put right of what was handed in, or a person has to decide."""

    message: str
    said: Mapping[str, object]
    """The message that it comes from, as it stands in results.json."""


@dataclass(frozen=True, slots=True)
class Late:
    """What was taken off, since the work was late."""

    days: int
    """0 where all that is known is that the platform marks it as late."""
    taken: float
    deadline: str


@dataclass(frozen=True, slots=True)
class Adjusted:
    """What people decided about the mark."""

    score_before: float
    exempt: bool
    words: tuple[str, ...]
    """Reasons and comments, in their own words."""


@dataclass(frozen=True, slots=True)
class First:
    """The check to begin with, and how many others hang on it."""

    exercise: ExerciseView
    check: CheckView
    hanging: int


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that is shown of one submission."""

    submission: str
    title: str
    language: str
    score: float
    max_score: float
    sandbox: str
    isolation: str
    notes: tuple[str, ...]
    intake: tuple[RemarkView, ...]
    refused: RemarkView | None
    """What was handed in instead, where there was nothing to grade."""
    late: Late | None
    adjusted: Adjusted | None
    exercises: tuple[ExerciseView, ...]

    @property
    def withdrawn(self) -> tuple[tuple[ExerciseView, CheckView], ...]:
        """The checks that were withdrawn, each with its exercise."""
        return tuple(
            (exercise, check) for exercise in self.exercises for check in exercise.checks if check.withdrawn
        )

    @property
    def open_count(self) -> int:
        """How many checks have something left to do."""
        return sum(len(exercise.open) for exercise in self.exercises)

    @property
    def is_cut(self) -> bool:
        """Whether the mark is less than what could be had."""
        return self.score < self.max_score

    @property
    def complete_count(self) -> int:
        """How many exercises are complete."""
        return sum(exercise.state == "complete" for exercise in self.exercises)


def _says(message: Message, key: str) -> bool:
    """Tell whether a message of that key is it, or part of it."""
    parts = (part for _, part in message.values if isinstance(part, Message))
    return message.key == key or any(_says(part, key) for part in parts)


def _is_like(first: CheckView, other: CheckView) -> bool:
    """Tell whether nothing is said of another check that is not said of the first, and no maze is shown."""
    if first.example is not None and first.example.maze is not None:
        return False
    if other.hidden and other.example is None:
        return True
    if first.status != other.status:
        return False
    return first.unwritten is other.unwritten is True or first.message == other.message
