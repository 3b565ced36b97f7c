"""The model of results.json and staff.json: what is written, read back, checked and published as a schema.

A key that older files may lack, or that not every result has, is NotRequired. Whoever reads a file finds the
keys of this page in it, with values of these types; keys that are not here stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from grader.model.reports import Status, Visibility

_MOST = 2**53
"""Numbers of this size are not the same in every language."""
Points = Annotated[float, Meta(ge=0, lt=_MOST)]
Number = Annotated[float, Meta(gt=-_MOST, lt=_MOST)]


class MisconceptionJson(TypedDict):
    """What all that came in an exercise shares, such as ``dfs.east-first``."""

    id: str


class CriterionJson(TypedDict):
    """What a person who marks a check looks for, and what it is worth."""

    text: str
    points: Points


class MarkJson(TypedDict):
    """How a person marked a check."""

    who: str
    when: str
    criteria: list[str]
    """The texts of those that are met."""
    more: Number
    """Points beside the criteria, also fewer, and why."""
    reason: str
    points: Points


class HandedInJson(TypedDict):
    """What a person marks."""

    file: str
    digest: str
    """SHA-256 of the file; empty where there is none."""
    text: NotRequired[str]
    html: NotRequired[str]
    """The text as it is shown, in which nothing is left that the student wrote as HTML."""
    values: NotRequired[Mapping[str, str]]
    """Values of literals, by their names."""


class CheckJson(TypedDict):
    """One check."""

    id: str
    title: str
    status: Status
    score: Points
    max_score: Points
    visibility: Visibility
    message: str
    hint: str
    misconception: NotRequired[MisconceptionJson | None]
    counterexample: Mapping[str, Any] | None
    follow_through: NotRequired[bool]
    criteria: NotRequired[list[CriterionJson]]
    """What a person marks it by."""
    shows: NotRequired[list[str]]
    """Of literals, the names of the values that it is about; all of them without."""
    differ: NotRequired[Points]
    """Two persons mark it, and up to this difference of their points the mean counts."""
    apart: NotRequired[list[Points]]
    """The points of two markers that differ by more, so that a third person decides."""
    marks: NotRequired[list[MarkJson]]
    """How persons marked it, once that counts."""
    gone: NotRequired[list[str]]
    """Criteria that a person gave, and that are not there any more."""
    said: NotRequired[Mapping[str, Any]]
    """The messages that stand behind these texts; see ``grader/results.py``."""


class CodeJson(TypedDict):
    """Lines of a student's file."""

    first: int
    """The number of the first of them."""
    lines: list[str]


class StoryStepJson(TypedDict):
    """What a line of the submission did in a call that is shown, and what its variables held."""

    file: str
    line: NotRequired[int]
    text: str
    values: Mapping[str, str]
    said: NotRequired[Mapping[str, Any]]


class StateStepJson(TypedDict):
    """What was held after a step of a script, as far as it was wrong in the end, beside what is right."""

    step: int
    call: str
    came: Mapping[str, str]
    due: Mapping[str, str]


class RecordedJson(TypedDict):
    """The call that a story is about."""

    check: str
    code: CodeJson
    walk: list[list[int]]
    """Which lines ran at each step of the walk that the check shows, the line of the visit first; empty where
    that is not known."""
    states: NotRequired[list[StateStepJson]]
    """Of a script, the last steps up to the first one after which what is held is wrong."""


class LookAtJson(TypedDict):
    """The place in the student's own code where the mistake stands."""

    file: str
    line: int
    after: NotRequired[bool]
    """Whether something is missing after the line."""
    kind: str
    message: str
    checks: list[str]
    """The checks that it is about."""
    code: CodeJson
    edit: NotRequired[list[str]]
    """For staff: the lines that a small edit takes away and puts in, which puts these checks right."""
    said: NotRequired[Mapping[str, Any]]


class OwnMazeJson(TypedDict):
    """A test maze of the student's own."""

    file: str
    maze: str
    """Its text; empty where it does not count."""
    caught: list[str]
    """The names of the typical mistakes that it catches."""
    alone: list[str]
    """Those of them that no test maze which students know catches."""
    message: str
    """Why it does not count."""
    said: NotRequired[Mapping[str, Any]]


class OwnMazesJson(TypedDict):
    """The test mazes that were handed in with an exercise."""

    mistake_count: int
    """How many typical mistakes there are."""
    caught_count: int
    """How many of them the mazes catch together."""
    mazes: list[OwnMazeJson]


class LeftInJson(TypedDict):
    """What was left lying around in a file, and was passed over."""

    file: str
    line: int
    text: str
    said: NotRequired[Mapping[str, Any]]


class ExerciseJson(TypedDict):
    """One exercise."""

    id: str
    title: str
    score: Points
    max_score: Points
    zeroed: NotRequired[bool]
    checks: list[CheckJson]
    output: NotRequired[str]
    drawn_from: NotRequired[str]
    """The name in its file from which its cases were drawn, in lower case."""
    gallery: NotRequired[list[Mapping[str, Any]]]
    look_at: NotRequired[LookAtJson]
    story: NotRequired[list[StoryStepJson]]
    """Where the call of a lost check parts from a right one, step by step."""
    recorded: NotRequired[RecordedJson]
    own_mazes: NotRequired[OwnMazesJson]
    """Only where some were handed in."""
    remarks: NotRequired[list[LeftInJson]]
    """Only where something was passed over."""
    handed_in: NotRequired[HandedInJson]
    """Only where a person marks it."""


