"""Where a recorded solver parts from a right one."""

from __future__ import annotations

from grader.exercises.kit.check import Wrong
from grader.exercises.kit.facts import Facts
from grader.exercises.kit.solvers.ways import moves_of
from grader.model import Claim
from grader.model.claims import NoneValue
from lab.recorded import Told
from lab.story import Recorded
from lab.telling import Solved, of_solver


def story(exercise: str, wrong: Wrong, claim: Claim, run: Recorded) -> list[Told]:
    """Tell where the visits, or the moves of the way, depart from right ones; nothing where they do not."""
    facts = wrong.case.given
    if not isinstance(facts, Facts) or facts.length is None or not claim.runs:
        return []
    seen = claim.runs[-1]
    if seen.returned is None:
        return []
    gave_up = isinstance(seen.returned, NoneValue)
    solved = Solved(facts.maze, seen.streams, moves_of(seen.returned), gave_up)
    ways = [right for right in facts.ways[exercise] if right]
    return of_solver(run, solved, facts.right_orders[exercise], ways)
