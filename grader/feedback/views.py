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
"""The message for a file that was not handed in has this key."""
_UNDONE = "said.undone"
"""The message of a check that cannot pass before most answers are right has this key."""
_WITH_SEARCH = "said.with_search"
"""The message for a solver that was judged with the student's wrong Search has this key."""


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
    """The id of the misconception that explains the results; "" if none does."""
    example: Example | None
    fault: Fault | None = None
    """The exception that stopped it, even if no example is shown."""
    unwritten: bool = False
    """Whether it only met the exception that the template raises."""
    follow_through: bool = False
    """Whether it passes only with a working Search, since the submission's own is wrong."""
    counted: bool = False
    """Whether its message says how much of it is right."""
    withdrawn: bool = False
    """Whether it was withdrawn for the whole class, and gets full points."""
    reason: str = ""
    """The reason why it was withdrawn, in a person's words."""
    said: Mapping[str, object] = field(default_factory=dict)
    """The messages of its texts by their place, as they are in results.json."""

    @property
    def is_likely(self) -> bool:
        """Whether the hint comes from a misconception."""
        return bool(self.misconception)

    @property
    def shown_status(self) -> str:
        """The status that people see: code that is still to be written did not crash."""
        return "unwritten" if self.unwritten else self.status

    @property
    def lacks_class(self) -> bool:
        """Whether the file was handed in, but does not define what was asked for."""
        told = untrusted.message(self.said.get("message"))
        return (
            self.status == "missing"
            and not self.hidden
            and told is not None
            and not _contains_key(told, _NO_FILE)
        )

    @property
    def blames_search(self) -> bool:
        """Whether it was lost with a Search that fails checks of its own."""
        told = untrusted.message(self.said.get("message"))
        return told is not None and _contains_key(told, _WITH_SEARCH)

    @property
    def is_undone(self) -> bool:
        """Whether too many answers are wrong for it to count."""
        told = untrusted.message(self.said.get("message"))
        return told is not None and _contains_key(told, _UNDONE)

    @property
    def cause(self) -> object:
        """What it was lost for, where that is known, and the same for others: the misconception, or the line
        that raised."""
        if self.is_likely:
            return self.misconception
        return self.fault and (self.fault.kind, self.fault.trace[-1:])

    @property
    def passed(self) -> bool:
        """Whether nothing is left to do."""
        return self.status == "passed" or self.withdrawn

    @property
    def gives_a_part(self) -> bool:
        """Tell whether it gives a part of its points for the cases that are right, although it is lost."""
        return not self.passed and not self.counted and 0 < self.score < self.max_score

    @property
    def has_details(self) -> bool:
        """Whether there is more to show than title and status."""
        return bool(self.message or self.hint or self.example)


@dataclass(frozen=True, slots=True)
class GalleryMaze:
    """A maze that the student's generator made."""

    rows: int
    columns: int
    seed: int | None
    maze: Maze


@dataclass(frozen=True, slots=True)
class OwnMazeView:
    """A test maze of the student's own."""

    file: str
    maze: Maze | None
    """None where it does not count."""
    caught: tuple[str, ...]
    """The names of the typical mistakes that it catches."""
    alone: tuple[str, ...]
    """Those of them that no public maze catches."""
    message: str
    """Why it does not count."""
    said: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class OwnMazesView:
    """The test mazes that were handed in with an exercise."""

    mazes: tuple[OwnMazeView, ...]
    mistake_count: int
    caught_count: int
    """How many typical mistakes they catch together."""


