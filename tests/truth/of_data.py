"""Of each sentence of a story on what variables held, whether it is so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.truth.record import Held, SecondRecord, parts_of
from tests.truth.right import distances
from tests.truth.runs import (
    MOVES_BY_NAME,
    Run,
    bound,
    is_told,
    maze_of,
    moved,
    runs,
)
from tests.truth.said import About, Said, true


@true("story_element", "story_held")
def _element(said: Said, record: SecondRecord, about: About) -> bool:
    """The list that was returned holds the move there, since that line ran and until the end."""
    moves = [each for each in record.moments if each.kind == "return"][-1].held
    whole = [*(moves.parts if isinstance(moves, Held) else moves)]
    far, maze, cell = distances(maze_of(about)), maze_of(about), tuple(maze_of(about).entry)
    came, due = MOVES_BY_NAME[said.values["came"]], MOVES_BY_NAME[said.values["due"]]
    places = []
    for place, move in enumerate(whole):
        if move == came and cell in far and (moved(cell, due) in far or far[cell] == 0):
            places.append(place)
        cell = moved(cell, move)
    del maze
    return any(_stays(run, whole, place) for run in runs(said, record) for place in places)


def _stays(run: Run, whole: Sequence[Any], place: int) -> bool:
    """Tell whether a run gave a list an element which it, or what was made of it, kept until the end."""
    there = {
        part.id for each in run.before.values() for part in parts_of(each.held) if isinstance(part, Held)
    }
    gained = (
        each for each in run.moments if each.kind in ("change", "value") and isinstance(each.held, Held)
    )
    for held in (each.held for each in gained if each.kind == "change" or each.held.id not in there):
        later = [
            part
            for each in run.record.moments[run.end :]
            if each.kind == "change"
            for part in parts_of(each.held)
        ]
        versions = [
            held.parts,
            *(part.parts for part in later if isinstance(part, Held) and part.id == held.id),
        ]
        ends = [n for n, each in enumerate(versions) if [*each][::-1] == [*whole]]
        turned = (
            [len(whole) - 1 - place] if ends else []
        )  # turned round afterwards, in place or as another list
        versions = versions[: ends[-1] + 1] if ends else versions
        for index in (place, place - len(whole), *turned):
            if all(_at(each, index) == whole[place] for each in versions):
                return True
    return False


def _at(parts: Sequence[Any], index: int) -> Any:
    return parts[index] if -len(parts) <= index < len(parts) else None


@true("story_made")
def _made(said: Said, record: SecondRecord, _: About) -> bool:
    """The line gave the variable, or the entry of a dict, that value."""
    name, value = said.values["name"], said.values["value"]
    return any(
        (name in run.after and is_told(value, run.after[name]) and _is_given(name, run))
        or entry_of(run.before, name) != value == entry_of(run.after, name)
        for run in runs(said, record)
    )


def _is_given(name: str, run: Run) -> bool:
    """Tell whether a line gave a variable a value, or changed what it holds."""
    before = run.before.get(name)
    return name in bound(run) or (before is not None and before.held != run.after[name].held)


def entry_of(variables: Mapping[str, Any], name: str) -> str | None:
    """Return the words for an entry of a dict, as ``came[(1, 2)]`` names it."""
    variable, _, key = name.partition("[")
    held = variables[variable].held if variable in variables else None
    pairs = held.parts if isinstance(held, Held) and held.kind.endswith("dict") else ()
    words = (value for each, value in pairs if f"{words_of(each)}]" == key)
    return next((words_of(each) for each in words), None)


def words_of(held: Any) -> str:
    return next((name for name, move in MOVES_BY_NAME.items() if move == held), str(held))


@true("story_changed")
def _changed(said: Said, record: SecondRecord, _: About) -> bool:
    """The variable held the one before that step, and the other once the line had run."""
    name, old, new = (said.values[each] for each in ("name", "old", "new"))
    for run in runs(said, record):
        begun = max(n for n, each in enumerate(record.moments[: run.start]) if each.name == "step")
        earlier = [each.variables[name] for each in record.moments[: run.start] if name in each.variables]
        if (
            name in run.after
            and is_told(new, run.after[name])
            and any(is_told(old, each) for each in earlier)
        ):
            return begun >= 0
    return False
