"""A result as the pages show it: exercises, checks, and what helps with each.

The second and third hint of a check: its idea, its place in the handout, and worked examples.

The first hint, a nudge, is part of results.json. These depend only on the check's id, so that pages of old
results have them as well; their words are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import quote

from grader.exercises.declaration import Idea, examples, ideas
from grader.feedback import untrusted
from grader.feedback.example import Example, LookView, SourceView, StoryView, read_example, source_of
from grader.languages import Message
from grader.model import Fault
from lab import Maze

_NO_FILE = "said.missing_file"
"""Message key for a file that was not handed in."""
_UNDONE = "said.undone"
"""Message key for a check that cannot pass until most answers are right."""
_WITH_SEARCH = "said.with_search"
"""Message key for a solver that was judged with the student's wrong Search."""


@dataclass(frozen=True, slots=True)
class MarkView:
    """How a person marked a check."""

    met: tuple[str, ...]
    """The criteria that are met."""
    more: float
    """Points beside them, also fewer."""
    reason: str


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
    """The id of what the results share; "" if they share nothing."""
    example: Example | None
    fault: Fault | None = None
    """The exception that stopped it; present even without an example."""
    unwritten: bool = False
    """Whether it only ran into the template's own exception."""
    follow_through: bool = False
    """Whether it passes only with a working Search, since the submission's own is wrong."""
    counted: bool = False
    """Whether its message gives the share of right cases."""
    withdrawn: bool = False
    """Whether it was withdrawn for the whole class, and so gets full points."""
    reason: str = ""
    """Why a person withdrew it, in their words."""
    score_before: float | None = None
    """The points before a person changed them; None if nobody did."""
    criteria: tuple[tuple[str, float], ...] = ()
    """What a person marks it by, with the points."""
    marks: tuple[MarkView, ...] = ()
    """How persons marked it."""
    said: Mapping[str, object] = field(default_factory=dict)
    """The messages of its texts by place, as in results.json."""

    @property
    def is_likely(self) -> bool:
        """Whether the hint comes from what the results share."""
        return bool(self.misconception)

    @property
    def shown_status(self) -> str:
        """The displayed status: code that is still to be written did not crash."""
        if self.marks and self.status == "failed":
            return "marked"
        return "unwritten" if self.unwritten else self.status

    @property
    def is_unseen(self) -> bool:
        """Whether the message says that something was not looked at."""
        told = untrusted.message(self.said.get("message"))
        return told is not None and told.key == "said.unseen"

    @property
    def lacks_class(self) -> bool:
        """Whether the file was handed in without the required class."""
        told = untrusted.message(self.said.get("message"))
        return (
            self.status == "missing"
            and not self.hidden
            and told is not None
            and not _contains_key(told, _NO_FILE)
        )

    @property
    def blames_search(self) -> bool:
        """Whether it failed with a Search that fails checks of its own."""
        told = untrusted.message(self.said.get("message"))
        return told is not None and _contains_key(told, _WITH_SEARCH)

    @property
    def is_undone(self) -> bool:
        """Whether too many answers are wrong for it to count."""
        told = untrusted.message(self.said.get("message"))
        return told is not None and _contains_key(told, _UNDONE)

    @property
    def cause(self) -> object:
        """Why it failed, equal for checks that failed alike: what they share, or the line that raised."""
        if self.is_likely:
            return self.misconception
        return self.fault and (self.fault.kind, self.fault.trace[-1:])

    @property
    def passed(self) -> bool:
        """Whether nothing is left to do."""
        return self.status == "passed" or self.withdrawn

    @property
    def may_be_asked(self) -> bool:
        """Whether it lost points, so that a student may ask for another look at it."""
        return self.score < self.max_score and self.status != "unmarked" and not self.withdrawn

    @property
    def gives_a_part(self) -> bool:
        """Return whether it failed, but gives points for what is right, or since a person says so."""
        is_part = not self.counted and not self.marks and 0 < self.score < self.max_score
        return not self.passed and (is_part or self.score_before is not None)

    @property
    def has_details(self) -> bool:
        """Whether there is more to show than title and status."""
        return bool(self.message or self.hint or self.example)


@dataclass(frozen=True, slots=True)
class GalleryMaze:
    """A maze made by the student's generator."""

    rows: int
    columns: int
    seed: int | None
    maze: Maze


