"""How right and wrong solvers explore a maze, composed of functions.

A style is a way to write a solver; all right styles of a kind of solver visit the cells in the prescribed
order, but may return different ways in mazes with cycles. A wrong model changes one function of each style.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Any

from grader.exercises.kit.facts import goes_deep
from lab import Maze, Vector
from lab.exercises import BY_ID, Takes

SLACK = 2_000
"""A search is endless if it takes this many cells more than twice the cells of the maze."""


@dataclass(slots=True, eq=False)
class Node:
    """A found cell, with its predecessor and its cost."""

    cell: Vector
    by: Node | None
    cost: int


@dataclass(slots=True)
class State:
    """The state of a search."""

    maze: Maze
    known: dict[Vector, Node] = field(default_factory=dict)
    pending: list[Node] = field(default_factory=list)
    visited: dict[Vector, Node] = field(default_factory=dict)


Ends = Callable[[Maze, Node], Iterable[Vector]]
"""Return a cell's neighbours in the order in which they are found."""
Take = Callable[[State], Node]
Note = Callable[[State, Node, Vector], None]
Again = Callable[[State, Node], bool]
"""Return whether a taken cell is skipped because it was visited before."""
Stop = Callable[[State, Vector], bool]
"""Return whether the search is over, given a taken or found cell."""


@dataclass(frozen=True, slots=True)
class Style:
    """A solver."""

    ends: Ends
    take: Take
    note: Note
    again: Again
    stop_taken: Stop
    stop_found: Stop


@dataclass(frozen=True, slots=True)
class Journey:
    """What a solver did in a maze."""

    visits: tuple[Vector, ...]
    cells: tuple[Vector, ...] | None
    """The cells of the way from the entry to the exit; None if none was found."""
    endless: bool = False


@lru_cache(maxsize=30_000)
def journey(style: Style, text: str) -> Journey:
    """Explore a maze; cached for the next submission, since all get the same mazes."""
    state = State(maze_of(text))
    _start(state)
    for _ in range(2 * state.maze.dimension.position_count + SLACK):
        if not state.pending or _step(style, state):
            return Journey(tuple(state.visited), _cells(state))
    return Journey(tuple(state.visited), None, endless=True)


@lru_cache(maxsize=2_000)
def maze_of(text: str) -> Maze:
    """Read a maze, cached; nobody changes it."""
    return Maze.from_text(text)


def _start(state: State) -> None:
    node = Node(state.maze.entry, None, 0)
    state.known[node.cell] = node
    state.pending.append(node)


def _step(style: Style, state: State) -> bool:
    """Take one cell and find its neighbours; return whether the search is over."""
    node = style.take(state)
    if style.again(state, node):
        return False
    state.visited.setdefault(node.cell, node)
    if node.cell == state.maze.exit:
        state.known[node.cell] = node
    if style.stop_taken(state, node.cell):
        return True
    for end in style.ends(state.maze, node):
        style.note(state, node, end)
        if style.stop_found(state, end):
            return True
    return False


def _cells(state: State) -> tuple[Vector, ...] | None:
    node = state.known.get(state.maze.exit) if state.maze.exit is not None else None
    if node is None:
        return None
    cells: list[Vector] = []
    while node is not None:
        cells.append(node.cell)
        node = node.by
    return tuple(reversed(cells))


# --- neighbours ---------------------------------------------------------------------------------


def in_order(maze: Maze, node: Node) -> list[Vector]:
    """Return the neighbours in the order North, East, South, West."""
    return [node.cell + move for move in maze.valid_moves_at(node.cell)]


def in_reverse(maze: Maze, node: Node) -> list[Vector]:
    """Return the neighbours in the order West, South, East, North."""
    return in_order(maze, node)[::-1]


@lru_cache
def by_priority(moves: tuple[Vector, ...]) -> Ends:
    """Return an ``Ends`` with any fixed order of moves."""

    def ends(maze: Maze, node: Node) -> list[Vector]:
        open_ = maze.valid_moves_at(node.cell)
        return [node.cell + move for move in moves if move in open_]

    return ends


