"""The judge of scripts: what it says, and what it shows of scripts that are long."""

from __future__ import annotations

from typing import Any

import pytest

from grader.cases.long_search_scripts import KINDS, long_scripts
from grader.model import Call, Claim, Fault
from grader.oracle.search import FIRST_SHOWN, LAST_SHOWN, MOST_SHOWN, answers, judge_script
from lab import Vector
from reference.solvers.search import Search
from tests.direct import run_with


def steps_of(kind: str) -> list[Any]:
    script = long_scripts(kind, 1)[-1]
    return [[instance, method, [list(v) for v in vectors]] for instance, method, vectors in script]


def claim_of(steps: list[Any], target: type) -> Claim:
    (claim,) = run_with(target)([Call("c", "script", {"steps": steps})], False)
    return claim


class NarrowKeys(Search):
    """Takes cells sixteen columns apart for the same."""

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        if (end[0] & 15, end[1] & 15) not in {(row & 15, column & 15) for row, column in self.known_cells}:
            super().record(start, move, end)


class Forgetful(Search):
    """Finds a hundred cells, and no more."""

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        if len(self.known_cells) < 100 or end in self.known_cells:
            super().record(start, move, end)


@pytest.mark.parametrize("kind", KINDS)
def test_long_scripts_show_what_goes_wrong_with_many_cells(kind: str) -> None:
    steps = steps_of(kind)
    assert judge_script(steps, answers(steps), claim_of(steps, Search)) is None
    assert judge_script(steps, answers(steps), claim_of(steps, Forgetful)) is not None
    assert judge_script(steps, answers(steps), claim_of(steps, NarrowKeys)) is not None


def test_a_long_script_is_shown_with_its_ends() -> None:
    steps = steps_of("order")
    finding = judge_script(steps, answers(steps), claim_of(steps, Forgetful))
    assert finding is not None
    expected, actual = finding.expected["steps"], finding.actual["steps"]
    assert len(expected) == len(actual) == FIRST_SHOWN + 1 + LAST_SHOWN
    assert "more calls" in expected[FIRST_SHOWN]["call"]
    assert [line["call"] for line in expected] == [line["call"] for line in actual]
    assert finding.extra["parts_at"] == len(actual) - 1
    assert expected[-1]["gives"] != actual[-1]["gives"]


def test_a_long_script_that_was_cut_off_is_shown_up_to_there() -> None:
    steps = steps_of("order")
    right = answers(steps)
    whole = claim_of(steps, Search).value["steps"]
    for done in (3, MOST_SHOWN + 20, len(steps) - 1):
        claim = Claim("c", "raised", {"steps": whole[:done]}, Fault("KeyError", ""))
        finding = judge_script(steps, right, claim)
        assert finding is not None
        assert finding.extra["parts_at"] == len(finding.actual["steps"])
        assert finding.expected["steps"][:-1] == finding.actual["steps"]


def test_long_lists_that_look_alike_are_told_apart() -> None:
    class Swapped(Search):
        @property
        def known_cells(self) -> Any:
            *others, one, other = super().known_cells
            return (*others, other, one)

    steps = [[0, "mark_as_pending", [[1, 1]]]]
    steps += [[0, "record", [[1, column], [0, 1], [1, column + 1]]] for column in range(1, 20)]
    steps.append([0, "known_cells", []])
    finding = judge_script(steps, answers(steps), claim_of(steps, Swapped))
    assert finding is not None
    assert finding.message.endswith("… 20 in all] (element 19 is [(1, 20)], not [(1, 19)])")
