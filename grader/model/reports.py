"""What was made of a submission, and what there is to say of what was handed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from grader.languages import Message, Text, said
from grader.model.data import Json, Telling
from grader.points import round_points

RemarkKind = Literal[
    "note",
    "attempts",
    "beside",
    "author",
    "moved",
    "taken",
    "helper",
    "opened",
    "encoding",
    "mended",
    "unsure",
    "refused",
    "cost",
    "bonus",
    "accepted",
    "unseen",
]


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that was left out or is worth a note, that was repaired so that what was meant is graded,
    that a person has to decide, or that is not what was asked for and counts all the same."""

    kind: RemarkKind
    source: str
    """What the student called it."""
    file: str
    """What it is graded as; empty where it is not one file."""
    message: Message

    @property
    def is_put_right(self) -> bool:
        """Whether something was repaired."""
        return self.kind not in UNREPAIRED


UNREPAIRED: Final = (
    "note",
    "attempts",
    "beside",
    "unsure",
    "refused",
    "cost",
    "bonus",
    "accepted",
    "unseen",
    "author",
)
"""Remarks of these kinds inform, or ask, and repair nothing."""


def note(message: Message, source: str = "") -> Remark:
    """Return a remark that only informs: what was left out, and why, or which attempt is graded."""
    return Remark("note", source, "", message)


def unseen(what: Message) -> Message:
    """Say that something that may decide a mark was not looked at, or not whole, and that a person does.

    As the message of a check with the status ``unmarked``, or of a remark of the kind ``unseen``, it becomes
    an item of the review.
    """
    return said("unseen", what=what)


def unseen_remark(what: Message, source: str = "") -> Remark:
    """Return the item about something that no check of the submission is about alone."""
    return Remark("unseen", source, "", unseen(what))


