"""Mazes that differ in one thing from one that a checker got wrong: the first that is right stands beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from grader.exercises.kit.cases.edits import inner_sides, marked
from grader.exercises.kit.check import Case, Twin, Wrong
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.findings import cell_text
from grader.model import IsPerfect
from lab import Maze
from lab.recorded import Told

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
