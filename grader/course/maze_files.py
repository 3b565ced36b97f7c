"""Test mazes: one YAML file each, made by hand or by a generator, validated before anything is graded."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, get_args
from unicodedata import normalize

import yaml
from msgspec import Meta

from grader.course.statements import (
    FROM_ONE,
    WITH_MAZES,
    read_cell,
    read_maze_statements,
    read_most_cost,
)
from grader.course.statements import format_cell as _cell
from grader.course.yaml_source import MAX_BYTES, read_yaml
from grader.course.yaml_values import Value, fields_of, hint, quoted, read_fields
from grader.errors import InputError, MazeFileError
from grader.exercises.kit.costs import has_costs
from grader.exercises.kit.draw import with_cycle_in_reach, with_walls
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.small_mazes import Stated
from grader.exercises.registry import shared_names
from grader.model import Visibility
from grader.text import in_bytes
from lab import Dimension, Factory, Generator, Maze, MazeFormatError, Vector
from lab.costs import draw_costs
from lab.exercises import SOLVER_IDS

_LIKE_AN_ID: Final = re.compile(r"[^\s.]+\.[^\s.]+")


def read_catches(value: Value, exercises: Collection[str]) -> tuple[str, ...]:
    """Return the mistakes of ``catches``, ids in lower case; ``exercises`` are those that use the maze."""
    if not isinstance(value.node, yaml.SequenceNode):
        return (_part(value, exercises),)
    return value.distinct(
        lambda part: _part(part, exercises), "a mistake, in words or by its id", shown=quoted
    )


def _part(part: Value, exercises: Collection[str]) -> str:
    text = part.text(most=200)
    id_ = text.casefold()
    if id_ not in shared_names():
        return text
    exercise = id_.partition(".")[0]
    if exercise not in exercises:
        part.refuse(
            f"{id_} is a mistake in {exercise}, and this maze is for {', '.join(exercises) or 'others'}"
        )
    return id_


VISIBILITIES: Final = get_args(Visibility)


@dataclass(frozen=True, slots=True)
class MazeKeys:
    """The keys of a test maze's file."""

    name: Annotated[str, Meta(max_length=80, description="of its own, which feedback shows")]
    catches: Annotated[Any, Meta(description="the mistakes that it is to catch: words, or ids of mistakes")]
    visibility: Annotated[Visibility, Meta(description="whether students get it")]
    maze: Annotated[Any, Meta(description="the drawing, as a block below 'maze: ...'")]
    exercises: Annotated[Any, Meta(description="a list of those that use it, if not all do")] = None
    visit_order: Annotated[Any, Meta(description="by solver, the cells in order of their visit")] = None
    at_most_visits: Annotated[Any, Meta(description="cells that a solver may visit, of all or by solver")] = (
        None
    )
    at_most_moves: Annotated[Any, Meta(description="moves that a solver may return")] = None
    must_visit: Annotated[Any, Meta(description="a list of cells that every right solver visits")] = None
    at_most_cost: Annotated[Any, Meta(description="what the way may cost, in a maze with costs")] = None
    way: Annotated[Any, Meta(description="the moves of the only right way")] = None


Agrees = Callable[[str, Maze, tuple[Vector, ...]], "str | None"]
"""Checks whether a visit order is right for an exercise; returns a complaint, or None."""


