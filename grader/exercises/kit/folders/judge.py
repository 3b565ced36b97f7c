"""Judges of an exercise in a folder: the form of the answer first, then its own judge, or equality.

What the submission's code returned is checked here first; an answer of another form than the exercise names
never reaches the course's code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from json import dumps

from grader.exercises.kit.answers import (
    Place,
    describe_data,
    difference,
    has_form,
    is_same,
    line_that_differs,
    place_text,
    shown,
)
from grader.exercises.kit.answers import at as part_at
from grader.exercises.kit.facts import Facts
from grader.exercises.kit.findings import Finding, describe, ending
from grader.exercises.kit.folders.code import JUDGES, KNOWN, OwnCode, made
from grader.exercises.kit.solvers.runs import (
    mazes_of_size,
    moves_of,
    no_move,
    odd,
    returned_by,
    seen,
)
from grader.languages import Message, Text, said
from grader.model import Ask, Claim, Given, Telling
from grader.model.claims import NoneValue, SolveRun, Value, VectorsValue
from grader.model.data import Data
from lab import MOVES, Maze, Vector
from lab.costs import costs_on
from lab.maze import Position
from lab.render.marks import marked_answers

Complaint = tuple[Message, Text]
"""What is wrong with an answer, and the hint that its exercise has for it, if any."""

_MAY_BE_NONE = ("moves", "maze", "anything")
"""Forms of answers for which None is accepted as well, whatever the reference returns."""

# --- solvers, which are watched ---------------------------------------------------------------------


def judge_own(
    facts: Facts, claim: Claim, exercise: str, *, run: int = 0, judged_by: str = JUDGES
) -> Finding | None:
    """Return what is wrong with a solver's answer: that it is no moves, or what the judge says."""
    own, returned = KNOWN[exercise], returned_by(claim, run)
    if returned is None:
        return ending(claim, expected=_expected(own, facts), **seen(facts, claim, run))
    values, watched = solver_values(facts.text), _watched(facts, claim.runs[run])
    complaint = _form(returned) or _complaint(
        own, "solve", values, _moves(returned), watched, judged_by=judged_by
    )
    if complaint is None:
        return None
    message, hint = complaint
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves_of(returned)}
    return Finding("failed", message, _expected(own, facts), actual, hint)


def _watched(facts: Facts, run: SolveRun) -> dict[str, object]:
    """Return what a judge is told of a solver's work: its visits, in order, and the cells that it looked at.

    A stream that tells the same as an earlier one was not sent.
    """
    streams = run.streams
    visits = [Vector(*cell) for cell in next(iter(streams.values()), ())]
    asked = streams.get("asked") or streams.get("taken", ())
    return {"visits": visits or None, "looked_at": looked_at(facts.maze, asked, streams.get("probed", ()))}


def looked_at(maze: Maze, *streams: Iterable[Position]) -> tuple[Vector, ...]:
    """Return the cells whose moves or sides were asked about, in each stream before the exit's were."""
    before = (takewhile(lambda cell: cell != maze.exit, stream) for stream in streams)
    cells = {Vector(*cell) for stream in before for cell in stream}
    return tuple(sorted(cell for cell in cells if maze.dimension.includes(cell)))


def judge_stated_cost(facts: Facts, claim: Claim, exercise: str, most: int) -> Finding | None:
    """Judge whether a way costs no more than a test maze states; whether it is one is left to the judge."""
    returned = returned_by(claim)
    if not isinstance(returned, VectorsValue) or _form(returned) is not None:
        return None
    try:
        cost = sum(costs_on(facts.maze, [Vector(*move) for move in returned.value]))
    except ValueError:  # it runs into a wall
        return None
    if cost <= most:
        return None
    expected = {**_expected(KNOWN[exercise], facts), "text": said("at_most_cost", most=most)}
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves_of(returned)}
    return Finding("failed", said("costs_more", cost=cost, most=most), expected, actual)


