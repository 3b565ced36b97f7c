"""One purse pays for all that explains, in counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from grader.grading.purse import ASKED, CELLS, RECORDED, Purse, cost
from grader.model import Call, Claim, Solve
from grader.model.claims import Outcome

CALL = Call("one", Solve(("+-+-+\n|S E|\n+-+-+\n",)))


def test_what_is_left_is_shared_out_to_the_exercises_that_are_still_to_come() -> None:
    purse = Purse(left=900, exercises=3)
    first = purse.for_edits()
    assert 0 < first < 300
    assert purse.for_edits() > first, "what one exercise leaves is there for the others"
    assert Purse(left=-1).for_edits() == 0


def test_more_is_there_where_more_is_wrong() -> None:
    shares = []
    for count in (1, 2, 6):
        purse = Purse()
        purse.share_out(count)
        shares.append(purse.for_edits())
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] > shares[0] / 2


@pytest.mark.parametrize("outcome", ["returned", "endless"])
def test_calls_are_paid_by_how_they_ended(outcome: Outcome) -> None:
    def make(calls: Sequence[Call], _alone: bool) -> list[Claim]:
        return [Claim(call.id, outcome) for call in calls]

    purse = Purse()
    before = purse.left
    purse.paid(make, asks=True)([CALL, replace(CALL, id="two")], False)
    assert before - purse.left == 2 * ASKED * cost(CALL, Claim("one", outcome))


def test_what_is_dear_costs_more() -> None:
    wide = "+" + "-+" * CELLS + "\n|S" + "  " * (CELLS - 2) + " E|\n+" + "-+" * CELLS + "\n"
    returned, endless = Claim("one", "returned"), Claim("one", "endless")
    plain = cost(CALL, returned)
    assert plain < cost(replace(CALL, arguments=Solve((wide,))), returned)
    assert plain < cost(CALL, endless)
    assert RECORDED * plain == cost(replace(CALL, recorded=(("solvers/dfs.py", 0),)), returned)
