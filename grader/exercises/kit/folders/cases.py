"""The cases of a function or of a class's methods: mazes of families, or what cases.py draws."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from json import loads
from random import Random
from typing import Final

from grader.exercises.kit.answers import describe_data
from grader.exercises.kit.check import Case, Ladder, maze_ladder
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.folders.code import COSTS, KNOWN, made
from grader.exercises.kit.library import CaseBook, size_of, wave_of
from grader.exercises.kit.solvers.cases import SolverCases
from grader.languages import Message, said
from grader.model import Ask, Call, Given, Json
from lab import Maze, Vector
from lab.exercises import BY_ID
from lab.render.marks import find_marked, mazes_among

FAMILIES: Final[Mapping[str, Callable[[SolverCases], tuple[Case, ...]]]] = {
    "way": lambda cases: cases.way,
    "shapes": lambda cases: cases.shapes,
    "cycles": lambda cases: cases.cycles,
    COSTS: lambda cases: cases.costs,
    "no-way": lambda cases: cases.no_way,
    "large": lambda cases: cases.large,
    "hidden": lambda cases: cases.hidden,
}
"""The families of mazes that a check may use."""
LADDERS: Final = {"way": "way", "shapes": "shapes", "cycles": "cycles", COSTS: "costs", "no-way": "no way"}
"""The small mazes that resemble those of a family."""
FROM_MAZES: Final = frozenset({"maze", "search", "factory", "dimension", "rng"})
"""The arguments made from a maze of a family: itself, its dimension, and a seed that depends on it."""
REPEATED: Final = 20
"""How many series from each family test whether one call leaves something behind for the next."""


def drawn_mazes(book: CaseBook, exercise: str, name: str) -> Iterator[str]:
    """Yield the texts of the mazes that a function in cases.py draws for a solver."""
    drawn = KNOWN[exercise].drawn(name, Random(book.seed + zlib.crc32(name.encode())))
    for each in drawn:
        (maze, _) = made(KNOWN[exercise].given("solve", each, name))[:2]
        yield maze.to_text()


class AnswerCases:
    """The cases of one exercise."""

    def __init__(self, book: CaseBook, exercise: str) -> None:
        self._book, self._exercise, self._own = book, exercise, KNOWN[exercise]
        self._mazes = SolverCases(book, exercise, with_costs=self._own.exercise.with_costs)
        self.of: Callable[[str, str], tuple[Case, ...]] = cache(self._of)
        """Return the cases of a family of mazes, or of a function in cases.py, the smallest first."""

    def _of(self, method: str, name: str) -> tuple[Case, ...]:
        if name in FAMILIES:
            return tuple(self._of_maze(method, name, case) for case in FAMILIES[name](self._mazes))
        drawn = self._own.drawn(name, Random(self._book.seed + zlib.crc32(name.encode())))
        cases = [self._drawn(method, name, number, each) for number, each in enumerate(drawn)]
        return tuple(sorted(cases, key=lambda case: case.call.asked(Ask).size))

    def ladder(self, method: str, names: Sequence[str]) -> Ladder | None:
        """Return where to find a small maze for a mistake; drawn cases are sorted by size anyway."""
        kind = next((LADDERS[name] for name in names if name in LADDERS), None)
        if kind is None or any(name not in FAMILIES for name in names):
            return None
        return maze_ladder(kind, lambda text: self._small(method, text))

    def methods(self, argument: str) -> tuple[str, ...]:
        """Return the methods that take an argument of this name, or the function that does."""
        calls = self._own.exercise.calls.items()
        return tuple(method for method, signature in calls if argument in signature.arguments)

    def families(self, method: str, mazes: Sequence[str] = ("way", "cycles", "no-way")) -> tuple[str, ...]:
        """Return families of mazes, or what draws cases for a method that mazes alone cannot call."""
        own = self._own.exercise
        if {*own.calls[method].arguments} <= FROM_MAZES:
            return tuple(mazes)
        return tuple(
            dict.fromkeys(
                name for asked in own.checks.values() if asked.method == method for name in asked.cases
            )
        )

    def everywhere(self) -> tuple[Case, ...]:
        """Return cases of each kind for every method that takes a maze."""
        return tuple(
            case
            for method in self.methods("maze")
            for name in self.families(method)
            for case in self.of(method, name)
        )

    def series(self) -> tuple[Case, ...]:
        """Return calls that follow others on the same object: another maze, and the maze itself."""
        found: list[Case] = []
        for method in self.methods("maze"):
            names = self.families(method, ("way", "cycles"))
            cases = [case for name in names for case in self.of(method, name)[:REPEATED]]
            for number, (case, other) in enumerate(zip(cases, cases[1:] + cases[:1], strict=True)):
                asked, before = case.call.asked(Ask), (other.call.asked(Ask), case.call.asked(Ask))
                call = Call(
                    f"{self._exercise}/{method}/repeat/{number}",
                    replace(
                        asked,
                        before=tuple(each.values for each in before),
                        size=sum(each.size for each in (asked, *before)),
                    ),
                    group=f"{self._exercise}.repeat",
                )
                found.append(replace(case, call=call, label=said("after_another_maze", label=case.label)))
        return tuple(found)

    def by_itself(self, case: Case) -> Sequence[Case]:
        """Return the last call of a series as a case of its own."""
        asked = case.call.asked(Ask)
        call = replace(case.call, id=f"{case.call.id}/alone", arguments=replace(asked, before=()))
        return (replace(case, call=call),)

    def _of_maze(self, method: str, family: str, case: Case) -> Case:
        name = f"{method}/{family}/{case.call.id}"
        made_of = self._case(method, name, family, case.facts.text, hidden=case.hidden)
        return replace(made_of, label=case.label, wave=case.wave)

    def _small(self, method: str, text: str) -> Case:
        return self._case(method, f"{method}/small/{text}", "small", text)

    def _case(self, method: str, name: str, group: str, text: str, *, hidden: bool = False) -> Case:
        facts = facts_of(text)
        values = self._own.given(method, self._from_maze(method, facts), f"the family {group}")
        asked = Ask(method, values, facts.dimension.position_count)
        wave = 0 if hidden else wave_of(facts.dimension.position_count)
        call = Call(f"{self._exercise}/{name}", asked, group=f"{self._exercise}.{method}.{group}")
        return Case(call, size_of(text), facts, text, self._code(asked), hidden, wave=wave)

    def _from_maze(self, method: str, facts: Facts) -> dict[str, object]:
        values: dict[str, object] = {
            "maze": facts.text,
            "dimension": facts.dimension,
            "rng": zlib.crc32(facts.text.encode()),
        }
        names = self._own.exercise.calls[method].arguments
        return {name: value for name, value in values.items() if name in names}

    def _drawn(self, method: str, name: str, number: int, drawn: Mapping[str, object]) -> Case:
        values = self._own.given(method, drawn, name)
        asked = Ask(method, values, max(1, sum(map(_parts, values))))
        call = Call(
            f"{self._exercise}/{method}/{name}/{number}", asked, group=f"{self._exercise}.{method}.{name}"
        )
        arguments = dict(zip(self._own.exercise.calls[method].arguments, made(values), strict=True))
        alone = [each for each, value in arguments.items() if isinstance(value, Maze)]
        mazes = {each: maze.to_text() for each, maze in mazes_among(arguments).items()}
        text = mazes.pop(alone[0]) if len(alone) == 1 else None
        facts = None if text is None else facts_of(text)
        # a pair of numbers is sent as a vector, and is a cell only if it was drawn as one
        told = {
            each: value
            for each, value in arguments.items()
            if not isinstance(value, Vector) or isinstance(drawn[each], Vector)
        }
        case = Case(call, self._label(asked), facts, text, self._code(asked))
        return replace(case, marked=find_marked(told), mazes=tuple(mazes.items()))

    def _label(self, asked: Ask) -> Message:
        """Describe the call: drawn arguments as they are, a maze by its size."""
        names = self._own.exercise.calls[asked.method].arguments
        shown = [
            f"{name} = {describe_data(value)}"
            for name, (kind, _), value in zip(names, asked.values, made(asked.values), strict=True)
            if kind == "data"
        ]
        return said("these_arguments", arguments=", ".join(shown)) if shown else said("no_arguments")

    def _code(self, asked: Ask) -> str:
        """Return the call as a student would write it."""
        names = ", ".join(self._written(asked))
        name = BY_ID[self._exercise].name
        return f"{name}().{asked.method}({names})" if asked.method else f"{name}({names})"

    def _written(self, asked: Ask) -> Iterator[str]:
        names = self._own.exercise.calls[asked.method].arguments
        for name, value in zip(names, asked.values, strict=True):
            yield written(name, value)


def written(name: str, value: Given) -> str:
    """Return an argument as it is shown: a maze by name, anything else as in Python."""
    (given,) = made([value])
    return name if isinstance(given, Maze) else argument_code(value)


def argument_code(value: Given, *, file: str | None = None) -> str:
    """Return Python code for an argument; a maze is read from the file if one is named."""
    kind, content = value
    if kind in ("search", "factory"):
        return f"{kind.capitalize()}()"
    return f"Random({content})" if kind == "rng" else _code_of(loads(content), file)


def _code_of(content: Json, file: str | None) -> str:
    """Return Python code for a described value (D), of which the grader's own have no descriptions."""
    if isinstance(content, list):
        return f"[{', '.join(_code_of(part, file) for part in content)}]"
    if not isinstance(content, dict):
        return repr(content)
    ((name, inner),) = content.items()
    if name == "m":
        return f"Maze.from_file({file!r})" if file else f"Maze.from_text({inner!r})"
    if name == "f":
        return f"float({inner!r})"
    if name == "d":
        return f"{{{', '.join(': '.join(_code_of(part, file) for part in item) for item in inner)}}}"
    parts = [_code_of(part, file) for part in inner]
    opening, closing = {"v": ("Vector(", ")"), "z": ("Dimension(", ")"), "s": ("{", "}"), "t": ("(", ")")}[
        name
    ]
    if not parts and name == "s":
        return "set()"
    return opening + ", ".join(parts) + ("," if name == "t" and len(parts) == 1 else "") + closing


def _parts(value: Given) -> int:
    """Return the size of an argument: the cells of a maze, or a similar measure."""
    kind, content = value
    if kind != "data":
        return 0
    (data,) = made([value])
    return data.dimension.position_count if isinstance(data, Maze) else len(content) // 2
