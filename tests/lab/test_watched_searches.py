"""Searches that are no plain classes with plain methods are watched as well."""

from functools import partial, singledispatchmethod
from typing import Any

import pytest

from lab import Vector
from lab.visits import parting
from lab.watch import Watch, WatchedMaze, watched_searches
from reference.solvers.bfs import BFS
from reference.solvers.search import Search
from tests.lab.test_visits import BFS_A, A


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


def test_a_function_may_make_the_same_search_again() -> None:
    only, watch = Derived(), Watch()
    new = watched_searches(lambda: only)
    assert type(new(Watch())) is type(new(watch))
    only.mark_as_pending(A.entry)
    assert only.first_pending() == A.entry
    assert watch.taken == [A.entry]


def test_searches_that_cannot_be_given_a_class_work_as_they_are() -> None:
    class Slotted(Search):
        __slots__ = ("more",)

    class Cells(tuple[int, ...]):
        __slots__ = ()

    assert watched_searches(lambda: Cells((1, 2)))(Watch()) == (1, 2)
    assert watched_searches(Slotted)(Watch()).has_pending_cells() is False
