"""What is seen of a solver, however it is written, and of mazes and searches that it makes itself."""

import copy
import pickle
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial, singledispatchmethod
from typing import Any

import pytest
from hypothesis import given

from lab import EAST, NORTH, Maze, Vector
from lab.visits import parting
from lab.watch import STREAMS, Watch, WatchedMaze, watched, watched_searches
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search
from tests.lab.drawn import mazes
from tests.lab.test_visits import BFS_A, A, B, C

ORDERS = {
    "A": (A, [(2, 2), (1, 2), (1, 3)], [(2, 2), (1, 2), (2, 3), (3, 2), (2, 1), (1, 3)]),
    "B": (
        B,
        [(2, 2), (2, 3), (1, 3), (1, 2), (1, 1), (2, 1), (3, 1)],
        [(2, 2), (2, 3), (2, 1), (1, 3), (3, 1)],
    ),
    "C": (
        C,
        [(2, 2), (1, 2), (1, 1), (2, 3), (1, 3), (3, 3), (2, 1), (3, 1), (3, 2)],
        [(2, 2), (1, 2), (2, 3), (2, 1), (1, 1), (1, 3), (3, 3), (3, 1), (3, 2)],
    ),
}
"""The table of the contract: the visits of DFS, and of BFS and Dijkstra."""


def own_queue(maze: Maze, _search: object) -> None:
    """A breadth-first search that keeps its own cells."""
    seen, queue = {maze.entry}, deque([maze.entry])
    while queue:
        cell = queue.popleft()
        if maze.is_exit(cell):
            return
        for move in maze.valid_moves_at(cell):
            if cell + move not in seen:
                seen.add(cell + move)
                queue.append(cell + move)


def recursive(maze: Maze, _search: object) -> None:
    """A depth-first search that calls itself."""
    seen = set()

    def visit(cell: Vector) -> bool:
        seen.add(cell)
        return maze.is_exit(cell) or any(
            visit(cell + move) for move in maze.valid_moves_at(cell) if cell + move not in seen
        )

    visit(maze.entry)


def seen_of(solve: Callable[[Maze, Search], object], maze: Maze) -> Watch:
    watch = Watch()
    solve(WatchedMaze.of(maze, watch), watched(Search, watch)())
    return watch


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize(
    ("solve", "column"),
    [(DFS().solve, 0), (recursive, 0), (BFS().solve, 1), (Dijkstra().solve, 1), (own_queue, 1)],
    ids=["dfs", "recursive dfs", "bfs", "dijkstra", "bfs with its own queue"],
)
def test_the_order_of_the_contract_is_seen_however_a_solver_is_written(
    name: str, solve: Callable[[Maze, Search], object], column: int
) -> None:
    maze, *orders = ORDERS[name]
    streams = seen_of(solve, maze).streams()
    assert any(parting(orders[column], stream, maze) is None for stream in streams)


class NoMethods:
    """A search of which all was deleted."""