# --- taking -------------------------------------------------------------------------------------


def first(state: State) -> Node:
    """Take the cell found first."""
    return state.pending.pop(0)


def last(state: State) -> Node:
    """Take the cell found last."""
    return state.pending.pop()


def closest(state: State) -> Node:
    """Take the cell closest to the entry, the earliest found if there are several."""
    costs = [node.cost for node in state.pending]  # where no cell is ever marked, there are thousands
    return state.pending.pop(costs.index(min(costs)))


def least(rank: Callable[[State, Node, int], tuple[Any, ...]]) -> Take:
    """Return a ``Take`` of the cell with the least rank, given the cell and its place in the list."""

    def take(state: State) -> Node:
        pending = state.pending
        return pending.pop(min(range(len(pending)), key=lambda at: rank(state, pending[at], at)))

    return take


# --- noting -------------------------------------------------------------------------------------


def when_found(state: State, node: Node, end: Vector) -> None:
    """Mark a cell when it is found."""
    if end not in state.known:
        state.known[end] = Node(end, node, node.cost + 1)
        state.pending.append(state.known[end])


def by_search(state: State, node: Node, end: Vector) -> None:
    """Record a cell as ``Search.record`` does: a shorter way replaces a longer one."""
    known = state.known.get(end)
    if known is None:
        when_found(state, node, end)
    elif node.cost + 1 < known.cost:
        known.by, known.cost = node, node.cost + 1


def when_visited(state: State, node: Node, end: Vector) -> None:
    """Mark a cell only when it is visited; its predecessor is then the cell that put it on the list."""
    if end not in state.visited:
        state.pending.append(Node(end, node, node.cost + 1))
        state.known.setdefault(end, state.pending[-1])


def always(state: State, node: Node, end: Vector) -> None:
    """Put a cell on the list every time, without marking it."""
    state.pending.append(Node(end, node, node.cost + 1))
    state.known.setdefault(end, state.pending[-1])


def visited(state: State, node: Node) -> bool:
    """Return whether the cell was visited before."""
    return node.cell in state.visited


def never(_state: object, _what: object) -> bool:
    """Return False for any argument."""
    return False


def at_exit(state: State, cell: Vector) -> bool:
    """Return whether the cell is the exit."""
    return cell == state.maze.exit


# --- right styles -------------------------------------------------------------------------------

_NOTES: tuple[Note, ...] = (when_found, by_search, when_visited)
_STOPS: tuple[tuple[Stop, Stop], ...] = ((at_exit, never), (at_exit, at_exit))
_KINDS: Mapping[Takes, tuple[Ends, Take]] = {
    "last found": (in_reverse, last),
    "first found": (in_order, first),
    "closest": (in_order, closest),
}


def right_styles(exercise: str) -> list[Style]:
    """Return the right ways to write a solver."""
    ends, take = _KINDS[BY_ID[exercise].takes]
    return [
        Style(ends, take, note, visited, taken, found) for note, (taken, found) in product(_NOTES, _STOPS)
    ]


def with_take(exercise: str, take: Take, *orders: Ends) -> Iterator[Style]:
    """Yield the styles with another choice of cell, and one of these orders of neighbours."""
    for style, ends in product(right_styles(exercise), orders or (_KINDS[BY_ID[exercise].takes][0],)):
        yield replace(style, ends=ends, take=take)


def with_ends(exercise: str, change: Callable[[Ends], Ends]) -> Iterator[Style]:
    """Yield the styles with other neighbours."""
    for style in right_styles(exercise):
        yield replace(style, ends=change(style.ends))


def explored_as(exercise: str, moves: Sequence[Vector]) -> Ends:
    """Return the order of finding neighbours that makes a solver explore moves in this order."""
    return by_priority(tuple(reversed(moves) if goes_deep(exercise) else moves))
