"""What a solver returns: every complaint, and that a right way draws none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from grader.exercises.kit.facts import Facts
from grader.exercises.kit.solvers.ways import (
    expectation,
    judge_shortest,
    judge_something,
    judge_unchanged,
    judge_way,
)
from grader.languages import Message, catalogue
from grader.model import Claim, Fault, Frame, Outcome
from grader.model.claims import (
    NONE,
    IntValue,
    OddElement,
    OtherValue,
    Revisits,
    SolveRun,
    SolveRuns,
    Value,
    VectorsValue,
    truth_value,
)
from tests.grader.words import english

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
    ("text", "value", "words"),
    [
        (ROOM, NONE, "returned None, though there is a way"),
        (ROOM, moves(), "returned no moves: the way ends in (1, 1), not in the exit (2, 2)"),
        (ROOM, moves(EAST), "is wrong: the way ends in (1, 2), not in the exit (2, 2)"),
        (ROOM, moves(NORTH), "is wrong: move 1 (north) runs into the border at (1, 1)"),
        (WALLED, moves(EAST, SOUTH), "is wrong: move 1 (east) runs into a wall at (1, 1)"),
        (ROOM, moves(SOUTH, NORTH, EAST, SOUTH), "is wrong: move 2 (north) enters (1, 1) again"),
        (ROOM, moves((2, 2)), "is wrong: element 1 of the list is (2, 2), which is none of the four moves"),
        (
            ROOM,
            moves(EAST, SOUTH, container="dict_keys"),
            "returned [east, south] (a dict_keys); expected a list of moves",
        ),
        (ROOM, truth_value(True), "returned True; expected a list of moves"),
        (ROOM, IntValue(2), "returned 2; expected a list of moves"),
        (
            ROOM,
            OtherValue("list", "…", OddElement(0, "str", "'E'")),
            "returned a list whose element 1 is 'E' (a str); expected a list of moves",
        ),
        (NO_WAY, moves(EAST), "returned [east], though no way leads to an exit"),
        (NO_WAY, moves(), "returned [], though no way leads to an exit"),
    ],
)
def test_each_mistake_has_its_words(text: str, value: Value, words: str) -> None:
    finding = judge_way(Facts(text), returned(value), "dfs")
    assert finding is not None
    assert (finding.status, english(finding.message)) == ("failed", words)


@pytest.mark.parametrize(
    ("streams", "words"),
    [
        ({}, "asked about no cell of the maze"),
        ({"asked": ((1, 1),)}, "When does the solver give up"),
        ({"taken": ((1, 1), (2, 2))}, "was at the exit, (2, 2)"),
        ({"asked": ((1, 1),), "tested": ((1, 1), (2, 2))}, "was at the exit, (2, 2)"),
        ({"asked": ((1, 1), (1, 2), (2, 1), (2, 2))}, "When does the solver give up"),
    ],
    ids=["nothing", "the entry", "taken", "tested", "the maze read as a whole"],
)
def test_the_question_on_none_follows_how_far_it_came(streams: Any, words: str) -> None:
    none = returned(NONE).runs[0]
    run = replace(none, **{**dict.fromkeys(("taken", "asked", "tested"), ()), **streams})
    finding = judge_way(Facts(ROOM), Claim("c", "returned", SolveRuns((run,))), "dfs")
    assert finding is not None
    assert words in english(finding.hint)


def test_a_way_that_is_too_long() -> None:
    text = "+-+-+-+\n|S   E|\n+ + + +\n|     |\n+-+-+-+"
    finding = judge_shortest(Facts(text), returned(moves(SOUTH, EAST, EAST, NORTH)), "bfs")
    assert finding is not None
    assert english(finding.message) == "returned a way of 4 moves; a shortest one has 2"


@pytest.mark.parametrize(
    ("claim", "status", "words"),
    [
        (Claim("c", "timeout"), "timeout", "was still running when its time was over"),
        (Claim("c", "out-of-memory"), "out-of-memory", "used more memory than it may"),
        (Claim("c", "output-limit"), "output-limit", "printed or returned more than it may"),
        (Claim("c", "violation"), "violation", "answered the grader out of turn"),
        (
            Claim(
                "c", "raised", None, Fault("IndexError", "pop", (Frame("solvers/dfs.py", 7, "solve", ""),))
            ),
            "crashed",
            "raised IndexError: pop (solvers/dfs.py, line 7, in solve)",
        ),
        (
            Claim("c", "raised", None, Fault("SyntaxError", "bad", stage="import")),
            "crashed",
            "while the file was",
        ),
        (Claim("c", "died", None, Fault("exit status 3", "")), "crashed", "ended with exit status 3"),
        (Claim("c", "missing", None, Fault("no file", "")), "missing", "no file"),
    ],
)
def test_how_a_call_ended_is_told_apart(claim: Claim, status: str, words: str) -> None:
    finding = judge_way(Facts(ROOM), claim, "dfs")
    assert finding is not None
    assert finding.status == status
    assert words in english(finding.message)


def test_a_changed_maze_is_seen() -> None:
    claim = returned(moves(EAST, SOUTH), changed=WALLED)
    finding = judge_unchanged(Facts(ROOM), claim, "bfs")
    assert finding is not None
    assert finding.actual["mazes"] == [WALLED]
    assert judge_unchanged(Facts(ROOM), returned(moves(EAST, SOUTH)), "bfs") is None


@pytest.mark.parametrize("changed", ["garbage", "x" * len(ROOM), "+-" * 1_000_000])
def test_a_change_that_is_no_maze_is_not_shown(changed: str) -> None:
    finding = judge_unchanged(Facts(ROOM), returned(moves(EAST, SOUTH), changed=changed), "bfs")
    assert finding is not None
    assert finding.actual["mazes"] == []


def test_the_control_only_wants_something() -> None:
    assert judge_something(Facts(ROOM), returned(moves()), "bfs") is None
    assert judge_something(Facts(ROOM), returned(NONE), "bfs") is not None


def test_a_search_that_was_cut_off_tells_how_far_it_had_come() -> None:
    run = replace(returned(moves()).runs[0], returned=None, taken=((1, 1), (1, 2)), asked=((9, 9),))
    finding = judge_way(Facts(ROOM), Claim("c", "timeout", SolveRuns((run,))), "dfs")
    assert finding is not None
    assert finding.actual["visits"] == ((1, 1), (1, 2))
    assert finding.actual["pending"] == 2


def test_a_search_that_went_on_for_ever_tells_where_it_came_by_again() -> None:
    again = Revisits((1, 1), 812, (1, 2), ((1, 1), (1, 2), (1, 2)))
    run = replace(returned(moves()).runs[0], returned=None, taken=((1, 1), (1, 2)), revisits=again)
    ended = {outcome: Claim("c", outcome, SolveRuns((run,))) for outcome in get_args(Outcome)}
    endless = judge_way(Facts(ROOM), ended["endless"], "dfs")
    late = judge_way(Facts(ROOM), ended["timeout"], "dfs")
    assert endless is not None
    assert late is not None
    assert endless.actual["revisits"] == {"cell": (1, 1), "times": 812, "first": (1, 2)}
    assert endless.actual["walk"] == again.walk
    assert endless.actual["pending"] is None
    assert "revisits" not in late.actual, "how far it came until its time was over is luck"


def test_a_way_of_one_move_is_told_in_the_singular() -> None:
    one, two = (expectation(Facts(text), "bfs")["text"] for text in ("+-+-+\n|S E|\n+-+-+", ROOM))
    assert isinstance(one, Message)
    assert isinstance(two, Message)
    told = {
        "en": "a shortest way (1 move), for instance [east]",
        "de": "ein kürzester Weg (1 Zug), zum Beispiel [east]",
        "nb": "en korteste vei (1 trekk), for eksempel [east]",
    }
    assert {code: catalogue(code).say(one) for code in told} == told
    assert english(two).startswith("a shortest way (2 moves), for instance [")
