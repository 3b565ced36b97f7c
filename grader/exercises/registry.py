"""Every exercise that ships with the grader, by its folder; nothing else knows where these are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final

from grader.exercises.kit.check import Check
from grader.exercises.kit.folders.checks import ANSWER, WALKER
from grader.exercises.kit.folders.written import WRITTEN
from grader.exercises.kit.kind import Kind
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.solvers.checks import SOLVER, Own, own_check
from lab.exercises import BY_ID, LAB_EXERCISES
from lab.exercises import Kind as KindName

_SHARED: Final[Mapping[KindName, Kind]] = {
    "solver": SOLVER,
    "walker": WALKER,
    "answer": ANSWER,
    "written": WRITTEN,
}
"""The kinds that several exercises share."""


def kind_of(exercise: str) -> Kind:
    """Return the kind of an exercise of this course."""
    name = BY_ID[exercise].kind
    return _SHARED[name] if name in _SHARED else _own_kind(exercise)


@cache
def _own_kind(exercise: str) -> Kind:
    """Return the kind that is defined in the folder of an exercise."""
    found: Kind = import_module(f"{__package__}.{exercise}.kind").KIND
    return found


@cache
def titles() -> Mapping[str, Mapping[str, str]]:
    """Return the title of every check of the lab's own exercises that a rubric may name, by exercise."""
    return {exercise.id: kind_of(exercise.id).titles(exercise.id) for exercise in LAB_EXERCISES}


@cache
def shared_names() -> tuple[str, ...]:
    """Return the ids of all that answers to the lab's own exercises may share, such as ``dfs.east-first``."""
    return tuple(sorted(f"{each.id}.{name}" for each in LAB_EXERCISES for name in _names(each.id)))


def _names(exercise: str) -> set[str]:
    kind = kind_of(exercise)
    return {*kind.told_by_check.values(), *(kind.space.names(exercise) if kind.space is not None else ())}


def make_checks(
    exercise: str, ids: Sequence[str], book: CaseBook, *, own: Mapping[str, Own] = MappingProxyType({})
) -> tuple[Check, ...]:
    """Make the checks with these ids, in this order; ``own`` are those that an instructor declared."""
    known = kind_of(exercise).checks(book, exercise)
    return tuple(own_check(book, exercise, id_, own[id_]) if id_ in own else known[id_]() for id_ in ids)
