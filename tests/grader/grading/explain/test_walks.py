"""Which lines are told of a walk that is shown: only those of the same walk, that are in the file."""

from __future__ import annotations

from typing import Any

import pytest

from grader.exercises.kit.check import Case, Wrong
from grader.exercises.kit.findings import Finding
from grader.grading.explain.places import MOST_LINES, steps_of, walk_of
from grader.languages import said
from grader.model import Call, Claim, Solve
from grader.model.claims import Revisits, SolveRun, SolveRuns, Steps

WALK = ((1, 1), (1, 2), (1, 1))
SEEN = ((1, 1), (1, 2))
STEPS: Steps = ((3, 4), (5,), ())


def wrong(**actual: Any) -> Wrong:
    finding = Finding("failed", said("no_way"), {}, actual)
    return Wrong(Case(Call("c1", Solve(())), said("no_way"), None), finding)


def claim(lines: dict[str, Steps], *, walk: Any = WALK, taken: Any = SEEN) -> Claim:
    revisits = None if walk is None else Revisits((1, 1), 2, (1, 1), walk)
    run = SolveRun(None, taken, (), (), (), True, 0, None, revisits=revisits, lines=lines)
    return Claim("c1", "endless", SolveRuns((run,)))


@pytest.mark.parametrize(
    ("actual", "walk"),
    [
        ({"visits": [[1, 1], [1, 2]]}, SEEN),
        ({"visits": SEEN, "walk": WALK}, WALK),
        ({"visits": SEEN, "walk": ()}, SEEN),
        ({"visits": None}, ()),
        ({"steps": [{"call": "x", "gives": "y"}]}, ()),
    ],
)
def test_the_walk_that_is_shown(actual: dict[str, Any], walk: object) -> None:
    assert walk_of(wrong(**actual)) == walk


def test_the_lines_of_the_same_walk_are_told() -> None:
    lines = {"walk": STEPS, "taken": STEPS[:2]}
    assert steps_of(WALK, claim(lines), 5) == STEPS
    assert steps_of(SEEN, claim(lines), 5) == STEPS[:2]
    assert steps_of(SEEN, claim(lines, walk=None), 5) == STEPS[:2]


@pytest.mark.parametrize(
    "again",
    [
        claim({}),
        claim({"walk": ((), (), ())}),
        claim({"walk": STEPS[:2]}),
        claim({"walk": (*STEPS, (3,))}),
        claim({"walk": STEPS}, walk=WALK[::-1] + WALK),
        claim({"walk": STEPS}, walk=None),
        claim({"walk": ((6,), (5,), (4,))}),
        claim({"walk": ((0,), (5,), (4,))}),
        claim({"walk": (((3,) * MOST_LINES), (5,), (4,))}),
        Claim("c1", "timeout"),
    ],
)
def test_lines_that_do_not_fit_are_told_to_nobody(again: Claim) -> None:
    assert steps_of(WALK, again, 5) == ()