class AnyMethod:
    """A search that has whatever is asked for."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


@pytest.mark.parametrize(("search_class", "raises"), [(NoMethods, True), (AnyMethod, False)])
def test_a_search_is_used_by_looking_for_what_it_lacks(search_class: type[Any], raises: bool) -> None:
    watch = Watch()
    search = watched(search_class, watch)()
    with suppress(AttributeError):
        assert search.other is not None
    assert not watch.used_search
    complaint = "'NoMethods' object has no attribute 'mark_as_pending'"
    with pytest.raises(AttributeError, match=complaint) if raises else nullcontext():
        search.mark_as_pending((1, 1))
    assert watch.used_search


def test_every_question_is_noted_in_its_stream() -> None:
    watch = Watch()
    maze = WatchedMaze.of(B, watch)
    maze.moves_at((1, 1))
    maze.valid_moves_at((1, 2))
    maze.is_valid_at((2, 1), EAST)
    maze.is_wall((2, 2), NORTH)
    maze.is_clear((2, 3), NORTH)
    maze.is_exit((3, 3))
    assert watch.asked == [(1, 1), (1, 2)]
    assert watch.probed == [(2, 1), (2, 2), (2, 3)]
    assert watch.tested == [(3, 3)]
    assert [getattr(watch, name) for name in STREAMS] == [
        watch.taken,
        watch.asked,
        watch.probed,
        watch.tested,
    ]
    assert watch.streams() == (watch.asked, watch.probed, watch.tested)


@given(mazes())
def test_a_watched_maze_is_the_maze(maze: Maze) -> None:
    seen = WatchedMaze.of(maze, Watch())
    assert seen == maze
    assert isinstance(seen, Maze)
    for cell in maze.dimension.all_positions():
        assert seen.valid_moves_at(cell) == maze.valid_moves_at(cell)
        assert seen.moves_at(cell) == maze.moves_at(cell)
        assert seen.is_exit(cell) == maze.is_exit(cell)


@pytest.mark.parametrize("take", ["first_pending", "last_pending", "closest_pending"])
def test_each_way_to_take_a_cell_is_seen_and_does_what_it_did(take: str) -> None:
    watch = Watch()
    search = watched(Search, watch)()
    search.mark_as_pending((1, 1))
    assert getattr(search, take)() == (1, 1)
    assert watch.taken == [(1, 1)]
    assert not search.has_pending_cells()
    with pytest.raises(LookupError):
        getattr(search, take)()
    assert watch.taken == [(1, 1)]


def test_a_cell_that_is_taken_through_another_method_counts_once() -> None:
    class Delegating(Search):
        def closest_pending(self) -> Vector:
            return self.first_pending()

    watch = Watch()
    search = watched(Delegating, watch)()
    search.mark_as_pending((1, 1))
    search.closest_pending()
    assert watch.taken == [(1, 1)]


def test_looks_for_the_exit_count_from_the_last_question_about_a_cell_on() -> None:
    watch = Watch()
    maze = WatchedMaze.of(B, watch)
    assert watch.late_looks == 0
    assert maze.exit == B.exit
    maze.valid_moves_at((1, 1))
    assert watch.late_looks == 0
    assert (maze.exit, maze.exit) == (B.exit, B.exit)
    assert watch.late_looks == 2
    maze.is_wall((1, 1), EAST)
    assert watch.late_looks == 0


class FilledWhenMade(Search):
    """A search that knows a cell from the beginning."""

    def __init__(self) -> None:
        super().__init__()
        self.mark_as_pending(Vector(1, 1))


def test_searches_of_one_class_note_each_in_its_own_watch() -> None:
    new, watches = watched_searches(FilledWhenMade), [Watch() for _ in range(3)]
    searches = [new(watch) for watch in watches]
    assert len(set(map(type, searches))) == 1
    assert [watch.used_search for watch in watches] == [True, True, True]
    searches[1].mark_as_pending((2, 2))
    searches[1].last_pending()
    searches[0].first_pending()
    assert [watch.taken for watch in watches] == [[(1, 1)], [(2, 2)], []]


def test_a_copy_notes_where_the_latest_search_does() -> None:
    new, watches = watched_searches(FilledWhenMade), [Watch(), Watch()]
    search = [new(watch) for watch in watches][1]
    copy.copy(search).first_pending()
    assert [watch.taken for watch in watches] == [[], [(1, 1)]]


COPIES: tuple[Callable[[Maze], Maze], ...] = (
    lambda maze: maze.copy(),
    copy.copy,
    copy.deepcopy,
    lambda maze: pickle.loads(pickle.dumps(maze)),  # noqa: S301 - pickled just now
)


@pytest.mark.parametrize("copied", COPIES)
def test_copies_are_watched_as_well(copied: Callable[[Maze], Maze]) -> None:
    watch = Watch(lambda: None)  # as little to be pickled as a counter of the box
    copied(WatchedMaze.of(B, watch)).valid_moves_at((1, 1))
    assert watch.asked == [(1, 1)]


class Dispatched(Search):
    """Its methods hang on the class of what they are given."""

    @singledispatchmethod
    def mark_as_pending(self, position: object) -> None:
        raise TypeError(f"no position: {position!r}")

    @mark_as_pending.register(tuple)
    def _(self, position: Vector) -> None:
        super().mark_as_pending(position)


class Forward:
    """A descriptor that hands the bound method over."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, search: Any, owner: type) -> Any:
        return self if search is None else getattr(search.kept, self.name)


class Forwarding:
    first_pending, mark_as_pending, record = Forward(), Forward(), Forward()
    has_pending_cells, moves_to = Forward(), Forward()

    def __init__(self) -> None:
        self.kept = Search()


class ByProperty(Search):
    @property
    def first_pending(self) -> Any:
        return super().first_pending


class OfTheClass(Search):
    latest: Any = None

    def __init__(self) -> None:
        super().__init__()
        OfTheClass.latest = self

    @classmethod
    def first_pending(cls) -> Any:
        return Search.first_pending(cls.latest)


class Derived(Search):
    pass


def made_by_a_function() -> Derived:
    return Derived()


@pytest.mark.parametrize(
    "search_class", [Dispatched, Forwarding, ByProperty, OfTheClass, made_by_a_function, partial(Derived)]
)
def test_methods_and_searches_that_are_made_otherwise_are_watched_too(search_class: Any) -> None:
    new, watch = watched_searches(search_class), Watch()
    for _ in range(2):
        new(Watch())
        search = new(watch)
        assert BFS().solve(WatchedMaze.of(A, watch), search) == BFS().solve(A, Search())
        assert parting(BFS_A, watch.taken, A) is None
        assert watch.used_search
        watch.taken.clear()


def test_searches_that_cannot_be_given_a_class_work_as_they_are() -> None:
    class Slotted(Search):
        __slots__ = ("more",)

    class Cells(tuple[int, ...]):
        __slots__ = ()

    assert watched_searches(lambda: Cells((1, 2)))(Watch()) == (1, 2)
    assert watched_searches(Slotted)(Watch()).has_pending_cells() is False
