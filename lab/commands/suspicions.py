"""Guesses the mistake behind moves that are nearly a way, and behind a checker that finds no maze perfect."""

from __future__ import annotations

from collections.abc import Callable

from lab.commands.mazes import make_bound
from lab.maze import Maze
from lab.vector import MOVES, Vector
from lab.watch import Watch, WatchedMaze
from lab.way import flaw, is_list

_LOOKED_AT = 30
"""A longer list is not searched for moves that are too many."""


def suspicion(maze: Maze, returned: object) -> str:
    """Say which small change would turn the moves into a way; "" if none is found."""
    if not is_list(returned) or any(move not in MOVES for move in returned):
        return ""
    moves = [Vector(*move) for move in returned]
    looks: tuple[Callable[[Maze, list[Vector]], str], ...] = (_turned_round, _too_many, _shared)
    return next((said for look in looks if (said := look(maze, moves))), "")


def _turned_round(maze: Maze, moves: list[Vector]) -> str:
    opposite = [move.opposite() for move in moves]
    if flaw(maze, moves[::-1]) is None:
        return "Read from its end, the list is a way: it is still to be turned round."
    if flaw(maze, opposite) is None or flaw(maze, opposite[::-1]) is None:
        return "It holds the moves that lead from E to S: the opposite ones lead from S to E."
    return ""


def _too_many(maze: Maze, moves: list[Vector]) -> str:
    for length in range(1, len(moves) if len(moves) <= _LOOKED_AT else 0):
        for start in range(len(moves) - length + 1):
            if flaw(maze, moves[:start] + moves[start + length :]) is None:
                which = f"move {start + 1}" if length == 1 else f"moves {start + 1} to {start + length}"
                return f"Without {which} it is a way: were they made where the search had to turn back?"
    return ""


def _shared(maze: Maze, moves: list[Vector]) -> str:
    """Say that a part of the moves, in their order, leads to the exit."""
    cells = {maze.entry}
    for move in moves if len(moves) <= _LOOKED_AT else ():
        cells |= {cell + move for cell in cells if maze.is_valid_at(cell, move)}
    if maze.exit not in cells:
        return ""
    return "Some of its moves are a way: do several cells share one list, to which each adds?"


def counted_twice(is_perfect: Callable[[Maze], object]) -> str:
    """Say that a checker counts each passage twice, as corridors show; "" if they do not."""
    if _asked(is_perfect, Maze(_row("S E")))[0] is not False:
        return ""
    if any(_stops_in_the_second_cell(is_perfect, corridor) for corridor in _corridors()):
        return (
            "In a corridor it stops in the second cell, where all that it has seen before is the cell from "
            "which it came: does the way back count as a second way?"
        )
    rows = {
        "S E| ": True,
        "S   E| | ": True,
        "S|E| ": False,
        "S E| | | ": False,
    }  # half the passages it takes
    if all(_asked(is_perfect, Maze(_row(inside)))[0] is said for inside, said in rows.items()):
        return (
            "It calls three cells with one passage perfect, and five with two: does it count each passage "
            "twice, once from each side?"
        )
    return ""


def _corridors() -> list[Maze]:
    """Return a corridor for each direction from the entry: in some of them the way back is explored first."""
    column = ["+-+", "|S|", *["+ +", "| |"] * 4, "+ +", "|E|", "+-+"]
    return [Maze(lines) for lines in (_row("S         E"), _row("E         S"), column, column[::-1])]


def _row(inside: str) -> list[str]:
    border = "+-" * (len(inside) // 2 + 1) + "+"
    return [border, f"|{inside}|", border]


def _stops_in_the_second_cell(is_perfect: Callable[[Maze], object], corridor: Maze) -> bool:
    said, cells = _asked(is_perfect, corridor)
    ends = (corridor.dimension.all_positions()[:2], corridor.dimension.all_positions()[:-3:-1])
    return said is False and tuple(cells) in ends


def _asked(is_perfect: Callable[[Maze], object], maze: Maze) -> tuple[object, list[tuple[int, int]]]:
    """Return a checker's answer about a maze, and the cells that it asked about, in order."""
    watch = Watch(make_bound(maze.dimension.position_count))
    try:
        said = is_perfect(WatchedMaze.of(maze, watch))
    except Exception:  # noqa: BLE001 - a student's code may fail here in any other way
        said = None
    return said, [*dict.fromkeys(watch.streams()[0])] if watch.streams() else []
