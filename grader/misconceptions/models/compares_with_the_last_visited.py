"""Compares with the cell visited last instead of the one it came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from grader.misconceptions.answers import Features, by_features
from grader.misconceptions.model import Model
from lab import Vector


def _answer(maze: Features, order: Callable[[Sequence[Vector]], Sequence[Vector]]) -> bool:
    """A known neighbour that is not the cell visited just before is taken for a cycle."""
    pending, known, before, count = [maze.maze.entry], {maze.maze.entry}, None, 0
    while pending:
        cell = pending.pop()
        count += 1
        for end in order([cell + move for move in maze.maze.valid_moves_at(cell)]):
            if end not in known:
                known.add(end)
                pending.append(end)
            elif end != before:
                return False
        before = cell
    return count == len(maze.cells)


def _marking_visited(maze: Features, order: Callable[[Sequence[Vector]], Sequence[Vector]]) -> bool:
    """The same, with cells marked when they are visited."""
    pending, visited, before = [maze.maze.entry], set[Vector](), None
    while pending:
        cell = pending.pop()
        visited.add(cell)
        for end in order([cell + move for move in maze.maze.valid_moves_at(cell)]):
            if end not in visited:
                pending.append(end)
            elif end != before:
                return False
        before = cell
    return len(visited) == len(maze.cells)


_ORDERS: tuple[Callable[[Sequence[Vector]], Sequence[Vector]], ...] = (tuple, lambda ends: ends[::-1])


MODEL = Model(
    name="compares-with-the-last-visited",
    exercises=("perfection",),
    explains=by_features(
        *(partial(answer, order=order) for answer in (_answer, _marking_visited) for order in _ORDERS)
    ),
    hints={
        "en": (
            "Your checker takes mazes that branch for imperfect. When it meets a cell that it knows, "
            "it compares it with the cell that it visited just before. Is that always the cell from "
            "which it came to this one? Try it behind a dead end."
        ),
        "nb": (
            "Sjekkeren din tar labyrinter som forgrener seg, for å være uperfekte. Når den møter en "
            "celle den kjenner, sammenligner den med cellen den besøkte like før. Er det alltid "
            "cellen den kom til denne fra? Prøv bak en blindvei."
        ),
    },
)