@dataclass(frozen=True, slots=True)
class MazeFile:
    """A test maze, and the mistake that it is meant to catch."""

    name: str
    catches: str
    visibility: Visibility
    exercises: tuple[str, ...]
    """Empty for a maze with costs that names none: it is for all exercises that ask about costs."""
    visit_order: Mapping[str, tuple[Vector, ...]]
    """The visit orders that the file gives, by exercise."""
    maze: Maze
    text: str
    path: Path
    places: Mapping[str, tuple[int, int]]
    """Line and column of each key's value in the file."""
    stated: Mapping[str, Stated] = field(default_factory=dict)
    """The file's statements about solvers, by exercise; by "" about all that ask about costs."""
    caught: tuple[str, ...] = ()
    """The parts of ``catches``: words, and ids of what wrong answers share."""

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The ids in ``catches``."""
        return tuple(part for part in self.caught if part in shared_names())

    @property
    def notes(self) -> Iterator[str]:
        """A line on each part of ``catches`` that looks like an id, and is none, or none any more."""
        for part in self.caught:
            if _LIKE_AN_ID.fullmatch(part) and part not in shared_names():
                exercise = part.partition(".")[0].casefold()
                known = [id_ for id_ in shared_names() if id_.partition(".")[0] == exercise]
                meant = hint(part.casefold(), known or shared_names())
                yield f"catches: {quoted(part)} is no id, so it is read as words; {meant}"


def load_maze_folder(
    folder: Path, *, agrees: Agrees | None = None, own: Sequence[str] = ()
) -> tuple[MazeFile, ...]:
    """Load all test mazes of a folder, sorted by file name. Raises MazeFileError."""
    loaded: list[MazeFile] = []
    names: dict[str, MazeFile] = {}
    texts: dict[str, MazeFile] = {}
    for path in _files(folder):
        maze = load_maze_file(path, agrees=agrees, own=own)
        _refuse_twin(maze, names.setdefault(_folded(maze.name), maze), "name")
        _refuse_twin(maze, texts.setdefault(maze.text, maze), "maze")
        loaded.append(maze)
    return tuple(loaded)


def load_maze_file(
    path: Path, *, agrees: Agrees | None = None, content: bytes | None = None, own: Sequence[str] = ()
) -> MazeFile:
    """Load a test maze from its file, or from the content to be written to it.

    ``own`` are the ids of the course's own exercises, for which a maze may be as well.
    Raises MazeFileError with the line and column of the mistake.
    """
    fields = fields_of(read_yaml(path, error=MazeFileError, content=content), MazeKeys)
    given = read_fields(fields, MazeKeys)
    name, visibility = given["name"], given["visibility"]
    maze = _maze(fields["maze"])
    with_costs = has_costs(maze.to_text())
    exercises = () if with_costs else WITH_MAZES
    if "exercises" in fields:
        exercises = _exercises(fields["exercises"], (*WITH_MAZES, *own), with_costs=with_costs)
    caught = read_catches(fields["catches"], exercises)
    orders: dict[str, tuple[Vector, ...]] = {}
    if "visit_order" in fields:
        for exercise, value in _orders(fields["visit_order"], exercises):
            orders[exercise] = _order(value, maze)
            complaint = agrees(exercise, maze, orders[exercise]) if agrees else None
            if complaint:
                value.refuse(complaint)
    solvers = [exercise for exercise in SOLVER_IDS if exercise in exercises]
    stated = read_maze_statements(fields, solvers, facts_of(maze.to_text()))
    if "at_most_cost" in fields:
        most = read_most_cost(fields["at_most_cost"], facts_of(maze.to_text()))
        stated |= {exercise: Stated(at_most_cost=most) for exercise in exercises or ("",)}
    places = {key: (value.line, value.column) for key, value in fields.items()}
    return MazeFile(
        *(name, ", ".join(caught), visibility, exercises, orders, maze, maze.to_text(), path, places),
        stated=stated,
        caught=caught,
    )


def load_other_mazes(path: Path, folders: Iterable[Path], own: Sequence[str]) -> tuple[MazeFile, ...]:
    """Return the other test mazes beside a file and in these folders, skipping invalid ones.

    ``own`` are the ids of the course's own exercises.
    """
    places = {folder.resolve(): folder for folder in (*folders, path.parent) if folder.is_dir()}
    found: list[MazeFile] = []
    for other in (other for folder in places.values() for other in sorted(folder.iterdir())):
        if other.suffix.lower() in (".yaml", ".yml") and other.resolve() != path.resolve():
            with suppress(MazeFileError):
                found.append(load_maze_file(other, own=own))
    return tuple(found)


def refuse_twins(maze: MazeFile, others: Iterable[MazeFile]) -> None:
    """Raise MazeFileError if another maze has the same name or drawing."""
    for other in others:
        if _folded(other.name) == _folded(maze.name):
            _refuse_twin(maze, other, "name")
        if other.text == maze.text:
            _refuse_twin(maze, other, "maze")


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()


def _files(folder: Path) -> list[Path]:
    """Return the YAML files; refuse other files, since a maze that is never used would go unnoticed."""
    try:
        paths = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise MazeFileError(f"the folder of mazes cannot be read: {error.strerror}", path=folder) from None
    kept = [path for path in paths if not path.name.startswith((".", "README")) and path.name[-1] != "~"]
    for path in kept:
        if path.suffix.lower() not in (".yaml", ".yml"):
            raise MazeFileError(
                "expected only .yaml or .yml files here, a maze each: move it away", path=path
            )
    return kept


def _refuse_twin(maze: MazeFile, first: MazeFile, key: str) -> None:
    if first is maze:
        return
    what, instead = {
        "name": (f"the name {quoted(maze.name)}", "give one of them another name"),
        "maze": ("the same drawing", "keep one of the two"),
    }[key]
    line, column = maze.places[key]
    raise MazeFileError(
        f"{key}: {what} stands in {first.path} already, in line {first.places[key][0]}: {instead}",
        path=maze.path,
        line=line,
        column=column,
    )


def _exercises(value: Value, known: Sequence[str], *, with_costs: bool) -> tuple[str, ...]:
    """Read the ids of exercises; those of the lab know nothing of costs."""

    def read(item: Value) -> str:
        if with_costs and item.node.value in WITH_MAZES:
            item.refuse(f"{item.node.value} is asked of mazes without costs only, and steps of this one cost")
        return item.choice(known)

    listed = value.distinct(read, f"at least one of {', '.join(known)}")
    return tuple(exercise for exercise in known if exercise in listed)


# --- the maze -----------------------------------------------------------------------------------


def _maze(value: Value) -> Maze:
    node = value.node
    if not isinstance(node, yaml.ScalarNode) or node.style != "|" or not node.value.strip():
        value.expected("the maze as a block: 'maze: |', and its lines below, indented alike")
    try:
        return Maze.from_text(node.value)
    except MazeFormatError as error:
        line = value.line + error.line
        content = value.node.value.split("\n")
        written = value.source.text.split("\n")[value.line + error.line - 1]
        column = len(written.rstrip("\r")) - len(content[error.line - 1]) + error.column
        _, _, picture = str(error).partition("\n")
        message = f"maze: expected {error.expected}, got {error.found}"
        value.source.refuse(f"{message}\n{picture}" if picture else message, line, column)


# --- the visit order ----------------------------------------------------------------------------


def _orders(value: Value, exercises: tuple[str, ...]) -> list[tuple[str, Value]]:
    usable = [exercise for exercise in SOLVER_IDS if exercise in exercises]
    orders = []
    for key, order in value.entries():
        exercise = key.node.value
        if exercise not in usable:
            key.refuse(
                f"no visit order can be given for {quoted(exercise)} here; {hint(exercise, usable)}"
                if usable
                else "no solver is among the exercises of this file, so it has no visit order"
            )
        orders.append((exercise, order))
    if not orders:
        value.expected("the visit order of a solver at least", "none")
    return orders


def _order(value: Value, maze: Maze) -> tuple[Vector, ...]:
    """Read the cells of a visit order; each must be reachable from an earlier one."""
    items = value.items()
    if not items:
        value.expected(f"the cells as they are visited, from the entry {_cell(maze.entry)}", "an empty list")
    order: list[Vector] = []
    known = {maze.entry}
    for item in items:
        cell = read_cell(item, maze.dimension.row_count, maze.dimension.column_count)
        if not order and cell != maze.entry:
            from_zero = f"; {FROM_ONE}" if cell + Vector(1, 1) == maze.entry else ""
            item.expected(f"the entry {_cell(maze.entry)} first", _cell(cell) + from_zero)
        if cell in order:
            item.refuse(f"{_cell(cell)} is visited twice")
        if cell not in known:
            item.expected("a cell with an opening to an earlier one", _cell(cell))
        order.append(cell)
        known.update(cell + move for move in maze.valid_moves_at(cell))
    _check_end(items, order, maze)
    return tuple(order)


def _check_end(items: list[Value], order: list[Vector], maze: Maze) -> None:
    """Refuse an order that does not end at the exit or, without a way there, misses a reachable cell."""
    reach = Facts(maze.to_text()).distances.keys()
    if maze.exit in reach:
        if maze.exit in order[:-1]:
            items[order.index(maze.exit) + 1].expected(
                f"the end of the order after the exit {_cell(maze.exit)}"
            )
        if order[-1] != maze.exit:
            items[-1].expected(f"the exit {_cell(maze.exit)} last", _cell(order[-1]))
    elif missed := sorted(reach - set(order)):
        items[-1].refuse(
            f"no way leads to an exit, so every cell in reach is visited: {_cell(missed[0])} is missing"
        )


_INDENT = 2
"""The indentation of the drawing in its file."""
WALLS_TRIED = 20
"""How many walls are tried to cut off a part of suitable size."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The kind of maze to make."""

    dimension: Dimension
    cycles: int = 0
    """The number of extra passages between reachable cells."""
    islands: int = 0
    """The number of unreachable parts."""
    has_exit: bool = True
    seed: int = 1
    costs: Sequence[int] | None = None
    """What steps may cost, each by lot; None where each costs 1."""


