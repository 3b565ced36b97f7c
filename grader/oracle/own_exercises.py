"""Exercises that a course adds to the lab's: what is known of them, and their own code at work.

The reference and the judge of such an exercise are the instructor's, trusted as the lab's are. What they are
given is plain: a maze, and moves or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from string import Formatter
from types import ModuleType
from typing import Any, Final

from grader.errors import InputError
from grader.languages import Message, Text, Value, add_texts
from grader.oracle.findings import cell_text, move_name
from lab import MOVES, Maze, Vector
from lab.exercises import Exercise, add_to_the_lab
from reference.solvers.search import Search

Moves = list[Vector] | None
"""What is returned: moves, or None where there are none to be made."""
Judge = Callable[[Maze, Moves, Moves], "tuple[str, Mapping[str, object]] | None"]
"""Asked about a maze, what was returned, and what the reference returns: the key of a sentence and the values
that it names, or None where it is right."""

REFERENCE: Final = "reference.py"
JUDGE: Final = "judge.py"
_ANSWERS_KEPT: Final = 8192


@dataclass(frozen=True)
class OwnExercise:
    """An exercise of the course's own, as it lies in its folder."""

    id: str
    file: str
    name: str
    checks: Mapping[str, tuple[str, ...]]
    """The families of mazes by the name of the check that asks about them."""
    skeleton: str
    public_tests: str
    reference: str
    judge: str
    texts: Mapping[str, Mapping[str, str]]
    """By language, and by key."""
    handouts: Mapping[str, str]
    """The section of the handout by language."""
    mazes: tuple[tuple[str, str, bool], ...]
    """The name of each maze of its own, its drawing, and whether it is hidden."""
    folder: Path = field(repr=False, compare=False)
    """Where it lies."""

    @property
    def title(self) -> str:
        """As results.json has it."""
        return self.texts["en"]["title"]

    @property
    def record(self) -> Exercise:
        """What the lab knows of it."""
        return Exercise(self.id, self.title, self.file, self.name, "own", self.skeleton.encode())


class OwnCode:
    """The reference and the judge of an exercise, ready to be asked. Raises InputError where they fail."""

    def __init__(self, exercise: OwnExercise) -> None:
        self.exercise = exercise
        self._solver = self._defined(REFERENCE, exercise.reference, exercise.name)
        self._judge: Judge = self._defined(JUDGE, exercise.judge, "judge")
        self.right: Callable[[str], Moves] = lru_cache(_ANSWERS_KEPT)(self._right)
        """What the reference returns for a maze."""

    def complaint(self, text: str, moves: Moves) -> tuple[Message, Text] | None:
        """What the judge says of moves through a maze, and a question that leads on where there is one."""
        found = self._asked(JUDGE, text, lambda maze: self._judge(maze, moves, self.right(text)))
        if found is None:
            return None
        key, values = found
        return self._sentence(key, values), self._hint(key)

    def _right(self, text: str) -> Moves:
        found = self._asked(REFERENCE, text, lambda maze: self._solver().solve(maze, Search()))
        return None if found is None else list(found)

    def _sentence(self, key: str, values: Mapping[str, object]) -> Message:
        said = self.exercise.texts["en"].get(f"said.{key}")
        named = None if said is None else {name for _, name, _, _ in Formatter().parse(said) if name}
        if named != set(values):
            self._refuse(JUDGE, f"no sentence said.{key} of the texts names just {sorted(values)}")
        told = tuple((name, _told(value)) for name, value in values.items())
        return Message(f"own.{self.exercise.id}.said.{key}", told)

    def _hint(self, key: str) -> Text:
        return (
            Message(f"own.{self.exercise.id}.hint.{key}")
            if f"hint.{key}" in self.exercise.texts["en"]
            else ""
        )

    def _defined(self, file: str, source: str, name: str) -> Any:
        module = ModuleType(file.removesuffix(".py"))
        try:
            exec(compile(source, f"{self.exercise.id}/{file}", "exec", dont_inherit=True), vars(module))  # noqa: S102 - the instructor's own
        except Exception as error:  # noqa: BLE001 - whatever it raises, it is the instructor's to mend
            self._refuse(file, f"{type(error).__name__}: {error}")
        if name not in vars(module):
            self._refuse(file, f"expected a definition of {name}")
        return vars(module)[name]

    def _asked(self, file: str, text: str, ask: Callable[[Maze], Any]) -> Any:
        try:
            return ask(Maze.from_text(text))
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            self._refuse(file, f"{type(error).__name__}: {error}, on the maze\n{text}")

    def _refuse(self, file: str, message: str) -> None:
        raise InputError(message, path=f"{self.exercise.id}/{file}") from None


KNOWN: Final[dict[str, OwnCode]] = {}
"""Those of the course at hand, by id."""


def know(own: Sequence[OwnExercise]) -> None:
    """Let the grader know the exercises that a course adds, and no others. Raises InputError."""
    if [each.exercise for each in KNOWN.values()] == list(own):
        return
    codes = {each.id: OwnCode(each) for each in own}
    KNOWN.clear()
    KNOWN.update(codes)
    add_texts({each.id: each.texts for each in own})
    add_to_the_lab(each.record for each in own)


def _told(value: object) -> Value:
    """A value of a sentence: a move by its name, a cell as people write it, a number or a text as it is."""
    if isinstance(value, tuple) and len(value) == 2:
        vector = Vector(*value)
        return move_name(vector) if vector in MOVES else cell_text(vector)
    return value if isinstance(value, int) else str(value)
