"""The folder of a course: a rubric, with everything that it needs beside it.

Submissions that are another file but for a few lines: ``edits.yaml`` in a folder of submissions.

::

    ../base/solvers/dfs.py:          # the file, as seen from the folder
      dfs-west-first:                # the submission
      - [MOVES, reversed(MOVES)]     # a text that stands there once, and what stands in its place
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from grader.course.exercise_folder import check_ids, load_own_exercise, shipped_folders
from grader.course.plan import Tell, in_silence, load_plan
from grader.course.rubric import SHIPPED, TOTAL, RubricCheck, RubricExercise, load_rubric
from grader.course.yaml_source import read_yaml
from grader.course.yaml_values import Value, hint
from grader.disk import write_whole
from grader.errors import GraderError, InputError
from grader.exercises.kit.folders.code import OwnExercise
from grader.exercises.registry import titles
from grader.model import Visibility
from lab.exercises import LAB_EXERCISES

RUBRIC: Final = "rubric.yaml"
_IN_TENTHS: Final = 10
_EXERCISE_POINTS: Final = 15
"""The weight of an exercise that the shipped rubric lacks: that of most others."""
_MAIN_POINTS: Final = 3
"""The weight of a check of the exercise's main subject, against 1 for a side check."""
_SIDE_CASES: Final = frozenset({"shapes", "large", "hidden"})
"""A check with only these families of cases is a side check."""
_KEYS: Final = {
    key: re.compile(rf"^{key}:[ \t]*[^#\n]*?(?P<rest>[ \t]*(#.*)?)$", re.MULTILINE)
    for key in ("title", "language", "seed")
}
_DEADLINE: Final = re.compile(r"(?<=deadline: )\S+")
_AHEAD: Final = timedelta(weeks=4)
"""The deadline that a new rubric proposes is four weeks ahead."""
_EXERCISES: Final = re.compile(r"^exercises:\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NewCourse:
    """The options of a new course."""

    exercises: tuple[str, ...]
    seed: int
    title: str = ""
    """"" for the title of the shipped rubric."""
    language: str = ""
    """The language of its feedback; "" for that of the shipped rubric."""


def available_exercises() -> tuple[str, ...]:
    """Return the ids of all exercises that ship, the lab's own first."""
    return (*(each.id for each in LAB_EXERCISES), *shipped_folders())


def create_course(wanted: NewCourse, out: Path, tell: Tell = in_silence) -> tuple[RubricExercise, ...]:
    """Write a course with the shipped test mazes, and return its exercises with their points.

    Raises InputError for an exercise that does not ship.
    """
    shipped = load_rubric(SHIPPED, checks=titles())
    exercises = _rescaled([_weighed(id_, shipped.exercises) for id_ in _checked(wanted.exercises)])
    values = {"seed": str(wanted.seed), "title": _quoted(wanted.title), "language": wanted.language}
    ahead = (datetime.now().astimezone() + _AHEAD).replace(hour=23, minute=59, second=0, microsecond=0)
    head = _DEADLINE.sub(ahead.isoformat(), _with_values(_head(shipped.source), values))
    rubric = head + "".join(_lines(exercises))
    mazes = ((f"mazes/{maze.path.name}", maze.path.read_bytes()) for maze in shipped.mazes)
    write_course_folder([(RUBRIC, rubric.encode()), *mazes], out, tell)
    return exercises


def write_course_folder(files: Iterable[tuple[str, bytes]], out: Path, tell: Tell = in_silence) -> None:
    """Write a course's files, by their relative paths, into a folder that appears completely or not at all.

    Raises GraderError if they are not a valid course, locating the mistake as if they had been written.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".maze-grader-", dir=out.parent) as beside:
        course = Path(beside) / "course"
        for name, content in files:
            (course / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(course / name, content)
        try:
            load_plan(course / RUBRIC, tell=tell)
        except InputError as error:
            raise GraderError(str(error).replace(str(course), str(out))) from None
        course.replace(out)


# --- points ---------------------------------------------------------------------------------------


def _checked(ids: Sequence[str]) -> Sequence[str]:
    known = available_exercises()
    for number, id_ in enumerate(ids):
        if id_ not in known:
            raise InputError(f"--exercises: no exercise ships as {id_!r}; {hint(id_, known)}")
        if id_ in ids[:number]:
            raise InputError(f"--exercises: {id_!r} is there twice: take one of them out")
    return ids


def _weighed(id_: str, shipped: Iterable[RubricExercise]) -> RubricExercise:
    """Return an exercise with points that are still to be rescaled."""
    found = next((each for each in shipped if each.id == id_), None)
    return found or _weighed_folder(load_own_exercise(shipped_folders()[id_]))


def _weighed_folder(own: OwnExercise) -> RubricExercise:
    """Weigh an exercise that the shipped rubric lacks by what its checks ask."""
    checks = []
    for id_ in check_ids([own])[own.id]:
        asked = own.checks.get(id_.partition(".")[2])
        if asked is not None and asked.criteria:
            continue  # who wants it gives it the points of its criteria
        families = set(asked.cases) if asked is not None else set()
        is_main = asked is not None and not families <= _SIDE_CASES
        visibility: Visibility = "hidden" if families == {"hidden"} else "public"
        checks.append(RubricCheck(id_, _MAIN_POINTS if is_main else 1, visibility))
    scale = _EXERCISE_POINTS / sum(check.points for check in checks)
    scaled = (RubricCheck(each.id, each.points * scale, each.visibility) for each in checks)
    return RubricExercise(own.id, "", tuple(scaled))


def _rescaled(exercises: Sequence[RubricExercise]) -> tuple[RubricExercise, ...]:
    """Scale all points in proportion: whole ones for each exercise, which add up to a rubric's total."""
    weights = {each.id: sum(check.points for check in each.checks) for each in exercises}
    totals = largest_remainders(weights, TOTAL)
    return tuple(replace(each, checks=_divided(each.checks, totals[each.id])) for each in exercises)


def _divided(checks: Sequence[RubricCheck], total: int) -> tuple[RubricCheck, ...]:
    """Divide an exercise's points among its checks: whole ones if each gets one, else tenths."""
    weights = {check.id: check.points for check in checks}
    points: Mapping[str, float] = largest_remainders(weights, total)
    if 0 in points.values():
        tenths = largest_remainders(weights, total * _IN_TENTHS)
        points = {id_: number / _IN_TENTHS for id_, number in tenths.items()}
    return tuple(replace(check, points=points[check.id]) for check in checks)


def largest_remainders(weights: Mapping[str, float], total: int) -> dict[str, int]:
    """Divide a total into whole numbers in proportion to weights (Hamilton's method)."""
    quotas = {key: weight * total / sum(weights.values()) for key, weight in weights.items()}
    shares = {key: int(quota) for key, quota in quotas.items()}
    by_remainder = sorted(quotas, key=lambda key: shares[key] - quotas[key])
    for key in by_remainder[: total - sum(shares.values())]:
        shares[key] += 1
    return shares


# --- the rubric's text ----------------------------------------------------------------------------


def _head(source: str) -> str:
    """Return the text of the shipped rubric, comments included, up to its exercises."""
    return source[: next(_EXERCISES.finditer(source)).end()]


def _with_values(text: str, values: Mapping[str, str]) -> str:
    """Replace the values of some keys in a text; a key with "" keeps its own."""
    for key, value in values.items():
        if value:
            text = _KEYS[key].sub(partial(_line, key, value), text)
    return text


def _line(key: str, value: str, found: re.Match[str]) -> str:
    return f"{key}: {value}{found['rest']}"


def _quoted(text: str) -> str:
    """Return a text as YAML in single quotes; "" stays as it is."""
    return "'" + text.replace("'", "''") + "'" if text else ""


def _lines(exercises: Iterable[RubricExercise]) -> Iterator[str]:
    for exercise in exercises:
        points = round(sum(check.points for check in exercise.checks), 1)
        yield f"\n  {exercise.id + ':':<26}# {points:g}\n"
        yield f"    title: {exercise.title}\n" if exercise.title else ""
        yield "    checks:\n"
        for check in exercise.checks:
            worth = f"{check.points:g}"
            hidden = f"{{points: {worth}, visibility: hidden}}"
            yield f"      {check.id}: {worth if check.visibility == 'public' else hidden}\n"


EDITS: Final = "edits.yaml"


def edited_files(folder: Path) -> dict[str, bytes]:
    """Return the files that the edits of a folder make, by submission. Raises InputError."""
    found: dict[str, bytes] = {}
    entries = read_yaml(folder / EDITS, error=InputError).entries() if (folder / EDITS).is_file() else []
    for path, submissions in entries:
        try:
            text = (folder / path.node.value).read_bytes().decode()
        except (OSError, ValueError) as error:
            path.refuse(f"expected a text in UTF-8: {error}")
        for name, edits in submissions.entries():
            if name.node.value in found or (folder / f"{name.node.value}.py").exists():
                name.refuse("the submission is there already")
            found[name.node.value] = _edited(text, edits).encode()
    return found


def _edited(text: str, edits: Value) -> str:
    for edit in edits.items():
        pair = [each.node.value for each in edit.items()]
        if len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            edit.expected("an old text and a new one: [old, new]")
        if (count := text.count(pair[0])) != 1:
            edit.expected("an old text that stands in the file once", f"one that stands there {count} times")
        text = text.replace(*pair)
    return text
