"""Judges of the perfection checker, and what its answers follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from grader.exercises.kit.check import Case, Twin, Wrong
from grader.exercises.kit.draw import inner_sides, marked
from grader.exercises.kit.facts import Facts, Features, facts_of, shape, why_imperfect
from grader.exercises.kit.findings import Finding, cell_text, describe, ending
from grader.exercises.kit.solvers.runs import mazes_of_size
from grader.languages import said
from grader.model import Claim, IsPerfect, Telling
from grader.model.claims import BoolValue, IntValue, NoneValue, OtherValue, Value
from lab import Maze, Vector
from lab.recorded import Told


def judge_perfection(facts: Facts, claim: Claim) -> Finding | None:
    """Judge whether the answer is right; 1, 0 and None count by their truth, since another judge checks the
    type."""
    if claim.answer is None:
        return ending(claim, expected=_expected(facts))
    if truth(claim.answer.returned) is facts.is_perfect:
        return None
    text = describe(claim.answer.returned)
    message = said("returned", value=text)
    return Finding("failed", message, _expected(facts), {"text": text}, extra=shape(facts))


def judge_afresh(facts: Facts, claim: Claim) -> Finding | None:
    """Judge whether the answer is right, but accept a missing one unless the call raised.

    An earlier maze may be the reason that it is missing.
    """
    return None if claim.answer is None and claim.outcome != "raised" else judge_perfection(facts, claim)


def judge_true_or_false(facts: Facts, claim: Claim) -> Finding | None:
    """Judge whether the answer is exactly True or exactly False."""
    if claim.answer is None:
        return ending(claim, expected=_expected(facts))
    if isinstance(claim.answer.returned, BoolValue):
        return None
    text = describe(claim.answer.returned)
    return Finding("failed", said("no_truth", value=text), _expected(facts), {"text": text})


def judge_left_alone(facts: Facts, claim: Claim) -> Finding | None:
    """Judge whether the maze is unchanged."""
    expected = {"text": said("as_before")}
    if claim.answer is None:
        return ending(claim, expected=expected)
    if claim.answer.changed is None:
        return None
    actual: dict[str, Telling] = {
        "text": said("was_changed"),
        "mazes": mazes_of_size(facts, claim.answer.changed),
    }
    return Finding("failed", said("changed"), expected, actual)


def truth(returned: Value) -> bool | None:
    """Return the truth of a returned value; None if it is no answer at all."""
    match returned:
        case BoolValue(given) | IntValue(given):
            return bool(given)
        case NoneValue():
            return False
    return None


def share_of_yes(claims: Sequence[Claim], perfect: Sequence[Claim]) -> float:
    """Return the share of mazes for which the answer is yes.

    That is True or, if the checker uses other values, what it returns most often for perfect mazes.
    """
    usual, _ = Counter(map(_meaning, perfect)).most_common(1)[0]
    yes = True if usual in (None, True, False) else usual
    return fmean(_meaning(claim) == yes for claim in claims)


def _meaning(claim: Claim) -> bool | str | None:
    """Return an answer in comparable form; None if there was none."""
    if claim.answer is None:
        return None
    returned = claim.answer.returned
    meant = truth(returned)
    if meant is not None or not isinstance(returned, OtherValue):
        return meant
    return returned.text if returned.type_name == "str" else returned.type_name


def _expected(facts: Facts) -> dict[str, Telling]:
    if facts.is_perfect:
        return {"text": said("is_perfect")}
    return {"text": said("is_imperfect", flaw=why_imperfect(facts))}


Rule = Callable[[Features], "bool | str"]
"""Return what a checker answers, or how it ends, from the features of a maze."""


MOST_CELLS: Final = 25
"""Of a larger maze no twins are made."""


def twins(wrong: Wrong) -> Iterator[Twin]:
    """Yield the twins of a maze: first those that differ in entry or exit, then perfect ones.

    Where a checker that calls a perfect maze imperfect says the same of an imperfect one, that tells nothing.
    """
    facts, asked = wrong.case.facts, wrong.case.call.asked(IsPerfect)
    if asked.before or facts.dimension.position_count > MOST_CELLS:
        return
    others = [*_one_side_changed(facts.maze)]
    opposite = [maze for maze, _ in others if _is_perfect(maze) is not facts.is_perfect][:1]
    perfect = [*_one_passage_moved(facts)] if facts.is_perfect else [e for e in others if _is_perfect(e[0])]
    for maze, told in _marked(facts.maze):
        for other in opposite:
            control = marked(other, maze.entry, maze.exit)
            yield Twin(_case(wrong.case, maze), told, (_case(wrong.case, control),))
    rest = [each for each in others if not facts.is_perfect and not _is_perfect(each[0])]
    for maze, told in (*perfect, *rest):
        yield Twin(_case(wrong.case, maze), told)


def _is_perfect(maze: Maze) -> bool:
    return facts_of(maze.to_text()).is_perfect


def _case(wrong: Case, maze: Maze) -> Case:
    text = maze.to_text()
    call = replace(wrong.call, id=f"twin/{text}", arguments=IsPerfect(text))
    return replace(wrong, call=call, given=facts_of(text), maze=text)


def _marked(maze: Maze) -> Iterator[tuple[Maze, Told]]:
    """Yield the maze without its exit, or, if there is room, with one; and with entry and exit exchanged."""
    cells = maze.dimension.all_positions()
    if maze.exit is None:
        if len(cells) == 1:
            return
        last = cells[-1] if maze.entry != cells[-1] else cells[0]
        yield marked(maze, maze.entry, last), Told("exit", None, {"one": cell_text(last)})
        return
    yield marked(maze, maze.entry, None), Told("no_exit", None)
    values = {"one": cell_text(maze.exit), "other": cell_text(maze.entry)}
    yield marked(maze, maze.exit, maze.entry), Told("marks", None, values)


def _one_side_changed(maze: Maze) -> Iterator[tuple[Maze, Told]]:
    for cell, move in inner_sides(maze):
        changed, values = maze.copy(), {"one": cell_text(cell), "other": cell_text(cell + move)}
        if maze.is_wall(cell, move):
            changed.break_wall(cell, move)
            yield changed, Told("open", None, values)
        else:
            changed.build_wall(cell, move)
            yield changed, Told("wall", None, values)


def _one_passage_moved(facts: Facts) -> Iterator[tuple[Maze, Told]]:
    """Yield perfect mazes in which one passage of a perfect maze is elsewhere."""
    for closed, told in _one_side_changed(facts.maze):
        for moved, opened in _one_side_changed(closed) if told.key == "wall" else ():
            if opened.key == "open" and moved != facts.maze and _is_perfect(moved):
                values = {"here": opened.values["one"], "there": opened.values["other"]}
                yield moved, Told("moved", None, {**told.values, **values})


# --- a neighbour that is known already ------------------------------------------------------------


def marking_found(maze: Features) -> bool:
    """Answer like a checker that marks cells when found, and takes known neighbours for cycles.

    Only the cell visited just before is excepted.
    """
    pending, known, before, count = [maze.maze.entry], {maze.maze.entry}, None, 0
    while pending:
        cell = pending.pop()
        count += 1
        for end in (cell + move for move in maze.maze.valid_moves_at(cell)):
            if end not in known:
                known.add(end)
                pending.append(end)
            elif end != before:
                return False
        before = cell
    return count == len(maze.cells)


# --- moves that are never made --------------------------------------------------------------------


def _walk(maze: Features, moves: Sequence[Vector]) -> tuple[int, bool]:
    """Return how many cells a search from the entry reaches by these moves, and whether it meets a known one
    that is not the cell from which it came."""
    came_from: dict[Vector, Vector | None] = {maze.maze.entry: None}
    pending, met_again = [maze.maze.entry], False
    while pending:
        cell = pending.pop()
        for end in (cell + move for move in maze.maze.valid_moves_at(cell) if move in moves):
            if end not in came_from:
                came_from[end] = cell
                pending.append(end)
            elif end != came_from[cell]:
                met_again = True
    return len(came_from), met_again


def by_some_moves(moves: Sequence[Vector]) -> Rule:
    """Return the rule of a checker that makes only these moves, and looks for cells met again."""

    def answer(maze: Features) -> bool:
        cell_count, met_again = _walk(maze, moves)
        return cell_count == len(maze.cells) and not met_again

    return answer
