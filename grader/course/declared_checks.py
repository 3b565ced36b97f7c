"""Checks that the rubric declares: test mazes by name, with statements about a solver on each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grader.course.maze_files import MazeFile
from grader.course.statements import STATEMENTS, read_check_statements, refuse_untrue
from grader.course.yaml.value import Value, hint, quoted
from grader.exercises.kit.cases.fixed_mazes import Stated
from grader.exercises.kit.facts import facts_of
from lab.exercises import SOLVER_IDS

KEYS: Final = ("title", "mazes", *STATEMENTS)
"""Keys that declare a check; an existing check has only points and a visibility."""
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST: Final = 40
"""The most characters of a check's name."""


@dataclass(frozen=True, slots=True)
class OwnCheck:
    """A check as the rubric declares it."""

    title: str
    mazes: tuple[str, ...]
    """The names of its mazes."""
    stated: Stated
    """Its statements about all of these mazes, in addition to those of each maze file."""


def is_declared(body: Value) -> bool:
    """Return whether this declares a check, rather than giving points to an existing one."""
    return body.is_mapping() and any(key.node.value in KEYS for key, _ in body.entries())


def read_own_check(key: Value, fields: Mapping[str, Value], exercise: str) -> OwnCheck:
    """Read a declared check; it is compared with its mazes once they are loaded."""
    owner, _, name = key.node.value.partition(".")
    if exercise not in SOLVER_IDS:
        key.refuse(f"a check can be declared for {', '.join(SOLVER_IDS)} only: no other exercise has visits")
    if owner != exercise or not _NAME.fullmatch(name) or len(name) > _LONGEST:
        found = f"got {quoted(key.node.value)}"
        key.refuse(
            f"expected an id such as '{exercise}.my-check', in small letters, digits and hyphens, {found}"
        )
    mazes = fields["mazes"].distinct(
        lambda item: item.text(most=80), "at least one name of a maze", shown=quoted
    )
    return OwnCheck(fields["title"].text(most=80), mazes, read_check_statements(fields))


def check_against_mazes(exercises: Value, mazes: Sequence[MazeFile]) -> None:
    """Refuse a declared check with a maze that does not exist, is not for its exercise, or contradicts it."""
    for exercise, value in exercises.entries():
        checks = {key.node.value: body for key, body in value.entries()}["checks"]
        for _, body in checks.entries():
            if is_declared(body):
                _check_mazes(
                    exercise.node.value, {key.node.value: part for key, part in body.entries()}, mazes
                )


def _check_mazes(exercise: str, fields: Mapping[str, Value], mazes: Sequence[MazeFile]) -> None:
    known = {maze.name: maze for maze in mazes}
    is_hidden = "visibility" in fields and fields["visibility"].node.value == "hidden"
    for item in fields["mazes"].items():
        name = item.text(most=80)
        if name not in known:
            item.refuse(f"no maze has the name {quoted(name)}; {hint(name, list(known))}")
        _check_maze(exercise, item, fields, known[name], is_hidden=is_hidden)


def _check_maze(
    exercise: str, item: Value, fields: Mapping[str, Value], maze: MazeFile, *, is_hidden: bool
) -> None:
    name = quoted(maze.name)
    if exercise not in maze.exercises:
        item.refuse(f"the maze {name} is not for {exercise}: see the key 'exercises' in {maze.path}")
    if maze.visibility == "hidden" and not is_hidden:
        item.refuse(f"the maze {name} is hidden: add 'visibility: hidden' to the check, or take a public one")
    given = [key for key in STATEMENTS if key in fields]
    if not given and exercise not in maze.stated:
        item.refuse(f"nothing is stated of {exercise} on {name}: add one of {', '.join(STATEMENTS)}")
    for key in given:
        refuse_untrue(key, fields[key], exercise, facts_of(maze.text), f"on the maze {name}, ")
