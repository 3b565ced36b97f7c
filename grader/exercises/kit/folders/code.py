"""Exercises in folders: what is known about them, and how their own code is run.

The reference and the judge of such an exercise are the instructor's: trusted like the lab's, but not to be
free of mistakes. Each call has a time limit, and whatever it gives other than an answer is reported with the
file.
"""

from __future__ import annotations

import json
import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from string import Formatter
from types import MappingProxyType, ModuleType
from typing import Any, Final, Literal, NoReturn, TypeVar

from grader import shipped
from grader.errors import InputError
from grader.exercises.kit.answers import CHARACTERS, Place, describe_data
from grader.exercises.kit.findings import cell_text, move_name
from grader.exercises.kit.small_mazes import FixedMaze
from grader.languages import DEFAULT, Message, Text, Value, add_texts, said
from grader.model import Criterion, Given, Json
from grader.model.data import Data, DataReader, copied, data_of, told
from lab import MOVES, Factory, Maze, MazeFormatError, Vector, worker
from lab.exercises import Exercise, Kind, add_to_the_lab
from reference.solvers.search import Search

T = TypeVar("T")
Returns = Literal[
    "true-or-false",
    "number",
    "text",
    "moves",
    "cells",
    "cells-in-any-order",
    "maze",
    "list",
    "mapping",
    "anything",
]
"""The declared form of what an exercise's code returns."""
Judged = tuple[str, Mapping[str, object]] | None
"""What a judge returns: None for a right answer, else the key of a sentence and its values."""

JUDGES: Final = "judge"
"""The function of judge.py that judges what names no other."""
COSTS: Final = "costs"
"""The family of mazes with costs: an exercise that names it is asked of all others with costs, too."""
AT: Final = "at"
"""A judge's value that is not part of the sentence: the place in the answer, for its picture."""
REFERENCE: Final = "reference.py"
JUDGE: Final = "judge.py"
CASES: Final = "cases.py"
MOST_SECONDS: Final = 20.0
"""The processor time of one call of an exercise's own code."""
_ANSWERS_KEPT: Final = 2048
_MOST_BYTES: Final = 2 * 1024 * 1024
"""The largest answer that a submission could send."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A function or method to be written."""

    arguments: tuple[str, ...]
    returns: Returns


@dataclass(frozen=True, slots=True)
class Asked:
    """What a check asks: a method, and families of mazes or functions that draw cases."""

    method: str
    """Empty for a function."""
    cases: tuple[str, ...]
    """Of literals, the names of those that it is about."""
    criteria: tuple[Criterion, ...] = ()
    """What a person marks it by; then it has no cases."""
    judged_by: str = JUDGES
    """The function of judge.py that judges it."""