@dataclass(frozen=True, slots=True)
class OwnMazeView:
    """One of the student's own test mazes."""

    file: str
    maze: Maze | None
    """None if it does not count."""
    caught: tuple[str, ...]
    """The typical mistakes that it catches, by name."""
    alone: tuple[str, ...]
    """Those that no public maze catches."""
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
class LineCommentView:
    """What a person wrote about a line of the code."""

    file: str
    line: int
    source: str
    """The text of the line."""
    text: str


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
    story: StoryView | None = None
    own_mazes: OwnMazesView | None = None
    remarks: tuple[RemarkView, ...] = ()
    """What was left lying around in its code, and was passed over."""
    line_comments: tuple[LineCommentView, ...] = ()
    """What people wrote about lines of its file."""
    handed_in: str = ""
    """A text that was handed in, as HTML without anything that the student wrote as such."""

    def look_for(self, check: CheckView) -> LookView | None:
        """Return the place to look at if this is the first shown check that it concerns; else None."""
        if self.look_at is None:
            return None
        return self.look_at if self._first_of(self.look_at.checks) is check else None

    def story_for(self, check: CheckView) -> StoryView | None:
        """Return the story if it is about this check, or one that failed for the same reason; else None."""
        if self.story is None:
            return None
        return self.story if self._first_of((self.story.check,)) is check else None

    def source_for(self, check: CheckView) -> SourceView | None:
        """Return the lines that the story of a check, and the place to look at, speak of; None without."""
        return source_of(self.look_for(check), self.story_for(check))

    def _first_of(self, checks: Sequence[str]) -> CheckView | None:
        """Return the first shown check that stands for one of these."""
        about = (group[0] for group in self.groups if {each.id for each in group} & {*checks})
        return next(about, None)

    @property
    def passed(self) -> tuple[CheckView, ...]:
        """The checks that pass."""
        return tuple(check for check in self.checks if check.passed)

    @property
    def open(self) -> tuple[CheckView, ...]:
        """The checks that do not pass, or not yet."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def to_do(self) -> tuple[CheckView, ...]:
        """The checks with something left to do for the student."""
        return tuple(check for check in self.open if check.status != "unmarked")

    @property
    def one_cause(self) -> bool:
        """Whether all checks failed for one reason: a file that cannot be loaded, or a missing class."""
        others = self.checks[1:]
        return (
            bool(others)
            and not self.passed
            and all(_says_the_same(self.checks[0], other) for other in others)
        )

    @property
    def groups(self) -> tuple[tuple[CheckView, ...], ...]:
        """The open checks, grouped by cause, first the one that is explained most deeply."""
        if self.one_cause:
            return (self.open,)
        groups: dict[object, list[CheckView]] = {}
        for check in sorted(self.open, key=lambda check: check.is_undone):
            first = next(iter(groups), None) if check.is_undone else None
            groups.setdefault(first or check.cause or id(check), []).append(check)
        told = sorted(
            (sorted(group, key=self._tells_less) for group in groups.values()),
            key=lambda group: (self._tells_less(group[0]), self.open.index(group[0])),
        )
        return tuple(map(tuple, told))

    def _tells_less(self, check: CheckView) -> tuple[bool, ...]:
        """Return what is not known: whether it is lost, what lines did, where the mistake is, where two runs
        part."""
        parts = check.example is not None and check.example.parting is not None
        return (
            check.status == "unmarked",
            self.story is None or self.story.check != check.id,
            self.look_at is None or check.id not in self.look_at.checks,
            not (parts or check.is_likely),
        )

    @property
    def cards(self) -> tuple[CheckView, ...]:
        """The checks shown in detail: one for each cause."""
        return tuple(group[0] for group in self.groups)

    def alike(self, check: CheckView) -> tuple[CheckView, ...]:
        """Return the checks that a card covers: the check itself, and those with the same cause."""
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
        """One of complete, unmarked (what is left waits for a person), missing (not handed in), unfound (no
        class), unwritten (as given), open."""
        if not self.to_do:
            return "unmarked" if self.open else "complete"
        statuses = {check.shown_status for check in self.checks}
        state = next((state for state in ("missing", "unwritten") if statuses == {state}), "open")
        is_there = state == "missing" and any(check.lacks_class for check in self.checks)
        return "unfound" if is_there else state


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A repair by intake, a question for a person, or what was passed over."""

    message: str
    said: Mapping[str, object]
    """The message of its text, as in results.json."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """The late penalty."""

    days: int
    """Days late; 0 if only the platform's late mark is known."""
    taken: float
    deadline: str
    is_unknown: bool = False
    """Whether it is not known when it came."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """How people changed the mark."""

    score_before: float
    exempt: bool
    words: tuple[str, ...]
    """Their reasons and comments, as they wrote them."""


@dataclass(frozen=True, slots=True)
class FirstCheck:
    """The check to begin with, and how many others depend on it."""

    exercise: ExerciseView
    check: CheckView
    dependent_count: int

    @property
    def leads_on(self) -> bool:
        """Whether checks of other exercises depend on it, too."""
        return self.dependent_count >= len(self.exercise.open)


@dataclass(frozen=True, slots=True)
class AskedView:
    """A request for another look at a check, and what came of it."""

    check: str
    state: str
    words: str
    reply: str
    answer: str
    who: str
    points: float


@dataclass(frozen=True, slots=True)
class AskingView:
    """Requests for another look, and how to make one."""

    requests: tuple[AskedView, ...] = ()
    attempt: str = ""
    """What a request calls this attempt; empty where it cannot be made by mail or in a file."""
    days: int = 0
    mail: str = ""

    def may_ask(self, check: CheckView) -> bool:
        """Return whether this page says how to ask about a check."""
        asked = {each.check for each in self.requests if each.state != "outdated"}
        return bool(self.attempt) and check.may_be_asked and check.id not in asked

    def text(self, check: CheckView) -> str:
        """Return how a request about a check begins."""
        return f"check: {check.id}\nattempt: {self.attempt}\n\n"

    def link(self, check: CheckView) -> str:
        """Return the link that begins a mail."""
        subject, body = (quote(text, safe="") for text in (f"request {check.id}", self.text(check)))
        return f"mailto:{self.mail}?subject={subject}&body={body.replace('%0A', '%0D%0A')}"


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
    notes: tuple[RemarkView, ...]
    intake: tuple[RemarkView, ...]
    refused: RemarkView | None
    """What was handed in instead, if there was nothing to grade."""
    late: Lateness | None
    adjusted: Adjustment | None
    comments: tuple[str, ...]
    """Comments by people that do not decide about the mark."""
    asking: AskingView
    exercises: tuple[ExerciseView, ...]
    other_line_comments: tuple[LineCommentView, ...] = ()
    """Comments at lines of files that are no exercise's."""
    earlier_comments: tuple[tuple[int, int], ...] = ()
    """The numbers of other attempts with comments at their lines, and how many these are."""

    @property
    def words(self) -> tuple[str, ...]:
        """What people wrote about it, decisions first."""
        return (*(self.adjusted.words if self.adjusted else ()), *self.comments)

    @property
    def line_comments(self) -> tuple[LineCommentView, ...]:
        """All comments at lines."""
        of_exercises = (each for exercise in self.exercises for each in exercise.line_comments)
        return (*of_exercises, *self.other_line_comments)

    @property
    def has_words(self) -> bool:
        """Whether people decided or wrote something about it."""
        return bool(self.adjusted or self.words or self.line_comments)

    @property
    def has_mark(self) -> bool:
        """Whether there is a mark: none if the work is exempt, or was refused and nobody has decided yet."""
        return not (self.adjusted.exempt if self.adjusted else self.refused)

    @property
    def withdrawn(self) -> tuple[tuple[ExerciseView, CheckView], ...]:
        """The checks that were withdrawn, each with its exercise."""
        return tuple(
            (exercise, check) for exercise in self.exercises for check in exercise.checks if check.withdrawn
        )

    @property
    def open_points(self) -> float:
        """The points of checks that nobody has marked yet."""
        checks = (check for exercise in self.exercises for check in exercise.checks)
        return sum(each.max_score for each in checks if each.status == "unmarked" and not each.withdrawn)

    @property
    def open_count(self) -> int:
        """The number of checks with something left to do."""
        return sum(len(exercise.to_do) for exercise in self.exercises)

    @property
    def is_cut(self) -> bool:
        """Whether the mark is below the maximum."""
        return self.score < self.max_score

    @property
    def complete(self) -> tuple[ExerciseView, ...]:
        """The exercises that are complete."""
        return tuple(exercise for exercise in self.exercises if exercise.state == "complete")

    def in_order(self, first: FirstCheck | None) -> list[ExerciseView]:
        """Return the exercises with something left to do, beginning with the one to begin with."""
        left = [exercise for exercise in self.exercises if exercise.state != "complete"]
        return sorted(left, key=lambda exercise: first is None or exercise is not first.exercise)


