"""What a solver returns: every complaint, and that a right way draws none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from grader.exercises.kit.facts import Facts
from grader.exercises.kit.solvers.runs import judge_shortest, judge_unchanged, judge_way
from grader.model import Claim, Fault, Outcome
from grader.model.claims import (
    NONE,
    OddElement,
    OtherValue,
    Revisits,
    SolveRun,
    SolveRuns,
    Spent,
    Value,
    VectorsValue,
)

ROOM = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"
WALLED = "+-+-+\n|S| |\n+ + +\n|  E|\n+-+-+"
NO_WAY = "+-+-+\n|S|E|\n+-+-+"


def returned(value: Value, *, changed: str | None = None) -> Claim:
    run = SolveRun(value, ((1, 1),), (), (), (), used_search=True, late_looks=0, changed=changed)
    return Claim("c", "returned", SolveRuns((run,)))


def moves(*pairs: tuple[int, int], container: str = "list") -> VectorsValue:
    return VectorsValue(pairs, container)


NORTH, EAST, SOUTH, WEST = (-1, 0), (0, 1), (1, 0), (0, -1)


@pytest.mark.parametrize("way", [(EAST, SOUTH), (SOUTH, EAST)])
def test_a_right_way_draws_no_complaint(way: Any) -> None:
    assert judge_shortest(Facts(ROOM), returned(moves(*way)), "bfs") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (ROOM, NONE),
        (ROOM, moves()),
        (ROOM, moves(NORTH)),
        (WALLED, moves(EAST, SOUTH)),
        (ROOM, moves(SOUTH, NORTH, EAST, SOUTH)),
        (ROOM, moves((2, 2))),
        (ROOM, moves(EAST, SOUTH, container="dict_keys")),
        (ROOM, OtherValue("list", "…", OddElement(0, "str", "'E'"))),
        (NO_WAY, moves(EAST)),
    ],
)
def test_nothing_else_is_a_way(text: str, value: Value) -> None:
    finding = judge_way(Facts(text), returned(value), "dfs")
    assert finding is not None
    assert finding.status == "failed"


def test_a_way_may_be_too_long_for_some_solvers() -> None:
    text = "+-+-+-+\n|S   E|\n+ + + +\n|     |\n+-+-+-+"
    claim = returned(moves(SOUTH, EAST, EAST, NORTH))
    assert judge_way(Facts(text), claim, "dfs") is None
    assert judge_shortest(Facts(text), claim, "bfs") is not None


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        *((Claim("c", limit), limit) for limit in ("timeout", "out-of-memory", "output-limit", "violation")),
        (Claim("c", "raised", None, Fault("SyntaxError", "bad", stage="import")), "crashed"),
        (Claim("c", "died", None, Fault("exit status 3", "")), "crashed"),
        (Claim("c", "missing", None, Fault("no file", "")), "missing"),
    ],
)
def test_how_a_call_ended_is_told_apart(claim: Claim, status: str) -> None:
    finding = judge_way(Facts(ROOM), claim, "dfs")
    assert finding is not None
    assert finding.status == status


def test_a_changed_maze_is_seen() -> None:
    claim = returned(moves(EAST, SOUTH), changed=WALLED)
    finding = judge_unchanged(Facts(ROOM), claim, "bfs")
    assert finding is not None
    assert finding.actual["mazes"] == [WALLED]
    assert judge_unchanged(Facts(ROOM), returned(moves(EAST, SOUTH)), "bfs") is None


def test_a_search_that_went_on_for_ever_tells_where_it_came_by_again() -> None:
    again = Revisits((1, 1), 812, (1, 2), ((1, 1), (1, 2), (1, 2)))
    run = replace(returned(moves()).runs[0], returned=None, taken=((1, 1), (1, 2)), revisits=again)
    ended = {outcome: Claim("c", outcome, SolveRuns((run,))) for outcome in get_args(Outcome)}
    endless = judge_way(Facts(ROOM), ended["endless"], "dfs")
    late = judge_way(Facts(ROOM), ended["timeout"], "dfs")
    assert endless is not None
    assert late is not None
    assert endless.actual["revisits"] == {"cell": (1, 1), "times": 812, "first": (1, 2), "how": "taken"}
    assert endless.actual["walk"] == again.walk
    assert endless.actual["pending"] is None
    assert "revisits" not in late.actual, "how far it came until its time was over is luck"


def test_cells_that_were_asked_about_are_not_shown_as_all_that_were_visited() -> None:
    cells, seen = ((1, 1), (1, 2)), replace(returned(moves()).runs[0], taken=())
    runs = {
        "taken": replace(seen, taken=cells, asked=cells),
        "asked": replace(seen, asked=cells, tested=cells),
        "probed": replace(seen, probed=cells),
        "tested": replace(seen, tested=cells),
    }
    for stream, run in runs.items():
        found = judge_way(Facts(ROOM), Claim("c", "returned", SolveRuns((run,))), "dfs")
        assert found is not None
        assert found.actual.get("how", "taken") == stream


def test_the_first_cell_outside_of_the_maze_is_told_in_place_of_one_that_came_up_often() -> None:
    again = Revisits((1, 1), 812, (1, 1), ((1, 1), (1, 1)))
    run = replace(returned(moves()).runs[0], returned=None, asked=((1, 1),), tested=((1, 1), (0, 1), (-1, 1)))
    spent = Spent("questions", 10_000, 4)
    claim = Claim("c", "endless", SolveRuns((replace(run, revisits=again),)), spent=spent)
    endless = judge_way(Facts(ROOM), claim, "dfs")
    assert endless is not None
    assert (endless.actual["outside"], "revisits" in endless.actual) == ((0, 1), False)
    assert "endless_outside" in str(endless.message)


@pytest.mark.parametrize("stream", ["taken", "asked", "probed", "tested"])
def test_of_an_endless_call_it_is_told_what_was_asked_again(stream: str) -> None:
    again = Revisits((1, 1), 812, (1, 1), ((1, 1), (1, 1)))
    seen: Any = {"taken": (), stream: ((1, 1), (1, 1)), "returned": None, "revisits": again}
    run = replace(returned(moves()).runs[0], **seen)
    claim = Claim("c", "endless", SolveRuns((run,)), spent=Spent("questions", 10_000, 4))
    endless = judge_way(Facts(ROOM), claim, "dfs")
    assert endless is not None
    assert f"endless_{stream}" in str(endless.message)


def test_a_cell_outside_of_the_maze_is_told_in_place_of_a_count_that_no_picture_shows() -> None:
    run = replace(returned(moves()).runs[0], returned=None, taken=(), asked=((1, 1), (1, 2), (0, 2)))
    raised = Claim("c", "raised", SolveRuns((run,)), Fault("ValueError", "a position outside"))
    found = judge_way(Facts(ROOM), raised, "dfs")
    assert found is not None
    assert (found.actual["outside"], "pending" in found.actual) == ((0, 2), False)
