"""Right solvers composed of parts: how they ask for moves, keep pending cells, and recognise the exit.

A part that asks gets the maze, a cell and the known cells, and returns the moves to unknown cells; one that
explores gets the maze, the two other parts, and whether it stops as soon as it sees the exit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count, product
from typing import Any

from lab import MOVES, Vector

Known = Callable[[Vector], bool]
Ask = Callable[[Any, Vector, Known], list[Vector]]
IsExit = Callable[[Vector], bool]
Way = list[Vector] | None
Explore = Callable[[Any, Ask, IsExit, bool], Way]


def _inside(maze: Any, cell: Vector) -> list[Vector]:
    return [move for move in MOVES if maze.dimension.includes(cell + move)]


ASKS: dict[str, Ask] = {
    "moves": lambda maze, cell, known: [m for m in maze.valid_moves_at(cell) if not known(cell + m)],
    "valid": lambda maze, cell, known: [
        m for m in MOVES if maze.is_valid_at(cell, m) and not known(cell + m)
    ],
    "valid, if new": lambda maze, cell, known: [
        m for m in MOVES if not known(cell + m) and maze.is_valid_at(cell, m)
    ],
    "walls": lambda maze, cell, known: [
        m for m in maze.moves_at(cell) if not maze.is_wall(cell, m) and not known(cell + m)
    ],
    "walls, if new": lambda maze, cell, known: [
        m for m in _inside(maze, cell) if not known(cell + m) and not maze.is_wall(cell, m)
    ],
    "far side": lambda maze, cell, known: [
        m for m in _inside(maze, cell) if maze.is_clear(cell + m, m.opposite()) and not known(cell + m)
    ],
    "far side, if new": lambda maze, cell, known: [
        m for m in _inside(maze, cell) if not known(cell + m) and maze.is_clear(cell + m, m.opposite())
    ],
    "leads back, if new": lambda maze, cell, known: [
        m
        for m in _inside(maze, cell)
        if not known(cell + m) and m.opposite() in maze.valid_moves_at(cell + m)
    ],
}


def _once(maze: Any) -> IsExit:
    exit_ = maze.exit
    return lambda cell: cell == exit_


EXITS: tuple[Callable[[Any], IsExit], ...] = (
    lambda maze: maze.is_exit,
    lambda maze: lambda cell: cell == maze.exit,
    lambda maze: lambda cell: maze.has_exit() and cell == maze.exit,
    _once,
)


def _back(came_by: dict[Vector, Vector | None], cell: Vector) -> list[Vector]:
    way = []
    while (move := came_by[cell]) is not None:
        way.append(move)
        cell = cell + move.opposite()
    return way[::-1]


def _waiting(take: Callable[[Any], Vector], turned: bool) -> Explore:
    """Keep pending cells, each marked when it is found."""

    def explore(maze: Any, ask: Ask, is_exit: IsExit, stops: bool) -> Way:
        came_by: dict[Vector, Vector | None] = {maze.entry: None}
        waiting = deque([maze.entry])
        while waiting:
            cell = take(waiting)
            if is_exit(cell):
                return _back(came_by, cell)
            moves = ask(maze, cell, came_by.__contains__)
            for move in reversed(moves) if turned else moves:
                came_by[cell + move] = move
                if stops and is_exit(cell + move):
                    return _back(came_by, cell + move)
                waiting.append(cell + move)
        return None

    return explore


def _with_ways(take: Callable[[Any], Any], turned: bool) -> Explore:
    """Keep pending cells with the ways to them, each marked when it is taken."""

    def explore(maze: Any, ask: Ask, is_exit: IsExit, stops: bool) -> Way:
        waiting: Any = deque([(maze.entry, [])])
        visited: set[Vector] = set()
        while waiting:
            cell, way = take(waiting)
            if cell in visited:
                continue
            visited.add(cell)
            if is_exit(cell):
                return way  # type: ignore[no-any-return]
            moves = ask(maze, cell, visited.__contains__)
            for move in reversed(moves) if turned else moves:
                if stops and is_exit(cell + move):
                    return [*way, move]
                waiting.append((cell + move, [*way, move]))
        return None

    return explore


def _layers(maze: Any, ask: Ask, is_exit: IsExit, stops: bool) -> Way:
    came_by: dict[Vector, Vector | None] = {maze.entry: None}
    layer = [maze.entry]
    while layer:
        beyond = []
        for cell in layer:
            if is_exit(cell):
                return _back(came_by, cell)
            for move in ask(maze, cell, came_by.__contains__):
                came_by[cell + move] = move
                if stops and is_exit(cell + move):
                    return _back(came_by, cell + move)
                beyond.append(cell + move)
        layer = beyond
    return None


def _everywhere(maze: Any, ask: Ask, is_exit: IsExit, stops: bool) -> Way:
    """Go on after the exit, or stop the search but not the loop."""
    came_by: dict[Vector, Vector | None] = {maze.entry: None}
    cells, found = [maze.entry], None
    for cell in cells:
        found = cell if is_exit(cell) else found
        for move in ask(maze, cell, came_by.__contains__) if not (stops and found) else ():
            came_by[cell + move] = move
            cells.append(cell + move)
    return None if found is None else _back(came_by, found)


def _heap(maze: Any, ask: Ask, is_exit: IsExit, stops: bool) -> Way:
    number = count()
    came_by: dict[Vector, Vector | None] = {maze.entry: None}
    cost = {maze.entry: 0}
    heap, done = [(0, next(number), maze.entry)], set()
    while heap:
        _, _, cell = heappop(heap)
        if cell in done:
            continue
        done.add(cell)
        if is_exit(cell):
            return _back(came_by, cell)
        for move in ask(maze, cell, done.__contains__):
            if cell + move not in cost or cost[cell] + 1 < cost[cell + move]:
                cost[cell + move], came_by[cell + move] = cost[cell] + 1, move
                if stops and is_exit(cell + move):
                    return _back(came_by, cell + move)
                heappush(heap, (cost[cell + move], next(number), cell + move))
    return None


def _recursive(marks_when_entered: bool) -> Explore:
    def explore(maze: Any, ask: Ask, is_exit: IsExit, stops: bool) -> Way:
        visited = {maze.entry}

        def down(cell: Vector) -> Way:
            visited.add(cell)
            if is_exit(cell):
                return []
            moves = MOVES if marks_when_entered else ask(maze, cell, visited.__contains__)
            for move in moves:
                if cell + move in visited or move not in ask(maze, cell, visited.__contains__):
                    continue
                rest = [] if stops and is_exit(cell + move) else down(cell + move)
                if rest is not None:
                    return [move, *rest]
            return None

        return down(maze.entry)

    return explore


def _backtracking(maze: Any, ask: Ask, is_exit: IsExit, stops: bool) -> Way:
    way: list[Vector] = []
    cell, visited = maze.entry, {maze.entry}
    while not is_exit(cell):
        moves = ask(maze, cell, visited.__contains__)
        if moves:
            way.append(moves[0])
            cell = cell + moves[0]
            visited.add(cell)
            if stops and is_exit(cell):
                return way
        elif way:
            cell = cell + way.pop().opposite()
        else:
            return None
    return way


def _trying(maze: Any, _: Ask, is_exit: IsExit, __: bool) -> Way:
    """Let each call check its own position; it asks in its own way."""
    visited: set[Vector] = set()

    def enter(cell: Vector, came: Vector | None) -> Way:
        if cell in visited or not maze.dimension.includes(cell):
            return None
        if came is not None and came.opposite() not in maze.valid_moves_at(cell):
            return None
        visited.add(cell)
        if is_exit(cell):
            return []
        ways = ((move, enter(cell + move, move)) for move in MOVES)
        return next(([move, *rest] for move, rest in ways if rest is not None), None)

    return enter(maze.entry, None)


def _first(waiting: Any) -> Any:
    return waiting.popleft()


def _last(waiting: Any) -> Any:
    return waiting.pop()


EXPLORE: dict[str, dict[str, Explore]] = {
    "dfs": {
        "stack": _waiting(_last, turned=True),
        "stack of ways": _with_ways(_last, turned=True),
        "recursive": _recursive(marks_when_entered=True),
        "recursive over a list": _recursive(marks_when_entered=False),
        "backtracking": _backtracking,
        "trying": _trying,
    },
    "bfs": {
        "queue": _waiting(_first, turned=False),
        "queue of ways": _with_ways(_first, turned=False),
        "layers": _layers,
        "everywhere": _everywhere,
    },
    "dijkstra": {"heap": _heap, "queue": _waiting(_first, turned=False)},
}
STYLES = [
    (exercise, how, asks) for exercise, explored in EXPLORE.items() for how, asks in product(explored, ASKS)
]


def solvers(exercise: str, how: str, asks: str) -> Iterator[type]:
    """Yield a style's solvers, one for each way to recognise the exit and to stop there.

    One more takes only the entry from its search.
    """
    explore, ask = EXPLORE[exercise][how], ASKS[asks]
    for knows, stops in product(EXITS, (False, True)):
        yield _solver(explore, ask, knows, stops)
    yield _solver(explore, ask, EXITS[1], stops=False, takes=True)


def _solver(
    explore: Explore, ask: Ask, knows: Callable[[Any], IsExit], stops: bool, takes: bool = False
) -> type:
    class FromParts:
        def solve(self, maze: Any, search: Any) -> Way:
            if takes:
                search.mark_as_pending(maze.entry)
                search.first_pending()
            return explore(maze, ask, knows(maze), stops)

    return FromParts
