"""Which ``record`` of a script caused the wrong result of a later step, if that is clear.

A step that went wrong is about a cell: the one asked for, the one returned, or the one expected. If several
records led to the cell, one is blamed only if the result shows which of them the submission used; none if two
searches know the cell, since either may be involved. Where the call was recorded, what the search held after
each step counts for more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest

from grader.exercises.kit.findings import cell_text
from grader.model import Step
from grader.model.claims import IntValue, Raised, Value, VectorsValue, VectorValue
from lab import Vector
from lab.maze import Position
from lab.telling import entry_of
from reference.solvers.search import Search

Given = Value | Raised


def touched(steps: Sequence[Step], right: Sequence[Given], index: int, came: Given) -> Step | None:
    """Return the ``record`` to blame if the step at ``index`` wrongly returned ``came``; None if unclear."""
    instance, method, arguments = steps[index]
    wanted = right[index]
    match method, wanted, came:
        case "distance_to", IntValue(), IntValue(distance):
            return _chosen(
                steps[:index],
                instance,
                arguments[0],
                lambda search, step: search.distance_to(Vector(*step[2][0])) + 1 == distance,
                is_last=True,
            )
        case "moves_to", VectorsValue(due), VectorsValue(moves):
            return _on_the_way(steps[:index], instance, arguments[0], due, moves)
        case "known_cells", VectorsValue(due), VectorsValue(cells):
            odd = {*due} ^ {*cells}
            first = next((cell for cell in (*due, *cells) if cell in odd), None)
            return None if first is None else _first(steps[:index], instance, first)
        case "first_pending" | "last_pending" | "closest_pending", _, VectorValue(cell):
            return _since_taken(steps[:index], right, instance, cell)
        case "first_pending" | "last_pending" | "closest_pending", VectorValue(cell), Raised():
            return _first(steps[:index], instance, cell)
    return None


def seen_to_change(
    steps: Sequence[Step],
    wanted: Given,
    came: Given,
    held: Mapping[int, tuple[Mapping[str, str], Mapping[str, str]]],
) -> int | None:
    """Return the last step that is seen to have changed what only other steps may; None if there is none.

    The last of the steps went wrong. A record of one cell changes nothing that is held of another, and no
    step turns round which of two pending cells comes first. ``held`` has, for each earlier step with the
    same search, what it held before and after.
    """
    _, method, arguments = steps[-1]
    found = None
    for number, (before, after) in held.items():
        for name in before.keys() & after.keys():
            texts = before[name], after[name]
            if method in ("distance_to", "moves_to"):
                one, other = (entry_of(text, cell_text(Vector(*arguments[0]))) for text in texts)
                is_other = steps[number][1] == "record" and steps[number][2][-1] != arguments[0]
            elif isinstance(wanted, VectorValue) and isinstance(came, VectorValue):
                one, other = (_first_of(text, wanted.value, came.value) for text in texts)
                is_other = True
            else:
                return None
            if is_other and None not in (one, other) and one != other:
                found = number
    return found


def is_right(held: Mapping[str, str], cell: Position, wanted: Given, came: Given) -> bool:
    """Tell whether what is held of a cell is the answer that was due, and not the one that was given."""
    entries = {entry_of(text, cell_text(Vector(*cell))) for text in held.values()}
    numbers = [str(each.value) for each in (wanted, came) if isinstance(each, IntValue)]
    return len(numbers) == 2 and numbers[0] in entries and numbers[1] not in entries


def _first_of(text: str, one: Position, other: Position) -> str | None:
    """Return which of two cells comes first in a list; None where they are not both in it."""
    cells = sorted((cell_text(Vector(*cell)) for cell in (one, other)), key=text.find)
    return cells[0] if text[:1] == "[" and cells[0] in text else None


def _records(steps: Sequence[Step], instance: int, cell: Position) -> list[Step]:
    """Return the records of a search that led to a cell; none if another search knows the cell too."""
    known = [step for step in steps if cell in step[2][-1:]]
    if any(step[0] != instance for step in known):
        return []
    return [step for step in known if step[1] == "record"]


def _first(steps: Sequence[Step], instance: int, cell: Position) -> Step | None:
    """Return the record that found the cell."""
    return next(iter(_records(steps, instance, cell)), None)


def _since_taken(steps: Sequence[Step], right: Sequence[Given], instance: int, cell: Position) -> Step | None:
    """Return the first record of a cell since it was last taken, if it is returned again."""
    taken = [at for at, step in enumerate(steps) if step[0] == instance and right[at] == VectorValue(cell)]
    if not taken or not _records(steps, instance, cell):
        return None
    return _first(steps[taken[-1] :], instance, cell)


def _on_the_way(
    steps: Sequence[Step], instance: int, cell: Position, due: Sequence[Position], came: Sequence[Position]
) -> Step | None:
    """Return the record of the last cell that the ways ``due`` and ``came`` enter by different moves."""
    last, move = next(
        (at, other)
        for at, (one, other) in enumerate(zip_longest(reversed(due), reversed(came)))
        if one != other
    )
    for step in due[len(due) - last :]:
        cell = cell[0] - step[0], cell[1] - step[1]
    return _chosen(steps, instance, cell, lambda _search, step: step[2][1] == move)


def _chosen(
    steps: Sequence[Step],
    instance: int,
    cell: Position,
    fits: Callable[[Search, Step], bool],
    *,
    is_last: bool = False,
) -> Step | None:
    """Return the last record of a cell, if it should have changed something or did.

    Otherwise return the one that should have, if the submission's answer is that of an earlier one. With
    ``is_last``, none where the answer is that of no record, and others came later, which may have led to it.
    """
    records = _records(steps, instance, cell)
    search, fitting, due = Search(), list[Step](), None
    for step in steps:
        if step[0] != instance or step[1] == "known_cells":
            continue
        is_record = step in records
        if is_record and fits(search, step):
            fitting.append(step)
        before = search.distance_to(Vector(*cell)) if cell in search.known_cells else None
        with suppress(LookupError):
            getattr(search, step[1])(*step[2])
        if is_record and search.distance_to(Vector(*cell)) != before:
            due = step
    later = [step for step in steps if step[:2] == (instance, "record")][-1:]
    if is_last and not fitting and later != records[-1:]:
        return None
    if records and (records[-1] is due or records[-1] in fitting):
        return records[-1]
    return due if fitting else None
