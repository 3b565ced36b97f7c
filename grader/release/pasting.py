"""Puts functions of a kit into its exercises, as a student might, and tells which earn points.

It tells as well which functions judge a generator's maze whole, by its cells and passages: pasted into a
checker of perfect mazes, with two lines around them, they would be its work.

It runs in a process of its own, with the kit's ``lab`` in the place of ours, and a copy of it stands in the
hand-ins that it makes. Arguments are bound by their names and types, and what comes back is brought into the
form that is asked for. Only what is right somewhere is given to the kit's public tests, which take seconds.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice, pairwise, product
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final, NamedTuple

from lab import MOVES, Dimension, Factory, Maze, Vector, worker
from lab.commands import check
from lab.exercises import EXERCISES, Exercise
from lab.generators import AldousBroder
from lab.way import flaw

GIVEN: Final = "lab.generators."
"""Generators that students are given: handing their work over earns nothing."""
_SECONDS: Final = 2.0
_LONGEST: Final = 10_000
_STARTS: Final = ("start", "entry", "position", "cell", "here", "source")
_ENDS: Final = ("end", "exit", "exit_", "goal", "target")

Given = Mapping[str, Any]
Wrap = Callable[[Any, Given], Any]


class Pasted(NamedTuple):
    """A function of the kit, by module and name, and how what it returns is wrapped."""

    module: str
    name: str
    wrap: str

    def __call__(self, kind: str, **given: Any) -> Any:
        """Answer as an exercise of this kind is to be answered."""
        function = _found(importlib.import_module(self.module), self.name)
        return _WRAPS[kind][self.wrap](_called(function, given), given)


# --- what is bound, and what is made of the outcome ------------------------------------------------


def _called(function: Callable[..., Any], given: Given) -> Any:
    """Return what a function returns, or the ValueError that it raises. Raises TypeError where it takes
    something else."""
    arguments = _bound(function, given)
    if arguments is None:
        raise TypeError("no place for what is given")
    try:
        value = function(**arguments)
        return list(islice(value, _LONGEST)) if isinstance(value, Iterator) else value
    except ValueError as error:
        return error


def _bound(function: Callable[..., Any], given: Given) -> dict[str, Any] | None:
    """Return the arguments by name; None if one is unknown, or if nothing of what is asked about fits."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is not inspect.Parameter.empty or parameter.kind in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        ):
            continue
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            return None
        value = _value(name, str(parameter.annotation), given)
        if value is None:
            return None
        found[name] = value
    return found if any(name not in ("rng", "search", "seed") for name in found) else None


def _value(name: str, kind: str, given: Given) -> Any:
    if name in given:
        return given[name]
    by_kind = {"Random": "rng", "Dimension": "dimension", "Factory": "factory", "Maze": "maze"}
    if kind in by_kind:
        return given.get(by_kind[kind])
    if (maze := given.get("maze")) is not None:
        ends = {**dict.fromkeys(_STARTS, maze.entry), **dict.fromkeys(_ENDS, maze.exit)}
        texts = {"text": maze.to_text(), "lines": maze.to_text().splitlines(), "dimension": maze.dimension}
        return {**ends, **texts}.get(name, maze.entry if kind in ("Vector", "Position") else None)
    if (size := given.get("dimension")) is not None:
        return {"rows": size.row_count, "columns": size.column_count, "size": size, "seed": 1}.get(name)
    return None


def _moves(value: Any, _given: Given) -> Any:
    return None if value is None else [Vector(*move) for move in islice(value, _LONGEST)]


def _cells(value: Any, _given: Given) -> Any:
    cells = [getattr(cell, "position", cell) for cell in islice(value, _LONGEST)]
    return [Vector(there[0] - here[0], there[1] - here[1]) for here, there in pairwise(cells)]


def _back(value: Any, given: Given) -> Any:
    """Follow what leads into each cell, a move or the cell before, from the exit back to the entry."""
    cell, way = given["maze"].exit, list[Vector]()
    if cell not in value:
        return None
    while cell != given["maze"].entry and len(way) < _LONGEST:
        into = value[cell]
        move = Vector(*into) if into in MOVES else Vector(cell[0] - into[0], cell[1] - into[1])
        way.append(move)
        cell = cell + move.opposite()
    return way[::-1]


def _number(value: Any) -> int:
    return value if isinstance(value, int) else len(value)


def _of(place: int, wrap: Wrap) -> Wrap:
    return lambda value, given: wrap(value[place], given)


def _itself(value: Any, _given: Given) -> Any:
    return value


