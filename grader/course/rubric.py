"""The rubric: what is graded, for how many points, within which limits, on which mazes."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn, cast

from msgspec import Meta

from grader.course.attempts import Allowance, read_allowance
from grader.course.declared_checks import KEYS, OwnCheck, check_against_mazes, is_declared, read_own_check
from grader.course.exercise_folder import check_ids, load_own_exercises
from grader.course.late_work import LatePolicy, read_moment
from grader.course.maze_bonus import MazeBonus, read_maze_bonus
from grader.course.maze_files import VISIBILITIES, Agrees, MazeFile, load_maze_folder
from grader.course.yaml.records import fields_of, read_fields
from grader.course.yaml.source import read_yaml
from grader.course.yaml.value import Value, hint, quoted
from grader.errors import RubricError
from grader.exercises.kit.folders.code import OwnExercise
from grader.languages import languages
from grader.model import Leftovers, Limits, Visibility
from grader.points import round_points
from grader.shipped import folder

TOTAL: Final = 100
"""The sum of a rubric's points."""
PARTIAL: Final = 0.5
"""The default part of its points that a check gives if nearly all of its cases are right."""
HiddenFeedback = Literal["outcome", "kind", "full", "after_deadline"]
FollowThrough = Literal["full", "none"]
SHIPPED: Final = folder("grader") / "rubric.yaml"

_ASCENDING: Final = ("call_cpu_seconds", "call_wall_seconds", "submission_wall_seconds")
"""Time limits in seconds; none may exceed the next."""


@dataclass(frozen=True, slots=True)
class RubricKeys:
    """The keys of a rubric's file, as they stand there."""

    title: Annotated[str, Meta(max_length=120, description="of the course, above its feedback")]
    exercises: Annotated[Any, Meta(description="what is graded, exercise by exercise")]
    language: Annotated[Any, Meta(description="of the feedback pages")] = "en"
    seed: Annotated[
        int, Meta(ge=0, le=2**31 - 1, description="draws the random mazes, the same for every student")
    ] = 1
    examples: Annotated[int, Meta(ge=1, le=10_000, description="random mazes for each property")] = 60
    hidden_feedback: Annotated[HiddenFeedback, Meta(description="what students see of a hidden check")] = (
        "outcome"
    )
    follow_through: Annotated[
        FollowThrough, Meta(description="whether solvers on a wrong Search are judged with one that works")
    ] = "full"
    partial: Annotated[
        Any, Meta(description="points of a check of which at least 9 of 10 cases are right: a part, or none")
    ] = "50 %"
    leftovers: Annotated[
        Leftovers, Meta(description="whether what was left in the code is told, or fails as in any program")
    ] = "told"
    repair_cost: Annotated[
        float, Meta(ge=0, le=100, description="points off where what was handed in had to be put right")
    ] = 0.0
    mazes: Annotated[Any, Meta(description="the folder of test mazes, seen from the rubric")] = "mazes"
    own_exercises: Annotated[Any, Meta(description="a list of folders of exercises of one's own")] = None
    limits: Annotated[Limits, Meta(description="what one submission may use")] = field(default_factory=Limits)
    late: Annotated[LatePolicy, Meta(description="what late work costs; without it, nothing")] | None = None
    attempts: Annotated[Any, Meta(description="how often students may hand in to the service")] = None
    my_mazes: Annotated[Any, Meta(description="points on top for test mazes that students hand in")] = None


@dataclass(frozen=True, slots=True)
class RubricCheck:
    """The points of a check, and whether students see more than its title and outcome."""

    id: str
    points: float
    visibility: Visibility
    own: OwnCheck | None = field(default=None, repr=False)
    """Its declaration, if the rubric declares it."""
    place: tuple[int, int] | None = field(default=None, repr=False, compare=False)
    """The line and the column of its id."""


@dataclass(frozen=True, slots=True)
class RubricExercise:
    """The checks of one exercise, in the rubric's order."""

    id: str
    title: str
    """"" for the default title."""
    checks: tuple[RubricCheck, ...]


