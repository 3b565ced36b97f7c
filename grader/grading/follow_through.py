"""Follow-through marks: a solver that stands on a wrong Search is judged with one that works.

One slip costs its own points. Where the submission's Search fails checks of its own, the checks that a solver
lost are tried again with the grader's Search, which stays outside of the box (``search_answers.py``). Each
question goes over the wire, so only what went wrong is asked again; but all of that, on mazes of every size:
whoever fails with a Search of their own is asked no less than those who do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.exercises.kit.check import Check, Claims
from grader.model import Claim

MOST_RUNGS = 50
"""At most 50 of the smallest mazes are looked at to show a mistake."""


def asked_again(lost: Sequence[Check]) -> tuple[Check, ...]:
    """Return the checks to try again, with smaller mazes in place of large ones."""
    return tuple(
        replace(
            check,
            cases=check.brief or check.cases,
            ladder=check.ladder and check.ladder.cut(MOST_RUNGS),
            control_ladder=None,
        )
        for check in lost
    )


def right_before(lost: Sequence[Check], claims: Claims) -> dict[str, Claim]:
    """Return the claims in which none of the lost checks finds anything wrong."""
    wrong = {
        case.call.id
        for check in lost
        for judge, cases in ((check.judge, check.cases), (check.control, check.controls))
        for case in cases
        if judge is not None and case.call.id in claims and judge((case,), claims) is not None
    }
    return {id_: claim for id_, claim in claims.items() if id_ not in wrong}
