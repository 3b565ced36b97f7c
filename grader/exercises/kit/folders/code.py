"""Exercises in folders: what is known of them, and their own code at work.

The reference and the judge of such an exercise are the instructor's, trusted as the lab's are, but not to be
free of mistakes: each call of them has an end, and whatever else than an answer they give is reported with
the file.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from string import Formatter
from types import ModuleType
from typing import Any, Final, Literal, NoReturn, TypeVar

from grader.errors import InputError
from grader.exercises.kit.answers import CHARACTERS, Place, describe_data
from grader.exercises.kit.findings import cell_text, move_name
from grader.languages import Message, Text, Value, add_texts, said
from grader.model import Given
from grader.model.data import Data, DataReader, data_of, told
from lab import MOVES, Factory, Maze, MazeFormatError, Vector, worker
from lab.exercises import Exercise, Kind, add_to_the_lab
from reference.solvers.search import Search

T = TypeVar("T")
Returns = Literal["true-or-false", "number", "text", "moves", "cells", "maze", "list", "mapping", "anything"]
"""What an exercise says that its code returns."""
Judged = tuple[str, Mapping[str, object]] | None
"""What a judge says: None of a right answer, else the key of a sentence and the values that it names."""

AT: Final = "at"
"""The value of a judge that is no part of the sentence: where in the answer, for its picture."""
REFERENCE: Final = "reference.py"
JUDGE: Final = "judge.py"
CASES: Final = "cases.py"
MOST_SECONDS: Final = 20.0
"""A call of an exercise's own code may take 20 seconds of the processor."""
_ANSWERS_KEPT: Final = 2048
_MOST_BYTES: Final = 2 * 1024 * 1024
"""An answer of more bytes would be too large to be sent by a submission."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A function, or a method, that is to be written."""

    arguments: tuple[str, ...]
    returns: Returns


@dataclass(frozen=True, slots=True)
class Asked:
    """What a check asks: which method, on the mazes of which families, or on what which functions draw."""

    method: str
    """Empty for a function."""
    cases: tuple[str, ...]