def new_maze(generator: Callable[[Random], Generator], wanted: Wanted) -> Maze:
    """Make the maze. Raises InputError if the cycles or islands do not fit."""
    rng = Random(wanted.seed)
    maze = generator(rng).generate(Factory(), wanted.dimension)
    passages = wanted.dimension.position_count - 1
    if wanted.islands > passages:
        raise InputError(
            f"--islands: {wanted.dimension} cells have room for {passages}, got {wanted.islands}"
        )
    for _ in range(wanted.islands):
        # the wall, of those tried, that cuts off a part and leaves closest to 3/4 of the cells reachable
        tried = filter(None, (with_walls(maze, rng, 1) for _ in range(WALLS_TRIED)))
        maze = min(tried, key=lambda cut: abs(len(facts_of(cut.to_text()).distances) - _goal(maze)))
    for made in range(wanted.cycles):
        more = with_cycle_in_reach(maze, rng)
        if more is None:
            raise InputError(f"--cycles: this maze has room for {made}, got {wanted.cycles}: make it larger")
        maze = more
    if wanted.costs is not None:
        maze = maze.copy()
        draw_costs(maze, wanted.costs, rng)
    return maze if wanted.has_exit else Maze.from_text(maze.to_text().replace("E", " "))


def check_size(dimension: Dimension, head: str) -> None:
    """Raise InputError, with the largest size of this shape that fits, if the maze is too large for a file.

    ``head`` is the text of the file without the drawing.
    """
    most = MAX_BYTES - len(head.encode())
    if _drawing_bytes(dimension) <= most:
        return
    sides = range(1, max(dimension.row_count, dimension.column_count))
    fits = bisect_left(sides, True, key=lambda side: _drawing_bytes(_scaled(dimension, side)) > most)
    raise InputError(
        f"--rows, --columns: a test maze is a file of {in_bytes(MAX_BYTES)} at the most, too small for "
        f"{dimension}; the largest of this shape is {_scaled(dimension, max(fits, 1))}"
    )