Status = Literal[
    "passed",
    "failed",
    "crashed",
    "endless",
    "timeout",
    "out-of-memory",
    "output-limit",
    "violation",
    "missing",
    "skipped",
    "not-asked",
    "unmarked",
]
Visibility = Literal["public", "hidden"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of one check."""

    status: Status
    message: Text = ""
    hint: Text = ""
    misconception: str | None = None
    """The id of what its answers share, if anything."""
    counterexample: Mapping[str, Telling] | None = None
    """A small, plain case on which the submission is wrong, as results.json shows it: "maze",
    "expected", "actual" and more for the pictures."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """What a person who marks a check looks for, and what it is worth."""

    text: str
    points: float


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What a person marks: the file of an exercise, as it was read once, when it was graded."""

    file: str
    digest: str
    """Of the file: a mark holds as long as it is the same."""
    text: str = ""
    """The text of an exercise that asks for one."""
    html: str = ""
    """The same as it is shown; empty where the text as it stands is."""
    values: Mapping[str, str] = field(default_factory=dict)
    """The values of an exercise that asks for literals, by their names."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check with its verdict and points."""

    id: str
    title: str
    max_score: float
    visibility: Visibility
    verdict: Verdict
    follow_through: bool = False
    """It passes only with the grader's Search, the submission's own being wrong."""
    part: float = 0.0
    """The part of its points that it gives where nearly all of its cases are right, and not all."""
    for_staff: Verdict | None = None
    """The whole verdict, where students see less of it."""
    wrong_mazes: tuple[str, ...] = ()
    """For staff: the names of the test mazes on which it fails."""
    by_clock: bool = False
    """Whether a clock decided, and ended a call."""
    criteria: tuple[Criterion, ...] = ()
    """What a person marks it by; empty where the grader does."""
    differ: float | None = None
    """Where two persons mark it: up to which difference of their points the mean counts."""
    shows: tuple[str, ...] = ()
    """The names of the values that it is about, of an exercise that asks for literals."""

    @property
    def score(self) -> float:
        """All the points, a part of them, or none."""
        return self.max_score if self.verdict.status == "passed" else round_points(self.part * self.max_score)


@dataclass(frozen=True, slots=True)
class Margin:
    """The call of an exercise that came closest to the end of its time."""

    case: Text
    seconds: float
    """Of CPU time."""
    limit: float
    """The seconds that it had."""


@dataclass(frozen=True, slots=True)
class StoryStep:
    """A sentence about what a line of the submission did, and what its variables held."""

    file: str
    line: int | None
    text: Message
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StateStep:
    """A step of a script, and what was held after it: by the submission's object, and by a right one."""

    number: int
    call: str
    came: Mapping[str, str]
    due: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Story:
    """What the student's lines did in the call that a check shows, from where it parts from a right one."""

    check: str
    steps: tuple[StoryStep, ...]
    first_line: int
    code: tuple[str, ...]
    """The student's lines around the steps, from that number on."""
    walk: tuple[tuple[int, ...], ...] = ()
    """Which lines ran at each step of the walk that the check shows, that of the visit first."""
    beside: str = ""
    """A maze that differs in one thing from the one that the check shows, and was answered rightly."""
    states: tuple[StateStep, ...] = ()
    """What was held after the last steps up to the first one after which that was wrong."""


@dataclass(frozen=True, slots=True)
class LookAt:
    """The place in the student's own code where a small edit would put checks right."""

    file: str
    line: int
    after: bool
    """Whether something is missing after the line."""
    message: Message
    """Where to look, and a question."""
    kind: str
    """The question."""
    checks: tuple[str, ...]
    """The checks that it is about."""
    first_line: int
    code: tuple[str, ...]
    """The student's lines around the place, from that number on."""
    edit: tuple[str, ...]
    """For staff: the lines that the edit takes away and puts in, with their signs."""


@dataclass(frozen=True, slots=True)
class OwnMaze:
    """A test maze of the student's own, and the typical mistakes that it catches."""

    file: str
    maze: str = ""
    """Its text; empty where it does not count."""
    caught: tuple[str, ...] = ()
    """The names of the mistakes."""
    alone: tuple[str, ...] = ()
    """Those of them that no test maze which students know catches."""
    message: Text = ""
    """Why it does not count."""


@dataclass(frozen=True, slots=True)
class OwnMazes:
    """The test mazes that were handed in with an exercise."""

    mazes: tuple[OwnMaze, ...]
    mistake_count: int
    """How many typical mistakes there are."""

    @property
    def caught_count(self) -> int:
        """How many of them the mazes catch together."""
        return len({name for maze in self.mazes for name in maze.caught})


@dataclass(frozen=True, slots=True)
class LeftIn:
    """What was left lying around in a file, and was passed over."""

    file: str
    line: int
    text: Message


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """The checks of one exercise."""

    id: str
    title: str
    checks: tuple[CheckResult, ...]
    output: str = ""
    """What the student's code printed, capped."""
    gallery: tuple[Mapping[str, Json], ...] = ()
    """For the generator: some of the mazes that it makes, with their dimension and seed."""
    drawn_from: str = ""
    """The name in its file from which its cases were drawn; case and spaces do not tell names apart."""
    zeroed: bool = False
    """A check that decides over the whole exercise failed: what passed is not counted."""
    wrong_share: float | None = None
    """For staff: which share of the cases such as students try is wrong, from 0 to 1; checks count as their
    points do, small, middle and larger cases alike. None where no check that looks at cases one by one was
    lost."""
    margin: Margin | None = None
    """For staff: how close it came to a limit, hidden mazes among them."""
    look_at: LookAt | None = None
    story: Story | None = None
    """Where the mistake stands, where that is sure."""
    own_mazes: OwnMazes | None = None
    """The test mazes handed in with it, if there are any."""
    remarks: tuple[LeftIn, ...] = ()
    """What was passed over in its code."""
    handed_in: HandedIn | None = None
    """What a person marks, where one does."""

    @property
    def lost_by_clock(self) -> bool:
        """Whether a clock, not a step count, decided about points."""
        return not self.zeroed and any(each.by_clock and each.score < each.max_score for each in self.checks)

    @property
    def score(self) -> float:
        """The points that the checks gave."""
        return round_points(sum(check.score for check in self.checks))

    @property
    def max_score(self) -> float:
        """The points that there are."""
        return round_points(sum(check.max_score for check in self.checks))


@dataclass(frozen=True, slots=True)
class Again:
    """What of a submission is graded once more, since a clock decided about it, and with what."""

    exercises: tuple[str, ...]
    """Their ids."""
    cpu_seconds: float
    """What is left to the submission, and ``wall_seconds`` on the wall."""
    wall_seconds: float
    search_is_wrong: bool
    """Whether the submission's Search, which is not graded again, lost points of what is shown."""
    search_ends_loading: bool
    """Whether loading that Search ends the process."""


@dataclass(frozen=True, slots=True)
class GradedSubmission:
    """Everything that is known about one graded submission."""

    submission: str
    sandbox: str
    title: str
    isolation: str
    """What the sandbox protects, in a sentence."""
    exercises: tuple[ExerciseResult, ...]
    language: str = "en"
    timing: Mapping[str, float] = field(default_factory=dict)
    """Seconds by part; the only thing that may differ from run to run."""
    remarks: tuple[Remark, ...] = ()
    again: Again | None = None
    """What is to be graded once more; None where nothing is, or this is the second time."""

    @property
    def score(self) -> float:
        """The points of all exercises."""
        return round_points(sum(exercise.score for exercise in self.exercises))

    @property
    def max_score(self) -> float:
        """The points that there are in all."""
        return round_points(sum(exercise.max_score for exercise in self.exercises))