@dataclass(frozen=True)
class OwnExercise:
    """An exercise as it lies in its folder."""

    id: str
    file: str
    name: str
    """The class or the function that is handed in."""
    calls: Mapping[str, Signature]
    """By the name of the method; a function has the name ""."""
    checks: Mapping[str, Asked]
    skeleton: str
    public_tests: str
    """Empty where they are to be made of the checks."""
    reference: str
    judge: str
    """Empty where what equals the reference's answer is right."""
    cases: str
    texts: Mapping[str, Mapping[str, str]]
    """By language, and by key."""
    handouts: Mapping[str, str]
    """The section of the handout by language; there may be none."""
    mazes: tuple[tuple[str, str, bool], ...]
    """The name of each maze of its own, its drawing, and whether it is hidden."""
    known: Mapping[str, Mapping[str, Mapping[str, bytes]]]
    """Submissions of which it is known that they are "right" or "wrong": by name, each with its files."""
    folder: Path = field(repr=False, compare=False)
    """Where it lies."""
    literals: tuple[str, ...] = ()
    """The names under which the file holds literals, where it is read and never run."""

    @property
    def title(self) -> str:
        """The title, as results.json has it."""
        return self.text("title") or self.id

    def text(self, key: str, language: str = "en") -> str:
        """Return a text in a language, in English where that lacks it; empty where there is none."""
        return self.texts.get(language, {}).get(key) or self.texts.get("en", {}).get(key, "")

    @property
    def is_solver(self) -> bool:
        """Whether it is called as a solver is, so that what a solver does can be watched."""
        return self.calls == {"solve": Signature(("maze", "search"), "moves")}

    @property
    def record(self) -> Exercise:
        """What the lab knows of it."""
        calls = tuple((method, signature.arguments) for method, signature in self.calls.items())
        kind: Kind = "literals" if self.literals else "walker" if self.is_solver else "answer"
        code = self.skeleton.encode()
        return Exercise(self.id, self.title, self.file, self.name, kind, calls, skeleton=code)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with an answer."""

    message: Message
    hint: Text
    """A question that leads on; empty where there is none."""
    place: Place | None
    """Where in the answer, if the judge says so."""


class OwnCode:
    """The reference, the judge and the cases of an exercise, ready to be asked.

    Raises InputError with the file where one of them fails.
    """

    def __init__(self, exercise: OwnExercise) -> None:
        self.exercise = exercise
        runs = not exercise.literals
        self._reference: Any = self._defined(REFERENCE, exercise.reference, exercise.name) if runs else None
        self._judge = self._defined(JUDGE, exercise.judge, "judge") if exercise.judge else None
        self._cases = self._module(CASES, exercise.cases) if exercise.cases else ModuleType("cases")
        self.right: Callable[[str, tuple[Given, ...]], Data] = lru_cache(_ANSWERS_KEPT)(self._right)
        """Returns what the reference returns of a method, or of the function, for arguments."""

    def complaint(self, method: str, values: tuple[Given, ...], returned: Data) -> Complaint | None:
        """Return what the judge says of an answer; None where that is right, or there is no judge."""
        if self._judge is None:
            return None
        judge, expected = self._judge, deepcopy(self.right(method, values))  # which the judge may change
        names = self.exercise.calls[method].arguments
        arguments = dict(zip(names, made(values), strict=True))
        found = self._bounded(JUDGE, lambda: judge(arguments, returned, expected), values)
        if found is None:
            return None
        key, named = self._form_of(found)
        place = named.get(AT)
        return Complaint(
            self._sentence(key, named), self._hint(key), place if isinstance(place, tuple) else None
        )

    @property
    def has_judge(self) -> bool:
        """Whether there is a judge, or equality decides."""
        return self._judge is not None

    def drawn(self, name: str, luck: Random) -> list[dict[str, object]]:
        """Return the arguments that a function of cases.py draws, by their names."""
        draw = getattr(self._cases, name, None)
        if not callable(draw):
            self._refuse(CASES, f"expected a function {name}, which exercise.yaml names")
        found = self._bounded(CASES, lambda: draw(luck))
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            self._refuse(CASES, f"{name}: expected a list of dictionaries, got {type(found).__name__}")
        if not found:
            self._refuse(
                CASES, f"{name}: expected a dictionary of arguments for each case, got an empty list"
            )
        return found

    def given(self, method: str, drawn: Mapping[str, object], case: str) -> tuple[Given, ...]:
        """Return the arguments of a call as they are sent; every call has those that are not drawn anew."""
        names = self.exercise.calls[method].arguments
        if unknown := [name for name in drawn if name not in names]:
            self._refuse(CASES, f"{case}: expected arguments of {', '.join(names)}, got {unknown[0]}")
        return tuple(self._given(name, drawn, case) for name in names)

    def _given(self, name: str, drawn: Mapping[str, object], case: str) -> Given:
        if name in ("search", "factory"):
            return name, "null"
        if name == "rng":
            seed = drawn.get("rng", 0)
            return "rng", str(seed if type(seed) is int else 0)
        if name not in drawn:
            self._refuse(CASES, f"{case}: expected a value for the argument {name}, got none")
        value = drawn[name]
        try:
            maze = Maze.from_text(value) if name == "maze" and isinstance(value, str) else value
            return "data", json.dumps(told(maze))
        except (TypeError, MazeFormatError) as error:
            self._refuse(CASES, f"{case}, {name}: {error}")

    def _right(self, method: str, given: tuple[Given, ...]) -> Data:
        def ask() -> object:
            called = getattr(self._reference(), method) if method else self._reference
            return called(*made(given))

        answer = self._bounded(REFERENCE, ask, given)
        try:
            sent = told(answer)
        except TypeError as error:
            self._refuse(REFERENCE, f"{error}{called_with(given)}")
        if len(json.dumps(sent)) > _MOST_BYTES:
            self._refuse(
                REFERENCE, f"its answer is too large to be sent: ask about smaller mazes{called_with(given)}"
            )
        return data_of(sent)

    def _form_of(self, found: object) -> tuple[str, Mapping[str, object]]:
        """Return what a judge returned, as a key and its values; refuse what has another form."""
        key, named = found if isinstance(found, tuple) and len(found) == 2 else (None, None)
        if not isinstance(key, str) or not isinstance(named, Mapping):
            self._refuse(
                JUDGE,
                "expected None for a right answer, or the key of a sentence and a dictionary of its values, "
                f"got {type(found).__name__} {found!r:.80}",
            )
        return key, named

    def _sentence(self, key: str, values: Mapping[str, object]) -> Message:
        named = {str(name): _value(value) for name, value in values.items() if name != AT}
        if not self.exercise.texts:
            shown = ", ".join(f"{name} {value}" for name, value in named.items())
            return (
                said("says_key", key=key.replace("_", " ").replace("-", " "), values=shown)
                if shown
                else said("says_key_alone", key=key.replace("_", " ").replace("-", " "))
            )
        sentence = self.exercise.text(f"said.{key}")
        if not sentence:
            self._refuse(JUDGE, f"says {key!r}, and texts/en.toml has no sentence said.{key}: add it there")
        wanted = names_in(sentence)
        if wanted != set(named):
            self._refuse(
                JUDGE,
                f"says {key!r} with the values {sorted(named)}, and said.{key} of texts/en.toml names "
                f"{sorted(wanted)}",
            )
        return Message(f"own.{self.exercise.id}.said.{key}", tuple(named.items()))

    def _hint(self, key: str) -> Text:
        return Message(f"own.{self.exercise.id}.hint.{key}") if self.exercise.text(f"hint.{key}") else ""

    def _module(self, file: str, source: str) -> ModuleType:
        module = ModuleType(file.removesuffix(".py"))
        code = self._bounded(
            file, lambda: compile(source, f"{self.exercise.id}/{file}", "exec", dont_inherit=True)
        )
        self._bounded(file, lambda: exec(code, vars(module)))  # noqa: S102 - the instructor's own
        return module

    def _defined(self, file: str, source: str, name: str) -> Any:
        found = getattr(self._module(file, source), name, None)
        if not callable(found):
            self._refuse(file, f"expected a definition of {name}")
        return found

    def _bounded(self, file: str, ask: Callable[[], T], given: Sequence[Given] | None = None) -> T:
        """Return what a call of the exercise's own code gives, within its time."""
        try:
            return worker.run(ask, seconds=MOST_SECONDS, clock=time.process_time)
        except InputError:
            raise
        except worker.Interrupted:
            raise KeyboardInterrupt from None
        except worker.TookTooLong as stopped:
            line = next(
                (f" in line {each.lineno}" for each in stopped.trace[::-1] if each.filename.endswith(file)),
                "",
            )
            self._refuse(file, f"did not come to an end within {MOST_SECONDS:g} s{line}{called_with(given)}")
        except BaseException as error:  # noqa: BLE001 - SystemExit too: whatever it raises, it is the instructor's to mend
            self._refuse(file, f"{type(error).__name__}: {error}{called_with(given)}")

    def _refuse(self, file: str, message: str) -> NoReturn:
        raise InputError(message, path=self.exercise.folder / file) from None


