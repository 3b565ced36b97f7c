"""The checks of each exercise, declared in one place each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from grader.cases.library import CaseBook
from grader.checks import generator, own_exercises, perfection, search, solvers
from grader.checks.base import Check
from grader.checks.own import Own, own_check
from lab.exercises import BY_ID, LAB_EXERCISES, Kind

Makers = Mapping[str, Callable[[], Check]]
"""By the id of the check: makes it, cases and all."""


@dataclass(frozen=True, slots=True)
class Family:
    """The checks of one kind of exercise, of which there may be several."""

    titles: Callable[[str], Mapping[str, str]]
    """Every check of an exercise, by its id."""
    makers: Callable[[CaseBook, str], Makers]


FAMILIES: Mapping[Kind, Family] = {
    "search": Family(lambda _: search.TITLES, lambda book, _: search.checks(book)),
    "solver": Family(solvers.titles, solvers.checks),
    "perfection": Family(lambda _: perfection.TITLES, lambda book, _: perfection.checks(book)),
    "generator": Family(lambda _: generator.TITLES, lambda book, _: generator.checks(book)),
    "own": Family(own_exercises.titles, own_exercises.checks),
    "answer": Family(own_exercises.titles, own_exercises.checks),
}

TITLES: Mapping[str, Mapping[str, str]] = {
    exercise.id: FAMILIES[exercise.kind].titles(exercise.id) for exercise in LAB_EXERCISES
}
"""Every check of the lab's own exercises that a rubric may name, by exercise."""


def make(
    exercise: str, ids: Sequence[str], book: CaseBook, *, own: Mapping[str, Own] = MappingProxyType({})
) -> tuple[Check, ...]:
    """Make the checks with these ids, in this order; ``own`` holds those that an instructor declared."""
    known = FAMILIES[BY_ID[exercise].kind].makers(book, exercise)
    return tuple(own_check(book, exercise, id_, own[id_]) if id_ in own else known[id_]() for id_ in ids)
