"""An instructor's statements about one maze, beyond the lab's promises, and which solver breaks them."""

from __future__ import annotations

from grader.exercises.kit.cases.fixed_mazes import Stated
from grader.exercises.kit.facts import Facts
from grader.exercises.kit.findings import Finding, cell_text, cells_text, describe, moves_text
from grader.exercises.kit.solvers.visit_order import visits_out_of_order
from grader.exercises.kit.solvers.ways import expectation, moves_of, returned_by, seen, way_complaint
from grader.languages import Message, said
from grader.model import Claim, Telling
from grader.model.claims import Value
from lab import Vector
from lab.visits import tidy, up_to_the_exit

ENDS = 2
"""Every solver visits the entry and the exit, whether or not that can be seen."""


def judge_stated(facts: Facts, claim: Claim, exercise: str, stated: Stated) -> Finding | None:
    """Return the first statement broken by a solver that finds a way.

    Whether it finds one is left to other judges. Visits in a right order, or unseen ones, break no statement.
    """
    returned = returned_by(claim)
    if returned is None or way_complaint(facts, returned) is not None:
        return None
    found = _judge_moves(facts, claim, exercise, stated, returned)
    if found is not None or (stated.at_most_visits is None and not stated.must_visit):
        return found
    visits = visits_out_of_order(facts, claim, exercise)
    return None if visits is None else _judge_visits(facts, exercise, stated, visits)


def _judge_moves(
    facts: Facts, claim: Claim, exercise: str, stated: Stated, returned: Value
) -> Finding | None:
    moves = moves_of(returned) or ()
    expected = dict(expectation(facts, exercise))
    actual = {"text": describe(returned), "moves": moves, **seen(facts, claim, 0)}
    most = stated.at_most_moves
    if most is not None and len(moves) > most:
        expected["text"] = said("at_most_moves", most=most)
        return Finding("failed", said("too_many_moves", count=len(moves), most=most), expected, actual)
    if stated.way is not None and moves != stated.way:
        text = said("not_the_way", value=describe(returned), way=moves_text(stated.way))
        return Finding("failed", text, expected, actual)
    return None


def _judge_visits(facts: Facts, exercise: str, stated: Stated, visits: list[Vector]) -> Finding | None:
    before = tidy(up_to_the_exit(visits, facts.maze), facts.maze)
    most, count = stated.at_most_visits, len(before) + ENDS
    if most is not None and count > most:
        text, wanted = said("too_many_visits", count=count, most=most), said("at_most_visits", most=most)
        return _of_visits(facts, exercise, visits, text, wanted)
    reached = {*before, facts.maze.entry, facts.maze.exit}
    for cell in stated.must_visit:
        if cell not in reached:
            place = cell_text(cell)
            text, wanted = said("not_visited", cell=place), said("must_visit", cell=place)
            return _of_visits(facts, exercise, visits, text, wanted)
    return None


def _of_visits(facts: Facts, exercise: str, visits: list[Vector], text: Message, wanted: Message) -> Finding:
    expected = {**expectation(facts, exercise), "text": wanted}
    actual: dict[str, Telling] = {"text": cells_text(visits), "visits": visits}
    return Finding("failed", text, expected, actual)