def _drawing_bytes(dimension: Dimension) -> int:
    lines, characters = 2 * dimension.row_count + 1, 2 * dimension.column_count + 1
    return lines * (_INDENT + characters + len("\n"))


def _scaled(dimension: Dimension, longer: int) -> Dimension:
    """Scale a dimension so that its longer side has this length, roughly keeping its shape."""
    rows, columns = dimension.row_count, dimension.column_count
    return Dimension(*(max(1, side * longer // max(rows, columns)) for side in (rows, columns)))


def _goal(maze: Maze) -> float:
    return 0.75 * len(facts_of(maze.to_text()).distances)


def as_yaml(maze: Maze, name: str, catches: str | Sequence[str], visibility: str) -> str:
    """Return the text of a maze file."""
    drawing = "".join(f"{' ' * _INDENT}{line}\n" for line in maze.to_text().split("\n"))
    return head_as_yaml(name, catches, visibility) + drawing


def head_as_yaml(name: str, catches: str | Sequence[str], visibility: str) -> str:
    """Return the text of a maze file up to the drawing."""
    head = [("name", _text(name)), ("catches", _text(catches)), ("visibility", visibility)]
    return "".join(f"{key}: {value}\n" for key, value in head) + "maze: |\n"


def _text(text: str | Sequence[str]) -> str:
    """Return a text or list of texts as YAML, using its subset JSON."""
    return json.dumps(text, ensure_ascii=False)