@dataclass(frozen=True, slots=True)
class Rubric:
    """Everything that an instructor decides."""

    title: str
    language: str
    seed: int
    examples: int
    hidden_feedback: HiddenFeedback
    follow_through: FollowThrough
    """Whether solvers that fail because of a wrong Search are judged again with a working one."""
    partial: float
    """The fraction of its points that a check gives if nearly all of its cases are right."""
    limits: Limits
    mazes: tuple[MazeFile, ...]
    exercises: tuple[RubricExercise, ...]
    source: str
    """The text of the rubric's file."""
    digest: str
    """SHA-256 over everything that affects marks, mazes included, except the late penalties."""
    path: Path
    repair_cost: float = 0.0
    """Points subtracted once if intake had to repair the submission."""
    late: LatePolicy | None = None
    """The late penalties; None if there are none."""
    own_exercises: tuple[OwnExercise, ...] = ()
    """Its exercises beside the lab's."""
    explain: bool = True
    """Whether to look for the student's wrong lines; part of the digest, but not of the file."""

    attempts: Allowance = field(default=Allowance(), repr=False)
    """How often students may hand in to the service; it does not affect marks."""
    leftovers: Leftovers = "told"
    """Whether what was left lying around in right work is passed over."""
    my_mazes: MazeBonus | None = None
    """The bonus for the student's own test mazes; None if there is none."""


def load_rubric(
    path: Path | None = None,
    *,
    checks: Mapping[str, Collection[str]],
    agrees: Agrees | None = None,
    explain: bool = True,
    with_mazes: bool = True,
) -> Rubric:
    """Load a rubric (by default the shipped one) with its mazes.

    ``checks`` holds the ids of the checks by exercise; ``agrees`` validates each visit order of a maze file;
    ``explain`` is an option of the command; without ``with_mazes``, test mazes are not read. Raises
    RubricError or MazeFileError with the line and column of the mistake.
    """
    document = read_yaml(path or SHIPPED, error=RubricError)
    fields = fields_of(document, RubricKeys)
    own = load_own_exercises(fields["exercises"], fields.get("own_exercises"))
    exercises = _exercises(fields["exercises"], {**checks, **check_ids(own)})
    mazes = _mazes(document, fields.get("mazes"), agrees, [each.id for each in own]) if with_mazes else ()
    if with_mazes:
        check_against_mazes(fields["exercises"], mazes)
    given = read_fields(fields, RubricKeys, {datetime: _moment, Limits: _limits})
    if given["hidden_feedback"] == "after_deadline" and "late" not in fields:
        fields["hidden_feedback"].refuse("after_deadline needs a deadline: add the key 'late'")
    rubric = Rubric(
        **given,
        language=fields["language"].choice(languages()) if "language" in fields else "en",
        partial=_partial(fields["partial"]) if "partial" in fields else PARTIAL,
        mazes=mazes,
        exercises=exercises,
        source=document.source.text,
        digest="",
        path=document.source.path,
        own_exercises=own,
        explain=explain,
        attempts=read_allowance(fields["attempts"]) if "attempts" in fields else Allowance(),
        my_mazes=read_maze_bonus(fields["my_mazes"], fields["exercises"]) if "my_mazes" in fields else None,
    )
    return replace(rubric, digest=_digest(rubric))


# --- exercises ----------------------------------------------------------------------------------


def _exercises(value: Value, checks: Mapping[str, Collection[str]]) -> tuple[RubricExercise, ...]:
    fields = value.fields(required=(), optional=tuple(checks))
    exercises = tuple(_exercise(id_, body, checks) for id_, body in fields.items())
    _check_total(value, exercises)
    return exercises


def _exercise(id_: str, value: Value, checks: Mapping[str, Collection[str]]) -> RubricExercise:
    fields = value.fields(required=("checks",), optional=("title",))
    title = fields["title"].text(most=80) if "title" in fields else ""
    known = {check: owner for owner, declared in checks.items() for check in declared}
    found = []
    for key, worth in fields["checks"].entries():
        check = key.node.value
        if known.get(check) not in (id_, None):
            key.refuse(f"the check {quoted(check)} belongs to the exercise '{known[check]}': move it there")
        if check not in known and is_declared(worth):
            found.append(_own_check(key, worth, id_))
            continue
        if check not in known:
            key.refuse(f"unknown check {quoted(check)}; {hint(check, checks[id_])}")
        found.append(replace(_check(check, worth), place=(key.line, key.column)))
    if not found:
        fields["checks"].expected("at least one check; to leave the exercise out, take all of it out")
    return RubricExercise(id_, title, tuple(found))


