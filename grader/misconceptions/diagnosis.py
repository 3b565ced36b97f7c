"""Finding the one wrong model that explains all that a submission did.

A model must explain every run, over many of them, and at least some that no right submission
explains. Where no model does, or more than one, nothing is said: a wrong hint costs more than a
missing one. Models that say less, but are true of more submissions, are asked when all others are done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from grader.misconceptions import (
    generator,
    perfection,
    perfection_walks,
    search,
    solver_answers,
    solver_kinds,
    solver_moves,
    solver_visits,
)
from grader.misconceptions.engines import generated_mazes, perfection_answers, search_scripts, solver_runs
from grader.misconceptions.model import Model, Pair
from grader.model.claims import NOT_RUN
from lab.exercises import BY_ID, Kind

MODELS: tuple[Model, ...] = (
    *search.MODELS,
    *solver_moves.MODELS,
    *solver_visits.MODELS,
    *solver_answers.MODELS,
    *solver_kinds.MODELS,
    *perfection.MODELS,
    *perfection_walks.MODELS,
    *generator.MODELS,
)
"""Every model; no two of an exercise have one name."""

IDS: tuple[str, ...] = tuple(
    sorted(f"{exercise}.{model.name}" for model in MODELS for exercise in model.exercises)
)
"""Every model of each exercise, such as ``dfs.west-first``."""

ENOUGH, FEW = 8, 4
"""So many things seen a model has to explain, or so few, where the others were left out since these had no
end;"""
WRONG_ENOUGH = 2
"""and so many of them must be wrong; calls that were never made, since one like them had no end, count."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How the claims of an exercise are read, and which of them are right."""

    read: Callable[[Sequence[Pair]], list[Any]]
    wrong_of: Callable[[str, Sequence[Any]], list[Any]]


def _one_by_one(is_right: Callable[[str, Any], bool]) -> Callable[[str, Sequence[Any]], list[Any]]:
    return lambda exercise, seen: [each for each in seen if not is_right(exercise, each)]


READERS: dict[Kind, Reader] = {
    "search": Reader(search_scripts.read, _one_by_one(search_scripts.is_right)),
    "solver": Reader(solver_runs.read, _one_by_one(solver_runs.is_right)),
    "perfection": Reader(perfection_answers.read, _one_by_one(perfection_answers.is_right)),
    "generator": Reader(generated_mazes.read, generated_mazes.wrong_of),
}


def diagnose(exercise: str, pairs: Sequence[Pair]) -> str | None:
    """Return the misconception that explains all the claims, such as ``dfs.west-first``, if just one does."""
    reader = READERS.get(BY_ID[exercise].kind)
    if reader is None:
        return None  # nobody knows how an exercise of a course's own is misunderstood
    if any(claim.fault and claim.fault.stage == "import" and claim.outcome != "raised" for _, claim in pairs):
        return None  # a limit ended the file while it was loaded: nothing is known of what it does
    made = [pair for pair in pairs if _was_made(pair)]
    seen = reader.read(made)
    wrong = reader.wrong_of(exercise, seen)
    left_out = len(pairs) - len(made)
    if len(seen) < (FEW if left_out else ENOUGH) or not wrong or len(wrong) + left_out < WRONG_ENOUGH:
        return None
    telling = list(_interleaved(wrong, seen))
    for broad in (False, True):
        found = [model for model in MODELS if model.broad is broad and _explains(model, exercise, telling)]
        if found:
            return f"{exercise}.{found[0].name}" if len(found) == 1 else None
    return None


def _was_made(pair: Pair) -> bool:
    """The call was made: after a limit was hit, others of its group are only written off."""
    _, claim = pair
    return claim.fault is None or claim.fault.kind != NOT_RUN


def _explains(model: Model, exercise: str, telling: Sequence[Any]) -> bool:
    return exercise in model.exercises and model.explains(exercise, telling)


def _interleaved(wrong: Sequence[Any], seen: Sequence[Any]) -> Iterator[Any]:
    """The wrong ones first, and all others between them: what does not fit is found early."""
    done: set[int] = set()
    for pair in zip_longest(wrong, seen):
        for each in pair:
            if each is not None and id(each) not in done:
                done.add(id(each))
                yield each