@dataclass(frozen=True)
class OwnExercise:
    """An exercise as read from its folder."""

    id: str
    file: str
    name: str
    """The class or function to hand in."""
    calls: Mapping[str, Signature]
    """By method name; "" for a function."""
    checks: Mapping[str, Asked]
    skeleton: str
    public_tests: str
    """Empty if they are to be generated from the checks."""
    reference: str
    judge: str
    """Empty if an answer is right when it equals the reference's."""
    cases: str
    texts: Mapping[str, Mapping[str, str]]
    """By language, then by key."""
    handouts: Mapping[str, str]
    """Sections of the handout by language, if any."""
    mazes: tuple[FixedMaze, ...]
    """Its own mazes."""
    folder: Path = field(repr=False, compare=False)
    """Its folder."""
    literals: tuple[str, ...] = ()
    """Names of the literals in the file, if it is read and never run."""
    judge_is_public: bool = False
    """Whether students get the judge, and the right answers to public cases."""
    is_text: bool = False
    """Whether the file is a text in Markdown, which is read by persons."""
    model: str = field(default="", repr=False)
    """A model answer in Markdown, for those who mark alone; mostly empty."""
    language: str = field(default=DEFAULT, repr=False)
    """The language whose texts stand for those that another lacks: English, or else the rubric's."""

    @property
    def title(self) -> str:
        """The title, as in results.json."""
        return self.text("title") or self.id

    def text(self, key: str, language: str = DEFAULT) -> str:
        """Return a text in a language, or else in the one that stands for others; empty if there is none."""
        return self.texts.get(language, {}).get(key) or self.texts.get(self.language, {}).get(key, "")

    @property
    def first_texts(self) -> str:
        """The file of the texts that stand for others."""
        return f"texts/{self.language}.toml"

    @property
    def takes_mazes(self) -> bool:
        """Whether an argument or an answer of its calls is declared to be of a maze."""
        named = {name for call in self.calls.values() for name in (*call.arguments, call.returns)}
        return bool(self.literals or named & {"maze", "factory", "dimension", "search"})

    @property
    def is_solver(self) -> bool:
        """Whether it is called like a solver, so that its visits can be watched."""
        return self.calls == {"solve": Signature(("maze", "search"), "moves")}

    @property
    def is_read(self) -> bool:
        """Whether its file is read, and never run."""
        return self.is_text or bool(self.literals)

    @property
    def is_by_grader(self) -> bool:
        """Whether the grader marks any of its checks."""
        return any(not asked.criteria for asked in self.checks.values())

    @property
    def ships(self) -> bool:
        """Whether it is one of those that ship with the grader."""
        return self.folder.resolve().parent == shipped.folder("grader").resolve() / "exercises"

    @property
    def with_costs(self) -> bool:
        """Whether it is asked of mazes with costs."""
        return any(COSTS in asked.cases for asked in self.checks.values())

    @property
    def record(self) -> Exercise:
        """The lab's record of it."""
        calls = tuple((method, signature.arguments) for method, signature in self.calls.items())
        kind: Kind = "walker" if self.is_solver else "answer"
        if self.is_read:
            kind = "written" if self.is_text or not self.ships else "literals"
        code = self.skeleton.encode()
        return Exercise(self.id, self.title, self.file, self.name, kind, calls, skeleton=code)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with an answer."""

    message: Message
    hint: Text
    """A question that helps; empty if there is none."""
    place: Place | None
    """The place in the answer, if the judge gives it."""


class OwnCode:
    """The reference, the judge and the cases of an exercise, ready to be called.

    Raises InputError with the file if one of them fails.
    """

    def __init__(self, exercise: OwnExercise) -> None:
        self.exercise = exercise
        runs = not exercise.is_read and bool(exercise.reference)
        self._reference: Any = self._defined(REFERENCE, exercise.reference, exercise.name) if runs else None
        named = {asked.judged_by for asked in exercise.checks.values()} - {JUDGES}
        judges = {*named, JUDGES} if exercise.judge else named
        self._judges = {name: self._defined(JUDGE, exercise.judge, name) for name in sorted(judges)}
        self._cases = self._module(CASES, exercise.cases) if exercise.cases else ModuleType("cases")
        self.right: Callable[[str, tuple[Given, ...]], Data] = lru_cache(_ANSWERS_KEPT)(self._right)
        """Call the reference's method or function with arguments; results are cached."""
        self._recalled: dict[tuple[str, tuple[Given, ...]], Json] = {}

    def complaint(
        self,
        method: str,
        values: tuple[Given, ...],
        returned: Data,
        watched: Mapping[str, object] = MappingProxyType({}),
        judged_by: str = JUDGES,
    ) -> Complaint | None:
        """Ask a judge about an answer; None if it is right, or there is no judge.

        Of a solver, it is told what was ``watched``: the cells that were seen to be visited, in order, if any
        were, and at which it looked.
        """
        if not self._judges:
            return None
        judge, expected = self._judges[judged_by], copied(self.right(method, values))  # it may change them
        names = self.exercise.calls[method].arguments
        arguments = dict(zip(names, made(values), strict=True))
        arguments |= {"visits": None, "looked_at": (), **watched} if self.exercise.is_solver else {}
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
        """Return whether there is a judge; without one, equality decides."""
        return bool(self._judges)

    def drawn(self, name: str, luck: Random) -> list[dict[str, object]]:
        """Draw arguments, by name, with a function of cases.py."""
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
        """Return the arguments of a call as they are sent, including those that cases need not draw."""
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

    def answers(self, asked: Iterable[tuple[str, tuple[Given, ...]]]) -> list[str]:
        """Return the reference's answers to calls, packed for the disk: a matrix is large and monotonous."""
        answers = [[method, given, told(self.right(method, given))] for method, given in asked]
        return [b64encode(zlib.compress(json.dumps(answers).encode())).decode("ascii")]

    def recall(self, packed: Iterable[str]) -> None:
        """Take answers that the reference gave before: it is not asked for them again."""
        for each in packed:
            for method, given, answer in json.loads(zlib.decompress(b64decode(each))):
                self._recalled[method, tuple((kind, content) for kind, content in given)] = answer

    def _right(self, method: str, given: tuple[Given, ...]) -> Data:
        if (method, given) in self._recalled:
            return data_of(self._recalled.pop((method, given)))
        return self.ask(method, made(given), given)

    def ask(self, method: str, arguments: Sequence[object], given: tuple[Given, ...]) -> Data:
        """Call the reference with arguments made of what is given, which it may change."""

        def ask() -> object:
            called = getattr(self._reference(), method) if method else self._reference
            return called(*arguments)

        answer = self._bounded(REFERENCE, ask, given)
        try:
            in_order = self.exercise.calls[method].returns != "cells-in-any-order"
            sent = told({*answer} if not in_order and isinstance(answer, (list, tuple)) else answer)
        except TypeError as error:
            self._refuse(REFERENCE, f"{error}{called_with(given)}")
        if len(json.dumps(sent)) > _MOST_BYTES:
            self._refuse(
                REFERENCE, f"its answer is too large to be sent: ask about smaller mazes{called_with(given)}"
            )
        return data_of(sent)

    def _form_of(self, found: object) -> tuple[str, Mapping[str, object]]:
        """Split what a judge returned into a key and its values; refuse any other form."""
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
            self._refuse(
                JUDGE,
                f"says {key!r}, and {self.exercise.first_texts} has no sentence said.{key}: add it there",
            )
        wanted = names_in(sentence)
        if wanted != set(named):
            self._refuse(
                JUDGE,
                f"says {key!r} with the values {sorted(named)}, and said.{key} of "
                f"{self.exercise.first_texts} names {sorted(wanted)}",
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
        """Call the exercise's code with a time limit and return the result."""
        started = time.process_time()
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
            told = f"did not come to an end within {MOST_SECONDS:g} s"
            if (worked := time.process_time() - started) < MOST_SECONDS / 2:
                told = f"waited, and worked for {worked:.1f} s only: take out what sleeps, or waits,"
            self._refuse(file, f"{told}{line}{called_with(given)}")
        except BaseException as error:  # noqa: BLE001 - SystemExit, too: every exception is the instructor's to fix
            self._refuse(file, f"{type(error).__name__}: {error}{called_with(given)}")

    def _refuse(self, file: str, message: str) -> NoReturn:
        raise InputError(message, path=self.exercise.folder / file) from None


KNOWN: Final[dict[str, OwnCode]] = {}
"""The current course's exercises, by id."""


def know(own: Sequence[OwnExercise]) -> None:
    """Register exactly these exercises as those that the course adds. Raises InputError."""
    if [each.exercise for each in KNOWN.values()] == list(own):
        return
    codes = {each.id: OwnCode(each) for each in own}
    KNOWN.clear()
    KNOWN.update(codes)
    add_texts({each.id: _with_titles(each) for each in own})
    add_to_the_lab(each.record for each in own)


def _with_titles(own: OwnExercise) -> Mapping[str, Mapping[str, str]]:
    """Return an exercise's texts, with ids in place of missing titles."""
    titles = {"title": own.title} | {f"checks.{name}": check_title(own, name) for name in own.checks}
    return {**own.texts, DEFAULT: {**titles, **own.texts.get(own.language, {})}}


def asking_about_costs() -> tuple[str, ...]:
    """Return the ids of the exercises that are asked of mazes with costs."""
    return tuple(id_ for id_, code in KNOWN.items() if code.exercise.with_costs)


def check_title(own: OwnExercise, name: str) -> str:
    """Return a check's title, as in results.json."""
    return own.text(f"checks.{name}") or name.replace("-", " ").replace("_", " ")


def made(values: Sequence[Given]) -> list[Any]:
    """Construct the arguments of a call anew."""
    return [_MAKERS.get(kind, _argument)(json.loads(content)) for kind, content in values]


_argument: Final = DataReader(set_of=set).read
"""Construct an argument as submissions get it: a set is mutable."""
_MAKERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "search": lambda _: Search(),
    "factory": lambda _: Factory(),
    "rng": Random,
}


def names_in(sentence: str) -> set[str]:
    """Return the placeholders in a sentence."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def called_with(given: Sequence[Given] | None) -> str:
    """Describe the arguments of a call for the end of a message."""
    if not given:
        return ""
    shown = [
        f"the maze\n{value.to_text()}" if isinstance(value, Maze) else describe_data(value)
        for (kind, _), value in zip(given, made(given), strict=True)
        if kind == "data"
    ]
    return f", on {', '.join(shown)}" if shown else ""


def _value(value: object) -> Value:
    """Return a value for a sentence: a move by name, a cell as people write it, a number or text as is."""
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(number, int) for number in value):
        vector = Vector(*value)
        return move_name(vector) if vector in MOVES else cell_text(vector)
    if isinstance(value, str):
        return value if len(value) <= CHARACTERS else f"{value[: CHARACTERS - 1]}…"
    return value if isinstance(value, int) else describe_data(value)