def _contains_key(message: Message, key: str) -> bool:
    """Return whether a message, or one inside of it, has this key."""
    parts = (part for _, part in message.values if isinstance(part, Message))
    return message.key == key or any(_contains_key(part, key) for part in parts)


def _says_the_same(first: CheckView, other: CheckView) -> bool:
    """Return whether the other check adds nothing to the first, and no maze is shown."""
    if first.example is not None and first.example.maze is not None:
        return False
    if other.hidden and other.example is None:
        return True
    if first.status != other.status or first.criteria or other.criteria:
        return False
    return first.unwritten is other.unwritten is True or first.message == other.message


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A small case with its right answer."""

    name: str
    example: Example


def find_idea(check: CheckView, exercise: ExerciseView) -> Idea | None:
    """Return the idea of a failed check; None if there was nothing to check, or nothing could be loaded."""
    if check.status in ("missing", "skipped", "not-asked", "unmarked", "violation") or (
        exercise.one_cause and not check.unwritten
    ):
        return None
    return ideas().get(check.id)


def worked_examples(idea: Idea) -> list[WorkedExample]:
    """Return the worked examples of an idea."""
    return [WorkedExample(name, _examples()[name]) for name in idea.examples]


@cache
def _examples() -> Mapping[str, Example]:
    return {name: read_example(case) for name, case in examples().items()}