def judge_not_none(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Only refuse None where there are moves to make; accept anything else."""
    is_none = claim.outcome != "returned" or isinstance(returned_by(claim), NoneValue)
    return judge_own(facts, claim, exercise) if is_none else None


def judge_left_alone(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge whether the maze is unchanged; calls that did not end are left to other checks."""
    changed = claim.runs[0].changed if claim.outcome == "returned" else None
    if changed is None:
        return None
    return _changed({**_expected(KNOWN[exercise], facts), "text": said("as_before")}, facts, changed)


def solver_values(text: str) -> tuple[Given, ...]:
    """Return the arguments of a solver."""
    return ("data", dumps({"m": text})), ("search", "null")


def _expected(own: OwnCode, facts: Facts) -> dict[str, Telling]:
    right = own.right("solve", solver_values(facts.text))
    if not has_form(right, "moves"):
        return {"text": describe_data(right), "moves": None}
    return shown(right, "moves")


def _form(returned: Value) -> Complaint | None:
    """Return what is wrong with the form of an answer."""
    if isinstance(returned, NoneValue):
        return None
    if not isinstance(returned, VectorsValue) or not returned.counts_as_list:
        return said("no_list", value=odd(returned)), ""
    wrong = ((number, each) for number, each in enumerate(returned.value, 1) if each not in MOVES)
    return next(((no_move(number, each), "") for number, each in wrong), None)


def _moves(returned: Value) -> Data:
    return [Vector(*move) for move in returned.value] if isinstance(returned, VectorsValue) else None


def _complaint(
    own: OwnCode,
    method: str,
    values: tuple[Given, ...],
    returned: Data,
    watched: Mapping[str, object],
    *,
    judged_by: str,
) -> Complaint | None:
    """Return what is wrong with an answer of the right form."""
    if own.has_judge:
        found = own.complaint(method, values, returned, watched, judged_by)
        return None if found is None else (found.message, found.hint)
    expected = own.right(method, values)
    place = difference(expected, returned)
    return None if place is None else (_differs(expected, returned, place), "")


# --- answers of any form ----------------------------------------------------------------------------


def judge_answer(asked: Ask, claim: Claim, exercise: str, judged_by: str = JUDGES) -> Finding | None:
    """Return what is wrong with an answer: its form, what the judge says, or where it differs."""
    own = KNOWN[exercise]
    form, expected = own.exercise.calls[asked.method].returns, own.right(asked.method, asked.values)
    if claim.data is None:
        return ending(claim, expected=_told(asked, expected, expected, form))
    returned = claim.data.returned
    if is_same(expected, returned):
        return None  # the judge was tried with it
    line = line_that_differs(expected, returned)
    place = difference(expected, returned) if line is None else (line, 0)
    if not fits(returned, expected, form):
        text = said("wrong_form", value=describe_data(returned), form=said(f"form_{form.replace('-', '_')}"))
        complaint: Complaint | None = text, ""
    elif own.has_judge:
        found = own.complaint(asked.method, asked.values, returned, judged_by=judged_by)
        complaint = None if found is None else (found.message, found.hint)
        place = place if found is None else found.place or place
    else:
        complaint = None if place is None else (_differs(expected, returned, place), "")
    if complaint is None:
        return None
    message, hint = complaint
    due, came = (_told(asked, expected, answer, form, place) for answer in (expected, returned))
    return Finding("failed", message, due, came, hint)


def _told(
    asked: Ask, expected: Data, answer: Data, form: str, place: Place | None = None
) -> dict[str, Telling]:
    """Return an answer as data for its picture: a mapping is drawn into the only maze in place of a table,
    where the right one is of its cells to numbers.
    """
    told = shown(answer, form, place)
    if isinstance(expected, dict) and isinstance(answer, dict):
        mazes = [value for value in made(asked.values) if isinstance(value, Maze)]
        _, found = marked_answers(expected, answer, mazes)
        if found is not None:
            told["marked"] = found.plain
            if len(found.cells) == len(answer):
                del told["table"]
    return told


def judge_answer_left_alone(asked: Ask, claim: Claim, _exercise: str) -> Finding | None:
    """Judge whether the maze is unchanged; calls that did not end are left to other checks."""
    changed = None if claim.data is None else claim.data.changed
    if changed is None:
        return None
    sizes = {len(value.to_text()) for value in made(asked.values) if isinstance(value, Maze)}
    whole = [changed] if len(changed) in sizes else []
    expected: dict[str, Telling] = {"text": said("as_before")}
    return Finding(
        "failed",
        said("changed"),
        expected,
        {"text": said("was_changed"), "mazes": whole},
    )


def fits(returned: Data, expected: Data, form: str) -> bool:
    """Return whether an answer has the exercise's form, or is None where that is accepted."""
    if returned is None:
        return expected is None or form in _MAY_BE_NONE
    return has_form(returned, form)


def _changed(expected: Mapping[str, Telling], facts: Facts, changed: str) -> Finding:
    actual: dict[str, Telling] = {"text": said("was_changed"), "mazes": mazes_of_size(facts, changed)}
    return Finding("failed", said("changed"), expected, actual)


def _differs(expected: Data, returned: Data, place: Place) -> Message:
    """Say what was returned and what was expected: in full if that is short, else where they differ."""
    if isinstance(expected, str) and isinstance(returned, str) and place:
        return _differs_in_line(expected, returned, place)
    whole: tuple[Text, Text] = describe_data(returned), describe_data(expected)
    where = place_text(place)
    if where is None or sum(map(len, map(str, whole))) <= _SHORT:
        return said("answer_differs", value=whole[0], expected=whole[1])
    if isinstance(expected, (list, tuple)) and isinstance(returned, (list, tuple)):
        counts = len(returned), len(expected)
        if counts[0] != counts[1] and place == (min(counts),):
            return said("other_length", count=counts[0], wanted=counts[1])
    if isinstance(expected, dict) and isinstance(returned, dict) and len(place) == 1:
        if place[0] not in returned:
            return said("lacks_key", key=describe_data(place[0]))
        if place[0] not in expected:
            return said("has_key", key=describe_data(place[0]))
    parts = [part_at(answer, place[:2]) for answer in (returned, expected)]
    return said("differs_at", place=where, value=describe_data(parts[0]), expected=describe_data(parts[1]))


def _differs_in_line(expected: str, returned: str, place: Place) -> Message:
    """Say in which line two texts differ, or that one has more lines, if only empty ones at its end."""
    ends = [len(text) - len(text.rstrip("\n")) for text in (returned, expected)]
    if returned.rstrip("\n") == expected.rstrip("\n"):
        return said("other_end", count=ends[0], wanted=ends[1])
    lines = [text.split("\n") for text in (returned, expected)]
    (number, _), counts = place, [*map(len, lines)]
    if not isinstance(number, int) or number >= min(counts):
        return said("other_lines", count=counts[0], wanted=counts[1])
    value, wanted = (describe_data(each[number]) for each in lines)
    return said("differs_in_line", number=number + 1, value=value, expected=wanted)


_SHORT = 80
"""Two answers with at most this many characters in total are shown in full."""