_WAYS: Final[dict[str, Wrap]] = {"moves": _moves, "cells": _cells, "back": _back}
_SOLVER: Final = _WAYS | {
    f"{name} of {place}": _of(place, wrap) for place in (0, 1) for name, wrap in _WAYS.items()
}
_WRAPS: Final[dict[str, dict[str, Wrap]]] = {
    "solver": _SOLVER,
    "walker": _SOLVER,
    "checker": {
        "itself": lambda value, _: bool(value),
        "not": lambda value, _: not value,
        "no error": lambda value, _: not isinstance(value, ValueError),
        "none": lambda value, _: _number(value) == 0,
        "one": lambda value, _: _number(value) == 1,
        "every cell": lambda value, given: _number(value) == given["maze"].dimension.position_count,
        "a passage less": lambda value, given: _number(value) == given["maze"].dimension.position_count - 1,
    },
    "maker": {"itself": _itself},
    "answer": {"itself": _itself},
}


# --- what is looked for ------------------------------------------------------------------------------


def _functions(module: ModuleType) -> Iterator[str]:
    """Yield the names of a module's functions, and of the methods of its classes."""
    for name, member in vars(module).items():
        if getattr(member, "__module__", "") != module.__name__:
            continue
        if inspect.isfunction(member):
            yield name
        elif inspect.isclass(member):
            yield from (f"{name}.{each}" for each, made in vars(member).items() if inspect.isfunction(made))


def _found(module: ModuleType, name: str) -> Callable[..., Any]:
    owner, _, method = name.partition(".")
    found = getattr(module, owner)
    if not method:
        return found  # type: ignore[no-any-return]
    for luck in ((), (Random(1),)):
        with contextlib.suppress(Exception):
            return getattr(found(*luck), method)  # type: ignore[no-any-return]
    raise TypeError(f"{owner} is not made without arguments")


def _hopeful(exercise: Exercise, module: ModuleType, name: str) -> Iterator[str]:
    """Yield the wraps by which a function of the kit is right somewhere."""
    asked, is_right = _ASKED[exercise.kind]
    try:
        function = _found(module, name)
        if _bound(function, asked()[0]) is None:
            return
        with contextlib.redirect_stdout(io.StringIO()):
            values = worker.run(lambda: [_called(function, given) for given in asked()], seconds=_SECONDS)
    except BaseException:  # noqa: BLE001 - it may do anything with what it was not made for
        return
    for wrap, wrapped in _WRAPS[exercise.kind].items():
        with contextlib.suppress(Exception):
            answers = [_try(wrapped, value, given) for value, given in zip(values, asked(), strict=True)]
            if is_right(answers):
                yield wrap


def _try(wrap: Wrap, value: Any, given: Given) -> Any:
    with contextlib.suppress(Exception):
        return wrap(value, given)
    return _NOTHING


def _finds_ways(answers: Sequence[Any]) -> bool:
    return any(_is_way(given["maze"], moves) for given, moves in zip(_perfect(), answers, strict=True))


def _tells_apart(answers: Sequence[Any]) -> bool:
    size = len(answers) // len(_KINDS)
    yes, *others = (
        sum(answer is True for answer in answers[start : start + size])
        for start in range(0, len(answers), size)
    )
    return any(yes > other + 1 for other in others)


def _makes_mazes(answers: Sequence[Any]) -> bool:
    return any(
        isinstance(made, Maze) and made.dimension == given["dimension"] and _is_tree(made)
        for given, made in zip(_sizes(), answers, strict=True)
    )


def _says_something(answers: Sequence[Any]) -> bool:
    plain = (bool, int, str, list, tuple, dict, set, frozenset)
    return all(type(each) in plain for each in answers) and answers[0] != answers[1]


_NOTHING: Final = object()


def _is_way(maze: Maze, moves: Any) -> bool:
    if not isinstance(moves, list) or len(moves) < 2 or flaw(maze, moves, any_walk=True) is not None:
        return False
    row, column = map(sum, zip(*moves, strict=True))
    return (maze.entry.row + row, maze.entry.column + column) == maze.exit


def _is_tree(maze: Maze) -> bool:
    seen, left = {maze.entry}, [maze.entry]
    while left:
        cell = left.pop()
        new = [cell + move for move in maze.valid_moves_at(cell) if cell + move not in seen]
        seen.update(new)
        left += new
    cells = maze.dimension.all_positions()
    return len(seen) == len(cells) == sum(len(maze.valid_moves_at(cell)) for cell in cells) // 2 + 1


_KINDS: Final = ("perfect", "more", "fewer", "both")


@cache
def _texts() -> tuple[str, ...]:
    """Return some perfect mazes, and what becomes of them with a wall less, a wall more, and both."""
    mazes = [AldousBroder(Random(seed)).generate(Factory(), Dimension(4, 5)) for seed in range(4)]
    return tuple(_flawed(maze, kind).to_text() for kind in _KINDS for maze in mazes)