KNOWN: Final[dict[str, OwnCode]] = {}
"""Those of the current course, by id."""


def know(own: Sequence[OwnExercise]) -> None:
    """Let the grader know the exercises that a course adds, and no others. Raises InputError."""
    if [each.exercise for each in KNOWN.values()] == list(own):
        return
    codes = {each.id: OwnCode(each) for each in own}
    KNOWN.clear()
    KNOWN.update(codes)
    add_texts({each.id: _with_titles(each) for each in own})
    add_to_the_lab(each.record for each in own)


def _with_titles(own: OwnExercise) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of an exercise, with its id and the names of its checks in place of missing titles."""
    titles = {"title": own.title} | {f"checks.{name}": check_title(own, name) for name in own.checks}
    return {**own.texts, "en": {**titles, **own.texts.get("en", {})}}


def check_title(own: OwnExercise, name: str) -> str:
    """Return the title of a check, as results.json has it."""
    return own.text(f"checks.{name}") or name.replace("-", " ").replace("_", " ")


def made(values: Sequence[Given]) -> list[Any]:
    """Make the arguments of a call anew."""
    return [_MAKERS.get(kind, _argument)(json.loads(content)) for kind, content in values]


_argument: Final = DataReader(set_of=set).read
"""Makes an argument as submissions are given it: a set is one that can be changed."""
_MAKERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "search": lambda _: Search(),
    "factory": lambda _: Factory(),
    "rng": Random,
}


def names_in(sentence: str) -> set[str]:
    """Return the names of the values that a sentence has."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def called_with(given: Sequence[Given] | None) -> str:
    """Return the arguments of a call in words, for the end of a message."""
    if not given:
        return ""
    shown = [
        f"the maze\n{value.to_text()}" if isinstance(value, Maze) else describe_data(value)
        for (kind, _), value in zip(given, made(given), strict=True)
        if kind == "data"
    ]
    return f", on {', '.join(shown)}" if shown else ""


def _value(value: object) -> Value:
    """Return a value for a sentence: a move by its name, a cell as people write it, a number or text as
    is."""
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(number, int) for number in value):
        vector = Vector(*value)
        return move_name(vector) if vector in MOVES else cell_text(vector)
    if isinstance(value, str):
        return value if len(value) <= CHARACTERS else f"{value[: CHARACTERS - 1]}…"
    return value if isinstance(value, int) else describe_data(value)
