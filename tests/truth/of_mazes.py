"""Of each sentence of a story on mazes, those that were made and those beside, whether it is so."""

from __future__ import annotations

from lab import Maze
from tests.truth.of_visits import stands_at
from tests.truth.record import Moment, SecondRecord
from tests.truth.right import Cell, connected
from tests.truth.runs import (
    cell_of,
    gave,
    is_decided,
    maze_of,
    runs,
)
from tests.truth.said import About, Said, true


def opened(record: SecondRecord) -> list[tuple[int, tuple[Cell, Cell]]]:
    return [(n, each.held) for n, each in enumerate(record.moments) if each.name == "opened"]


@true("story_cycle")
def _cycle(said: Said, record: SecondRecord, _: About) -> bool:
    one, other, walls = cell_of(said.values["one"]), cell_of(said.values["other"]), opened(record)
    return any(
        {*pair} == {one, other}
        and stands_at(record, at, said)
        and connected([each for n, each in walls if n < at], one, other)
        for at, pair in walls
    )


@true("story_apart", "story_unopened")
def _apart(said: Said, record: SecondRecord, _: About) -> bool:
    walls = opened(record)
    is_last = (
        not walls if said.key == "story_unopened" else bool(walls) and stands_at(record, walls[-1][0], said)
    )
    pairs = [pair for _, pair in walls]
    return is_last and not connected(pairs, cell_of(said.values["one"]), cell_of(said.values["other"]))


@true("story_no_exit", "story_exit", "story_marks", "story_open", "story_wall", "story_moved")
def _beside(said: Said, _: SecondRecord, about: About) -> bool:
    """The mazes differ in what is said alone, and what came of the other one is right."""
    assert about.beside is not None
    here, there = maze_of(about), maze_of(about.beside)
    walls = [{*pair} for pair in passages(here) ^ passages(there)]
    ends = [name for name in ("entry", "exit") if getattr(here, name) != getattr(there, name)]
    cells = {name: cell_of(text) for name, text in said.values.items() if name != "value"}
    is_so = {
        "no_exit": not walls and ends == ["exit"] and there.exit is None,
        "exit": not walls and ends == ["exit"] and there.exit == cells.get("one"),
        "marks": not walls
        and bool(ends)
        and (there.entry, there.exit) == (cells.get("one"), cells.get("other")),
        "open": not ends
        and walls == [{cells.get("one"), cells.get("other")}]
        and len(passages(there)) > len(passages(here)),
        "wall": not ends
        and walls == [{cells.get("one"), cells.get("other")}]
        and len(passages(there)) < len(passages(here)),
        "moved": not ends and len(walls) == 2 and {cells.get("here"), cells.get("there")} in walls,
    }[said.key.removeprefix("story_")]
    is_right = gave(about.beside.record) == said.values["value"] == str(is_perfect(there))
    return is_so and is_right


def passages(maze: Maze) -> set[frozenset[Cell]]:
    cells = maze.dimension.all_positions()
    return {
        frozenset(((cell[0], cell[1]), (cell[0] + move[0], cell[1] + move[1])))
        for cell in cells
        for move in maze.valid_moves_at(cell)
    }


def is_perfect(maze: Maze) -> bool:
    pairs = [tuple(pair) for pair in passages(maze)]
    cells = [tuple(cell) for cell in maze.dimension.all_positions()]
    return len(pairs) == len(cells) - 1 and all(connected(pairs, cells[0], cell) for cell in cells)  # type: ignore[arg-type]


@true("story_differs")
def _differs(said: Said, record: SecondRecord, about: About) -> bool:
    """The same lines run in both calls, and then the condition comes out otherwise in the other."""
    assert about.beside is not None
    other = about.beside.record
    pairs = zip(_places(record), _places(other), strict=False)
    for (at, here), (beside, there) in pairs:
        if here != there:
            return False
        same = Said(said.key, said.values, said.file, said.line)
        if here == (said.file, said.line):
            one = [run for run in runs(same, record) if run.start == at]
            two = [run for run in runs(same, other) if run.start == beside]
            told = Said(said.key, {**said.values, "outcome": said.values["otherwise"]})
            if one and two and is_decided(one[0], said) and is_decided(two[0], told):
                return said.values["outcome"] != said.values["otherwise"]
    return False


def _places(record: SecondRecord) -> list[tuple[int, tuple[str, int]]]:
    return [
        (n, (each.file, each.line))
        for n, each in enumerate(record.moments)
        if each.kind == "line" and not _is_inner(record, each)
    ]


def _is_inner(record: SecondRecord, moment: Moment) -> bool:
    """Tell whether a moment is one of a lambda or a comprehension."""
    call = next(each for each in record.moments if each.kind == "call" and each.frame == moment.frame)
    return call.name[0] == "<"
