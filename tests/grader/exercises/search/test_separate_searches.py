"""A way that is wrong from the first is not held against the separation of two searches."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from grader.exercises.kit.library import CaseBook
from grader.exercises.search.kind import checks
from lab import Vector
from reference.solvers.search import Search
from tests.direct import run_with


class Backwards(Search):
    def moves_to(self, position: Vector) -> list[Vector]:
        return [move.opposite() for move in super().moves_to(position)]


class Fails(Search):
    def distance_to(self, position: Vector) -> int:
        raise KeyError(position)


class Shared(Search):
    _moves: ClassVar[dict[Vector, Vector | None]] = {}  # type: ignore[misc]

    def __init__(self) -> None:
        super().__init__()
        del self._moves


class Remembered(Search):
    _known: tuple[Vector, ...] | None = None

    @property
    def known_cells(self) -> tuple[Vector, ...]:
        self._known = super().known_cells if self._known is None else self._known
        return self._known


@pytest.mark.parametrize(
    ("search", "lost"),
    [
        (Search, []),
        (Shared, ["separate"]),
        (Backwards, ["new-cell", "known-cell", "shorter-way", "way-back"]),
        (Fails, ["new-cell", "known-cell", "shorter-way", "way-back"]),
        (Remembered, ["new-cell", "separate"]),
    ],
)
def test_what_is_lost(search: Any, lost: list[str]) -> None:
    made = [make() for make in checks(CaseBook(seed=1, examples=20)).values()]
    calls = {case.call.id: case.call for check in made for case in check.cases}
    claims = {claim.call: claim for claim in run_with(search)([*calls.values()], False)}
    found = [check.id for check in made if check.judge(check.cases, claims)]
    assert found == [f"search.{name}" for name in lost]
