"""The judge of scripts: what it says, and what it shows of scripts that are long."""

from __future__ import annotations

from typing import Any

import pytest

from grader.exercises.search.judge import FIRST_SHOWN, LAST_SHOWN, MOST_SHOWN, Script, judge_script
from grader.exercises.search.long_scripts import KINDS, long_scripts
from grader.languages import Message
from grader.model import Call, Claim, Fault, RunScript, Step
from grader.model.claims import NONE, ScriptSteps
from lab import EAST, Vector
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.words import english


def script_of(*steps: Step) -> Script:
    return Script(steps)


def long_script(kind: str) -> Script:
    return script_of(*long_scripts(kind, 1)[-1])


def claim_of(script: Script, target: type) -> Claim:
    (claim,) = run_with(target)([Call("c", RunScript(tuple(script.steps)))], False)
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
    script = long_script(kind)
    assert judge_script(script, claim_of(script, Search)) is None
    assert judge_script(script, claim_of(script, Forgetful)) is not None
    assert judge_script(script, claim_of(script, NarrowKeys)) is not None


class InFloats(Search):
    """Counts 0.0, 1.0, and so on; and may be half a step off."""

    off = 0.0

    def distance_to(self, position: Vector) -> Any:
        return super().distance_to(position) + self.off


class HalfAStepOff(InFloats):
    off = 0.5


BEGUN: tuple[Step, ...] = (
    (0, "mark_as_pending", ((1, 1),)),
    (0, "record", ((1, 1), EAST, (1, 2))),
)


def test_a_distance_may_be_a_float() -> None:
    script = script_of(*BEGUN, (0, "distance_to", ((1, 1),)), (0, "distance_to", ((1, 2),)))
    assert judge_script(script, claim_of(script, InFloats)) is None
    finding = judge_script(script, claim_of(script, HalfAStepOff))
    assert finding is not None
    assert english(finding.message) == "search.distance_to((1, 1)) gave 0.5; expected 0"


def lines_of(side: Any) -> list[dict[str, str]]:
    return [{part: english(text) for part, text in line.items()} for line in side["steps"]]


def test_a_long_script_is_shown_with_its_ends() -> None:
    script = long_script("order")
    finding = judge_script(script, claim_of(script, Forgetful))
    assert finding is not None
    expected, actual = lines_of(finding.expected), lines_of(finding.actual)
    assert len(expected) == len(actual) == FIRST_SHOWN + 1 + LAST_SHOWN
    assert "more calls" in expected[FIRST_SHOWN]["call"]
    assert [line["call"] for line in expected] == [line["call"] for line in actual]
    assert finding.extra["parts_at"] == len(actual) - 1
    assert expected[-1]["gives"] != actual[-1]["gives"]


def test_a_long_script_that_was_cut_off_is_shown_up_to_there() -> None:
    script = long_script("order")
    whole = claim_of(script, Search).steps
    for done in (3, MOST_SHOWN + 20, len(whole) - 1):
        claim = Claim("c", "raised", ScriptSteps(whole[:done]), Fault("KeyError", ""))
        finding = judge_script(script, claim)
        assert finding is not None
        assert finding.extra["parts_at"] == len(lines_of(finding.actual))
        assert lines_of(finding.expected)[:-1] == lines_of(finding.actual)


def test_an_error_of_another_kind_is_held_against_the_one_that_is_due() -> None:
    class Stops(Search):
        def first_pending(self) -> Vector:
            return next(iter(()))

    script = script_of((0, "first_pending", ()))
    finding = judge_script(script, claim_of(script, Stops))
    assert finding is not None
    message = english(finding.message)
    assert message.startswith("search.first_pending() raised StopIteration")
    assert message.endswith("; expected a LookupError")


def test_a_file_that_cannot_be_loaded_is_told_without_a_call() -> None:
    script = script_of((0, "first_pending", ()))
    fault = Fault("SyntaxError", "invalid syntax", stage="import")
    finding = judge_script(script, Claim("c", "raised", fault=fault))
    assert finding is not None
    assert english(finding.message) == "raised SyntaxError: invalid syntax while the file was loaded"
    assert finding.fault == fault


def test_long_lists_that_look_alike_are_told_apart() -> None:
    class Swapped(Search):
        @property
        def known_cells(self) -> Any:
            *others, one, other = super().known_cells
            return (*others, other, one)

    records = ((0, "record", ((1, column), (0, 1), (1, column + 1))) for column in range(1, 20))
    script = script_of((0, "mark_as_pending", ((1, 1),)), *records, (0, "known_cells", ()))
    finding = judge_script(script, claim_of(script, Swapped))
    assert finding is not None
    assert english(finding.message).endswith("… 20 in all] (element 19 is [(1, 20)], not [(1, 19)])")


def test_of_a_call_that_raised_both_sides_speak_of_that_call() -> None:
    script = script_of(
        (0, "mark_as_pending", ((1, 2),)),
        (0, "moves_to", ((1, 2),)),
        (0, "has_pending_cells", ()),
    )
    claim = Claim("c", "raised", ScriptSteps((NONE,)), Fault("RuntimeError", "round in a circle"))
    finding = judge_script(script, claim)
    assert finding is not None
    texts = [side["text"] for side in (finding.expected, finding.actual)]
    assert all(isinstance(text, Message) for text in texts)
    assert [english(text) for text in texts if isinstance(text, Message)] == [
        "search.moves_to((1, 2)) gives []",
        "search.moves_to((1, 2)) raised RuntimeError: round in a circle",
    ]
    assert len(lines_of(finding.actual)) == 1
