"""What a script of calls hands to a student's Search, and what it tells about it."""

from __future__ import annotations

import pytest

from grader.model import Call, Claim, RunScript, Step
from grader.model.claims import NONE, Raised, ScriptSteps, VectorsValue, VectorValue, truth_value
from tests.grader.inside.test_calls import FINDER
from tests.grader.session.popen_box import SEARCH, ask


def script(*steps: Step, search: str = SEARCH) -> Claim:
    (claim,) = ask({FINDER.file: search}, FINDER, Call("c1", RunScript(steps)))
    return claim


def test_a_script_goes_step_by_step_with_instances_of_their_own() -> None:
    claim = script(
        (0, "mark_as_pending", ((1, 1),)),
        (1, "has_pending_cells", ()),
        (0, "record", ((1, 1), (0, 1), (1, 2))),
        (0, "known_cells", ()),
        (0, "moves_to", ((1, 2),)),
        (0, "first_pending", ()),
        (1, "first_pending", ()),
        (0, "moves_to", ((9, 9),)),
    )
    assert claim.steps == (
        NONE,
        truth_value(False),
        NONE,
        VectorsValue(((1, 1), (1, 2)), "dict_keys"),
        VectorsValue(((0, 1),)),
        VectorValue((1, 1)),
        Raised("IndexError", is_lookup=True),
        Raised("KeyError", is_lookup=True),
    )


def test_a_script_ends_at_an_exception_that_is_no_lookup_error() -> None:
    claim = script((0, "has_pending_cells", ()), (0, "fly", ()), (0, "has_pending_cells", ()))
    assert claim.outcome == "raised"
    assert claim.value == ScriptSteps((truth_value(False),))


@pytest.mark.parametrize(
    "cells",
    ["{(1, 1): 0}", "{(1, 1): 0}.keys()", "((1, 1),)", "[(1, 1)]", "MappingProxyType({(1, 1): 0})"],
)
def test_known_cells_may_be_whatever_gives_them_in_order(cells: str) -> None:
    code = f"from types import MappingProxyType\nclass Search:\n    known_cells = {cells}\n"
    (given,) = script((0, "known_cells", ()), search=code).steps
    assert isinstance(given, VectorsValue)
    assert given.value == ((1, 1),)


def test_known_cells_may_be_an_attribute_a_property_or_lost() -> None:
    claim = script((0, "known_cells", ()), search="class Search:\n    known_cells = [(1, 1)]\n")
    assert claim.steps == (VectorsValue(((1, 1),)),)