class LateJson(TypedDict, total=False):
    """When it came and what that cost; or only that a platform marks it as late, or that it is not known."""

    marked: bool
    unknown: bool
    submitted: str
    deadline: str
    days: int
    percent: Number
    """Of the score, taken off."""
    score_before: Number
    taken: Number
    """Points."""


class RemarkJson(TypedDict):
    """What intake put right, or cannot decide."""

    kind: str
    source: str
    file: str
    message: str
    said: NotRequired[Mapping[str, Any]]


class RepairCostJson(TypedDict):
    """What the rubric takes off where intake had to put something right."""

    points: Number
    score_before: Number


class BonusJson(TypedDict):
    """What the rubric gives for test mazes of the student's own."""

    points: Number
    score_before: Number


class BeforeJson(TypedDict):
    """What the grader gave, of all that people changed."""

    score: Points
    work: Number
    """The same before anything was taken off for being late."""
    exercises: dict[str, float]
    checks: dict[str, float]
    unmarked: NotRequired[list[str]]
    """Checks whose points only a person could give, and has."""


class ConflictJson(TypedDict):
    """The grader's own mark, or the work, is not the one that a person decided about."""

    decided_on: Number
    now: Number
    other_work: NotRequired[bool]


class AdjustedJson(TypedDict):
    """What people decided about a mark."""

    before: BeforeJson
    exempt: bool
    """There is no mark, whatever the score."""
    decisions: list[dict[str, str]]
    """Of each: when, who, what, reason and comment."""
    conflict: NotRequired[ConflictJson]


class CommentJson(TypedDict):
    """What a person wrote to the student, without a decision about the mark: about all, or at a line."""

    when: str
    who: str
    text: str
    file: NotRequired[str]
    line: NotRequired[int]
    source: NotRequired[str]
    """The text of the line."""
    number: NotRequired[int]
    """The number by which staff change the comment at a line, or take it back."""


class EarlierCommentsJson(TypedDict):
    """How many comments at lines there are on other work of the student, which are shown there alone."""

    attempt: int
    """The number of the attempt; 0 where it is not known."""
    count: int


class AskedJson(TypedDict):
    """A student's request for another look at a check."""

    check: str
    when: str
    words: str
    state: Literal["open", "kept", "changed", "regraded", "taken-back", "outdated"]
    """Outdated: about work that no longer counts."""
    reply: NotRequired[str]
    """What the student added."""
    answer: NotRequired[str]
    who: NotRequired[str]
    """Who answered it."""
    points: NotRequired[Number]
    """By how much the answer changed the mark."""


class RequestsJson(TypedDict):
    """Requests for another look, and how to make one where no service has a form for it."""

    asked: list[AskedJson]
    attempt: NotRequired[str]
    """What a request calls this attempt."""
    days: NotRequired[int]
    mail: NotRequired[str]


class BeforeWithdrawnJson(TypedDict):
    """What the grader gave, of all that a withdrawn check changed."""

    score: Points
    exercises: dict[str, float]
    checks: dict[str, float]


class MarkedJson(TypedDict):
    """What persons gave for the checks that they mark, which comes to the grader's points."""

    score: Points
    """The score without it."""
    points: Points
    checks: Mapping[str, Mapping[str, Any]]
    """By check, what was said of it before."""


class WithdrawnJson(TypedDict):
    """Checks that were withdrawn for the whole class."""

    before: BeforeWithdrawnJson
    checks: dict[str, dict[str, str]]
    """Of each, by its id: when, who and reason."""


class CandidateJson(TypedDict):
    """One of several attempts or files, of which a person has to say which counts."""

    name: str
    modified: str | None
    """When it was changed last, in ISO 8601."""
    files: dict[str, str]
    """The SHA-256 of each file of the lab that would be graded from it."""


class ChoiceJson(TypedDict):
    """The question which of several candidates counts."""

    question: str
    candidates: list[CandidateJson]


class ResultsJson(TypedDict):
    """One graded submission."""

    schema: int
    submission: str
    title: NotRequired[str]
    language: NotRequired[str]
    score: Points
    max_score: Points
    sandbox: str
    isolation: NotRequired[str]
    notes: list[str]
    said: NotRequired[Mapping[str, Any]]
    """The messages that stand behind the notes."""
    exercises: list[ExerciseJson]
    timing: Mapping[str, float]
    intake: NotRequired[list[RemarkJson]]
    """Only where something was put right, or has to be decided by a person."""
    repair_cost: NotRequired[RepairCostJson]
    bonus: NotRequired[BonusJson]
    marked: NotRequired[MarkedJson]
    withdrawn: NotRequired[WithdrawnJson]
    late: NotRequired[LateJson]
    adjusted: NotRequired[AdjustedJson]
    comments: NotRequired[list[CommentJson]]
    earlier_comments: NotRequired[list[EarlierCommentsJson]]
    requests: NotRequired[RequestsJson]
    """Only where the rubric lets students ask for another look, or one has."""
    fault: NotRequired[str]
    """Why it could not be graded."""
    choice: NotRequired[ChoiceJson]
    """What a person has to choose from before it can be graded."""


class StaffJson(ResultsJson):
    """What only staff may see of it."""

    margins: Mapping[str, Any]
    """By exercise, the call that came closest to the end of its time."""
    wrong_shares: Mapping[str, float]
    """By exercise, on which share of the cases such as students try it is wrong."""
    wrong_mazes: Mapping[str, list[str]]
    """By check, the names of the test mazes on which it fails."""
