"""The questions on paper: three mazes drawn from a name, and the file to fill in by hand.

The mazes depend on the name alone, on every machine, so that whoever reads the file knows them without
trusting it. This module knows no answer.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Final, TypeVar

from lab.dimension import Dimension
from lab.factory import Factory
from lab.generators.aldous_broder import AldousBroder
from lab.maze import Maze
from lab.vector import MOVES, Vector

T = TypeVar("T")

FILE: Final = "analysis.py"
SOLVERS: Final = ("DFS", "BFS", "Dijkstra")
MAZES: Final = {"room": "an empty room", "corridor": "a long corridor", "regular": "a regular maze"}
"""The mazes by their names in the file."""
_SIDES: Final = (4, 5, 6)
MOST_WORDS: Final = 1_000
"""The most characters of an answer in words; what is beyond them is not read."""
_MOST_NAME: Final = 60
"""The most characters of a name."""
_TURNS: Final = 20
"""How often per cell the ends of a corridor are moved, until its start has no influence."""


def answer_name(solver: str, maze: str) -> str:
    """Return the name of an order of visits in the file, such as ``dfs_room``."""
    return f"{solver.lower()}_{maze}"


def first_name(maze: str) -> str:
    """Return the name of the answer about who reaches the exit first."""
    return f"first_{maze}"


def why_name(maze: str) -> str:
    """Return the name of the answer in words about why the orders of a maze differ."""
    return f"why_{maze}"


def name_key(name: object) -> str | None:
    """Return a name in normalised form, without case and spaces; None for an invalid name."""
    if not isinstance(name, str) or len(name) > _MOST_NAME:
        return None
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    is_name = plain.isprintable() and any(map(str.isalpha, plain))
    return plain.casefold() if is_name else None


@lru_cache(maxsize=1024)
def draw(name: str) -> Mapping[str, Maze]:
    """Return the mazes of a name; read-only. Raises ValueError for an invalid name."""
    key = name_key(name)
    if key is None:
        raise ValueError(
            f"expected a name with a letter, of at most {_MOST_NAME} characters, got {name!r:.80}"
        )
    makers = {"room": _room, "corridor": _corridor, "regular": _regular}
    return {maze: makers[maze](_luck(f"{maze} of {key}")) for maze in MAZES}


def page(name: str) -> str:
    """Return the file for a name, still to be filled in. Raises ValueError for an invalid name."""
    parts = [_HEAD.format(name=json.dumps(" ".join(name.split()), ensure_ascii=False))]
    for maze, drawn in draw(name).items():
        answers = "".join(f"{answer_name(solver, maze)} = []\n" for solver in SOLVERS)
        first = f'{first_name(maze)} = []\n{why_name(maze)} = ""\n'
        parts.append(f'# {MAZES[maze].capitalize()}\n{maze} = """\n{drawn.to_text()}"""\n\n{answers}{first}')
    return "\n".join(parts)


_HEAD: Final = '''"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Fill in the lists by hand, as in  dfs_room = [(2, 2), (1, 2), (1, 3)]: the cells as (row, column), in the
order in which they are visited, from S to E. Moves are explored North, East, South, West. Then say who
comes to E after the fewest visits, as in  first_room = ["DFS"], and name all where several do. Where your
course asks why, say it in your own words, in at most 1,000 characters: why_room = "Because …"

This file is read and never run: it holds numbers, texts and lists, and nothing else.
"""

# The mazes are drawn from the name: leave both as they are.
name = {name}
'''


# --- the mazes --------------------------------------------------------------------------------------


def _luck(word: str) -> Random:
    return Random(int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big"))


def _pick(luck: Random, among: Sequence[T]) -> T:
    """Draw one by ``random()``, which gives the same numbers in every version of Python."""
    return among[int(luck.random() * len(among))]


def _dimension(luck: Random) -> Dimension:
    return Dimension(_pick(luck, _SIDES), _pick(luck, _SIDES))


def _room(luck: Random) -> Maze:
    """Return a maze without inner walls, its exit three or four moves away, not straight ahead."""
    dimension = _dimension(luck)
    entry = _pick(luck, dimension.all_positions())
    ends = [
        cell
        for cell in dimension.all_positions()
        if entry.row != cell.row
        and entry.column != cell.column
        and abs(entry.row - cell.row) + abs(entry.column - cell.column) in (3, 4)
    ]
    return _with_ends(Factory().fully_connected(dimension), entry, _pick(luck, ends))


def _corridor(luck: Random) -> Maze:
    """Return one corridor through all cells, with the entry in its middle third."""
    dimension = _dimension(luck)
    cells = _path_through_all(dimension, luck)
    start = len(cells) // 3 + int(luck.random() * (len(cells) // 3))
    ahead = _pick(luck, (cells[start + 3 :], cells[: start - 2]))
    maze = Factory().fully_disconnected(dimension)
    for here, there in pairwise(cells):
        maze.break_wall(here, (there.row - here.row, there.column - here.column))
    return _with_ends(maze, cells[start], _pick(luck, ahead))


def _path_through_all(dimension: Dimension, luck: Random) -> list[Vector]:
    """Return a path through all cells: one that winds, and whose ends are moved about by "backbites".

    Source: R. Oberdorf, A. Ferguson, J. L. Jacobsen and J. Kondev, "Secondary structures in long compact
    polymers" (Physical Review E 74, 2006).
    """
    rows = range(1, dimension.row_count + 1)
    columns = [*range(1, dimension.column_count + 1)]
    path = [Vector(row, column) for row in rows for column in (columns if row % 2 else columns[::-1])]
    for _ in range(_TURNS * len(path)):
        if luck.random() < 0.5:
            path.reverse()
        beside = [path[-1] + move for move in MOVES if dimension.includes(path[-1] + move)]
        place = path.index(_pick(luck, beside)) + 1
        path[place:] = path[place:][::-1]
    return path


def _regular(luck: Random) -> Maze:
    """Return a perfect maze, its exit among the half of the cells that is farther from the entry."""
    maze = AldousBroder(luck).generate(Factory(), _dimension(luck))
    entry = _pick(luck, maze.dimension.all_positions())
    cells = sorted(maze.dimension.all_positions(), key=lambda cell: _turns(maze, entry, cell))
    return _with_ends(maze, entry, _pick(luck, cells[len(cells) // 2 :]))


def _turns(maze: Maze, entry: Vector, cell: Vector) -> tuple[int, str]:
    """Return how far a cell of a perfect maze is from the entry, and by which sides the way leads there.

    The dead ends between other cells are walled up, one after the other, until nothing but the way is open.
    """
    left, ends = maze.copy(), set(maze.dimension.all_positions()) - {entry, cell}
    while walled := [end for end in ends if len(left.valid_moves_at(end)) == 1]:
        for end in walled:
            left.build_wall(end, left.valid_moves_at(end)[0])
    sides = ""
    while entry != cell:
        (move,) = left.valid_moves_at(entry)
        left.build_wall(entry, move)
        entry, sides = entry + move, sides + str(MOVES.index(move))
    return len(sides), sides


def _with_ends(maze: Maze, entry: Vector, exit_: Vector) -> Maze:
    """Return the maze with its entry and its exit elsewhere."""
    lines = [list(line) for line in maze.to_text().replace("S", " ").replace("E", " ").splitlines()]
    for letter, cell in (("S", entry), ("E", exit_)):
        lines[2 * cell.row - 1][2 * cell.column - 1] = letter
    return Maze(["".join(line) for line in lines])