def _flawed(perfect: Maze, kind: str) -> Maze:
    """Return a maze with a wall less, a wall more, both, or neither."""
    maze, cells = perfect.copy(), perfect.dimension.all_positions()
    end = next(cell for cell in cells[1:-1] if len(maze.valid_moves_at(cell)) == 1)
    sides = [(cell, move) for cell in cells for move in maze.moves_at(cell) if maze.is_wall(cell, move)]
    if kind in ("fewer", "both"):
        maze.build_wall(end, maze.valid_moves_at(end)[0])
    if kind in ("more", "both"):
        maze.break_wall(*next((cell, move) for cell, move in sides if end not in (cell, cell + move)))
    return maze


def _all_kinds() -> list[Given]:
    return [{"maze": Maze.from_text(text)} for text in _texts()]


def _perfect() -> list[Given]:
    return _all_kinds()[: len(_texts()) // len(_KINDS)]


def _sizes() -> list[Given]:
    sizes = (Dimension(4, 5), Dimension(6, 3))
    return [{"dimension": size, "factory": Factory(), "rng": Random(1)} for size in sizes]


_ASKED: Final[dict[str, tuple[Callable[[], list[Given]], Callable[[Sequence[Any]], bool]]]] = {
    "solver": (_perfect, _finds_ways),
    "walker": (_perfect, _finds_ways),
    "checker": (_all_kinds, _tells_apart),
    "maker": (_sizes, _makes_mazes),
    "answer": (_perfect, _says_something),
}
"""By the kind of an exercise, what is asked, and whether answers are right somewhere."""


# --- what judges a maze by its cells and passages ----------------------------------------------------


def _cell(cell: Vector) -> str:
    return f"({cell.row}, {cell.column})"


def _passages(maze: Maze) -> list[tuple[Vector, Vector]]:
    sides = ((cell, move) for cell in maze.dimension.all_positions() for move in maze.valid_moves_at(cell))
    return [(cell, cell + move) for cell, move in sides]


_PARTS: Final[Mapping[bool, Sequence[Callable[[Maze], Any]]]] = {
    True: (
        lambda maze: maze.dimension.all_positions(),
        lambda maze: [*map(_cell, maze.dimension.all_positions())],
        lambda maze: [pair for pair in _passages(maze) if pair[0] < pair[1]],
        _passages,
        lambda maze: {frozenset(pair) for pair in _passages(maze)},
        lambda maze: [(_cell(one), _cell(other)) for one, other in _passages(maze)],
        lambda maze: {
            cell: {cell + move for move in maze.valid_moves_at(cell)}
            for cell in maze.dimension.all_positions()
        },
    ),
    False: (lambda maze: maze.entry, lambda maze: _cell(maze.entry), lambda maze: maze.dimension),
}
"""What a maze consists of, in the shapes in which a function may take it: collections, and single values."""
_HOLDS: Final = re.compile(
    r"\b(Collection|Iterable|Sequence|AbstractSet|Mapping|set|list|tuple|dict|frozenset)\b"
)
_SINGLE: Final = ("Vector", "Position", "Dimension", "str", "object", "Any", "T")
_MOST_PARTS: Final = 4


def _judges(function: Callable[..., Any]) -> bool:
    """Tell whether a function, or a field of what it returns, has one value for all perfect mazes, and never
    that value for others, however their cells and passages are given to it."""
    parameters = [
        str(each.annotation).strip("'")
        for each in inspect.signature(function).parameters.values()
        if each.default is inspect.Parameter.empty
    ]
    shapes = []
    for kind in parameters:
        is_open = kind == "<class 'inspect._empty'>"
        if not (is_open or _HOLDS.search(kind) or kind in _SINGLE):
            return False
        either = (*_PARTS[True], *_PARTS[False]) if is_open else _PARTS[_HOLDS.search(kind) is not None]
        shapes.append(either)
    if not 0 < len(parameters) <= _MOST_PARTS or not any(_PARTS[True][0] in each for each in shapes):
        return False
    return any(_tells_perfect(function, parts) for parts in product(*shapes))


def _tells_perfect(function: Callable[..., Any], parts: Sequence[Callable[[Maze], Any]]) -> bool:
    told = list[list[Any]]()
    for is_perfect, maze in _whole_mazes():
        try:
            value = function(*(part(maze) for part in parts))
            fields = _fields(list(islice(value, _LONGEST)) if isinstance(value, Iterator) else value)
        except Exception:  # noqa: BLE001 - it may do anything with what it was not made for
            return False
        told = told or [[] for _ in fields]
        told = [[*before, (is_perfect, each)] for before, each in zip(told, fields, strict=False)]
        if not any(map(_is_apart, told)):
            return False
    return True


def _is_apart(told: Sequence[tuple[bool, Any]]) -> bool:
    """Tell whether all that was told of perfect mazes is one value, and nothing told of others is that."""
    first = told[0][1]
    return all((value == first) is is_perfect for is_perfect, value in told)


def _fields(value: Any) -> list[Any]:
    """Return a value, and its fields."""
    parts = value if isinstance(value, tuple) else (getattr(value, name) for name in _names_in(value))
    return [value, *parts]


def _names_in(value: Any) -> Iterable[str]:
    return getattr(type(value), "__dataclass_fields__", None) or getattr(value, "__dict__", {})


@cache
def _whole_mazes() -> Sequence[tuple[bool, Maze]]:
    """Return mazes of five sizes, a perfect one of each first, and what becomes of it with a wall less, a
    wall more, and both."""
    found = []
    for number, (rows, columns) in enumerate(((4, 5), (3, 3), (5, 2), (2, 6), (6, 6))):
        maze = AldousBroder(Random(number)).generate(Factory(), Dimension(rows, columns))
        found += [(kind == "perfect", _flawed(maze, kind)) for kind in _KINDS]
    return found


# --- the public tests ----------------------------------------------------------------------------------


def _hand_in(exercise: Exercise, pasted: Pasted) -> str:
    """Return the file of an exercise whose work the pasted function does."""
    lines = [f"from pasting import Pasted\npasted = Pasted{tuple(pasted)!r}\n"]
    indent = ""
    if not exercise.is_function:
        lines.append(
            f"class {exercise.name}:\n    rng = None\n    def __init__(self, rng=None): self.rng = rng\n"
        )
        indent = "    "
    for method, parameters in exercise.calls:
        named = ", ".join(f"{name}={name}" for name in parameters) + (", rng=self.rng" if indent else "")
        taken = ", ".join((["self"] if indent else []) + list(parameters))
        lines.append(f"{indent}def {method or exercise.name}({taken}):\n")
        lines.append(f"{indent}    return pasted({exercise.kind!r}, {named})\n")
    return "".join(lines)


def _points(exercise: Exercise, pasted: Pasted, folder: Path, template: Path) -> float:
    """Return the points that the public tests give for a pasted function."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder)
    shutil.copy(__file__, folder / "pasting.py")
    (folder / exercise.file).write_text(_hand_in(exercise, pasted), encoding="utf-8")
    points: float = check.points([exercise.id, str(folder)])[exercise.id]["so_far"]
    return points


def _modules(kit: Path) -> Iterator[ModuleType]:
    """Yield the modules of the kit."""
    sys.path.append(str(kit / "student_template" / "tests"))
    paths = [path for path in sorted((kit / "lab").rglob("*.py")) if "given" not in path.parts]
    names = [".".join(path.relative_to(kit).with_suffix("").parts) for path in paths]
    names += [path.stem for path in sorted((kit / "student_template" / "tests").glob("*.py"))]
    for name in names:
        with contextlib.suppress(ImportError):
            yield importlib.import_module(name)


Tried = Sequence[tuple[ModuleType, str]]


def judging(tried: Tried) -> Iterator[str]:
    """Yield the functions that judge a generator's maze whole, such as ``lab.commands.building:_flaws``."""
    for module, name in tried:
        with contextlib.suppress(BaseException), contextlib.redirect_stdout(io.StringIO()):
            function = _found(module, name)
            if worker.run(partial(_judges, function), seconds=_SECONDS):
                yield f"{module.__name__}:{name}"


def earning(tried: Tried, kit: Path, scratch: Path) -> Iterator[tuple[str, str]]:
    """Yield the functions of a kit that earn points, each with the exercise."""
    for exercise, (module, name) in product(EXERCISES, tried):
        if exercise.kind not in _ASKED or module.__name__.startswith(GIVEN):
            continue
        for wrap in _hopeful(exercise, module, name):
            pasted = Pasted(module.__name__, name, wrap)
            if _points(exercise, pasted, scratch / "handed-in", kit / "student_template"):
                yield f"{pasted.module}.{name}", exercise.id
                break


if __name__ == "__main__":
    kit, scratch = map(Path, sys.argv[1:])
    os.environ["MAZE_SUBMISSION"] = str(kit / "student_template")
    tried = [(module, name) for module in _modules(kit) for name in _functions(module)]
    told = {"earning": [*earning(tried, kit, scratch)]}
    print(
        json.dumps({**told, "judging": [*judging(tried)]})
    )  # last, since what is called so may change the lab