@dataclass(frozen=True, slots=True)
class LookView:
    """The place of the mistake in the student's own code."""

    file: str
    line: int
    after: bool
    """Whether something is missing after the line."""
    message: str
    checks: tuple[str, ...]
    """The ids of the checks that it concerns."""
    first: int
    """The number of the first line of ``code``."""
    code: tuple[str, ...]
    """The lines around the place."""
    edit: tuple[str, ...] = ()
    """The repair, for staff only."""
    walk_check: str = ""
    """The id of the check whose steps are known line by line."""
    walk: tuple[tuple[int, ...], ...] = ()
    """The numbers of the lines that ran at each of that check's steps, that of the visit first."""
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
    own_mazes: OwnMazesView | None = None

    def look_for(self, check: CheckView) -> LookView | None:
        """Return the place to look at if this is the first shown check that it concerns; else None."""
        if self.look_at is None:
            return None
        concerned = set(self.look_at.checks)
        about = (group[0] for group in self.groups if concerned & {each.id for each in group})
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
        """Whether all checks were lost for one reason: a file that cannot be loaded, or a class that is
        missing."""
        others = self.checks[1:]
        return (
            bool(others)
            and not self.passed
            and all(_says_the_same(self.checks[0], other) for other in others)
        )

    @property
    def groups(self) -> tuple[tuple[CheckView, ...], ...]:
        """The open checks, those together that were lost for one reason."""
        if self.one_cause:
            return (self.open,)
        groups: dict[object, list[CheckView]] = {}
        for check in sorted(self.open, key=lambda check: check.is_undone):
            first = next(iter(groups), None) if check.is_undone else None
            groups.setdefault(first or check.cause or id(check), []).append(check)
        return tuple(sorted(map(tuple, groups.values()), key=lambda group: self.open.index(group[0])))

    @property
    def cards(self) -> tuple[CheckView, ...]:
        """The checks that are shown in detail: just one of those that were lost for one reason."""
        return tuple(group[0] for group in self.groups)

    def alike(self, check: CheckView) -> tuple[CheckView, ...]:
        """Return the checks for which a card stands: the check itself, and those lost for the same reason."""
        return next((group for group in self.groups if group[0] is check), (check,))

    @property
    def follows_through(self) -> bool:
        """Whether checks pass only with a working Search, since the submission's own is wrong."""
        return any(check.follow_through for check in self.checks)

    @property
    def blames_search(self) -> bool:
        """Whether it was judged with the student's own Search, which is wrong."""
        return any(check.blames_search for check in self.checks)

    @property
    def state(self) -> str:
        """complete, missing (not handed in), unfound (the file lacks the class), unwritten (as in the
        template) or open."""
        if not self.open:
            return "complete"
        statuses = {check.shown_status for check in self.checks}
        state = next((state for state in ("missing", "unwritten") if statuses == {state}), "open")
        is_there = state == "missing" and any(check.lacks_class for check in self.checks)
        return "unfound" if is_there else state


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A repair that intake made, or a question that a person has to decide."""

    message: str
    said: Mapping[str, object]
    """The message of its text, as it is in results.json."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """What was taken off for lateness."""

    days: int
    """The days of delay; 0 if only the platform's mark is known."""
    taken: float
    deadline: str


@dataclass(frozen=True, slots=True)
class Adjustment:
    """How people changed the mark."""

    score_before: float
    exempt: bool
    words: tuple[str, ...]
    """Their reasons and comments, in their own words."""


@dataclass(frozen=True, slots=True)
class FirstCheck:
    """The check to begin with, and the number of checks that depend on it."""

    exercise: ExerciseView
    check: CheckView
    dependent_count: int


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
    """What was handed in instead, if there was nothing to grade."""
    late: Lateness | None
    adjusted: Adjustment | None
    comments: tuple[str, ...]
    """What people wrote without deciding about the mark."""
    exercises: tuple[ExerciseView, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """What people wrote about it, decisions first."""
        return (*(self.adjusted.words if self.adjusted else ()), *self.comments)

    @property
    def has_mark(self) -> bool:
        """Whether there is a mark: none where work is exempt, or was refused and nobody has decided yet."""
        return not (self.adjusted.exempt if self.adjusted else self.refused)

    @property
    def withdrawn(self) -> tuple[tuple[ExerciseView, CheckView], ...]:
        """The checks that were withdrawn, each with its exercise."""
        return tuple(
            (exercise, check) for exercise in self.exercises for check in exercise.checks if check.withdrawn
        )

    @property
    def open_count(self) -> int:
        """The number of checks with something left to do."""
        return sum(len(exercise.open) for exercise in self.exercises)

    @property
    def is_cut(self) -> bool:
        """Whether the mark is below the maximum."""
        return self.score < self.max_score

    @property
    def complete_count(self) -> int:
        """The number of exercises that are complete."""
        return sum(exercise.state == "complete" for exercise in self.exercises)


def _contains_key(message: Message, key: str) -> bool:
    """Tell whether a message has this key, or contains one that has."""
    parts = (part for _, part in message.values if isinstance(part, Message))
    return message.key == key or any(_contains_key(part, key) for part in parts)


def _says_the_same(first: CheckView, other: CheckView) -> bool:
    """Tell whether the other check says nothing that the first does not say, and no maze is shown."""
    if first.example is not None and first.example.maze is not None:
        return False
    if other.hidden and other.example is None:
        return True
    if first.status != other.status:
        return False
    return first.unwritten is other.unwritten is True or first.message == other.message