def _check(id_: str, worth: Value) -> RubricCheck:
    if not worth.is_mapping():
        return RubricCheck(id_, _points(worth), "public")
    fields = worth.fields(required=("points",), optional=("visibility",))
    visibility = fields["visibility"].choice(VISIBILITIES) if "visibility" in fields else "public"
    return RubricCheck(id_, _points(fields["points"]), cast(Visibility, visibility))


def _own_check(key: Value, body: Value, exercise: str) -> RubricCheck:
    fields = body.fields(required=("title", "points", "mazes"), optional=("visibility", *KEYS))
    visibility = fields["visibility"].choice(VISIBILITIES) if "visibility" in fields else "public"
    own = read_own_check(key, fields, exercise)
    return RubricCheck(key.node.value, _points(fields["points"]), cast(Visibility, visibility), own)


def _points(value: Value) -> float:
    """Read points, with at most two decimals, since scores are rounded to these."""
    points = value.number(least=0.01, most=TOTAL)
    if points != round_points(points):
        value.expected("points with two decimals at the most")
    return points


def _check_total(value: Value, exercises: tuple[RubricExercise, ...]) -> None:
    sums = {
        exercise.id: round_points(sum(check.points for check in exercise.checks)) for exercise in exercises
    }
    total = round_points(sum(sums.values()))
    if total != TOTAL:
        parts = ", ".join(f"{id_} {points:g}" for id_, points in sums.items())
        value.refuse(f"expected points that add up to {TOTAL}, got {total:.15g} ({parts or 'no exercise'})")


def _partial(value: Value) -> float:
    """Read a part of the points, such as 50 %, or "none"."""
    text = str(value.node.value).strip()
    number = text.removesuffix("%").strip()
    if text == "none":
        return 0.0
    if not number.isascii() or not number.isdigit() or not 0 < int(number) < TOTAL:
        value.expected("none, or a part such as 50 %, from 1 % to 99 %")
    return int(number) / TOTAL


# --- limits and mazes ---------------------------------------------------------------------------


def _limits(value: Value) -> Limits:
    fields = fields_of(value, Limits)
    limits = Limits(**read_fields(fields, Limits))
    for less, more in pairwise(_ASCENDING):
        if getattr(limits, less) > getattr(limits, more):
            _refuse_limits(fields, less, more, limits)
    return limits


def _refuse_limits(fields: Mapping[str, Value], less: str, more: str, limits: Limits) -> NoReturn:
    """Refuse a limit that exceeds the one that has to contain it."""
    told = [
        f"{name} ({getattr(limits, name):g}{'' if name in fields else ', its default'})"
        for name in (less, more)
    ]
    place = fields.get(less) or fields[more]
    place.refuse(f"expected {told[0]} to be no more than {told[1]}: lower the one or raise the other")


def _moment(value: Value) -> datetime:
    wanted = "a time with its zone, such as 2026-10-01T23:59:00+02:00, or 2026-10-01T23:59 Europe/Oslo"
    try:
        moment = read_moment(str(value.node.value))
    except ValueError as error:
        value.expected(wanted, f"{value.shown}: {error}")
    if moment.tzinfo is None:
        value.expected(wanted)
    return moment


def _mazes(
    document: Value, value: Value | None, agrees: Agrees | None, own: Sequence[str]
) -> tuple[MazeFile, ...]:
    folder = document.source.path.parent / (value.text(most=1000) if value else "mazes")
    if not _is_folder(folder):
        advice = "make it, or name another with the key 'mazes'"
        (value or document).refuse(f"expected a folder with test mazes at {folder}, found none: {advice}")
    if document.source.path.resolve().is_relative_to(folder.resolve()):
        (value or document).refuse(f"expected a folder for mazes alone, got {folder}, where the rubric lies")
    return load_maze_folder(folder, agrees=agrees, own=own)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # the name is too long for any file
        return False


def _digest(rubric: Rubric) -> str:
    graded = replace(rubric, source="", path=Path(), mazes=(), late=None)
    digest = hashlib.sha256(repr(graded).encode())
    for check in (check for exercise in rubric.exercises for check in exercise.checks if check.own):
        digest.update(repr((check.id, check.own)).encode())
    for maze in rubric.mazes:
        digest.update(b"\0" + maze.path.name.encode() + b"\0" + maze.path.read_bytes())
    return digest.hexdigest()
