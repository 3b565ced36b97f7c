"""Mazes in texts, however they are held there."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from grader.exercises.kit.draw import dimensions, trees
from grader.release.handout import Rows, canonical, drawings
from lab import Maze
from tests.lab.drawn import mazes_with_costs

MAZE = """\
+-+-+-+-+
|S  |   |
+ +-+ + +
|   | |E|
+-+ +-+ +
|       |
+-+-+-+-+
"""
ROWS = tuple(MAZE.splitlines())


def found(text: str) -> set[Rows]:
    return {rows for _, rows in drawings(text)}


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def commented(text: str) -> str:
    return "".join(f"# {line}  # a row\n" for line in text.splitlines())


def as_list(text: str) -> str:
    return "[\n" + "".join(f'    "{line}",\n' for line in text.splitlines()) + "]\n"


def beside_another(text: str) -> str:
    return "".join(f"+-+   {line}   and more\n" for line in text.splitlines())


def in_one_line(text: str) -> str:
    return "rows = " + ", ".join(repr(line) for line in text.splitlines())


@pytest.mark.parametrize(
    "held", [str, json.dumps, repr, indented, commented, as_list, beside_another, in_one_line]
)
@settings(max_examples=20)
@given(maze=trees(dimensions()) | mazes_with_costs())
def test_a_drawing_is_found_however_it_is_held(held: Callable[[str], str], maze: Maze) -> None:
    text = maze.to_text()
    assert tuple(text.splitlines()) in found(f"before\n{held(text)}\nafter")


def test_the_line_is_that_of_its_first_row() -> None:
    assert [number for number, rows in drawings(f"one\ntwo\n{MAZE}") if rows == ROWS] == [3]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a + b | c",
        "| a | table |\n| --- | --- |\n",
        MAZE.replace("|   | |E|", "|   | |E"),
        "\n".join(ROWS[:-1]),
    ],
)
def test_what_is_no_drawing_is_none(text: str) -> None:
    assert ROWS not in found(text)


def turned(rows: Rows) -> Rows:
    """A quarter to the right."""
    columns = ("".join(column) for column in zip(*rows[::-1], strict=True))
    return tuple(column.translate(str.maketrans("-|", "|-")) for column in columns)


@given(trees(dimensions()))
def test_turned_and_mirrored_it_is_the_same(maze: Maze) -> None:
    rows = tuple(maze.to_text().splitlines())
    for form in (turned(rows), turned(turned(rows)), turned(turned(turned(rows))), rows[::-1]):
        assert canonical(form) == canonical(rows)
        assert Maze.from_text("\n".join(form)).dimension.position_count == maze.dimension.position_count


@given(trees(dimensions()), trees(dimensions()))
def test_others_are_not(one: Maze, other: Maze) -> None:
    rows, others = (tuple(maze.to_text().splitlines()) for maze in (one, other))
    forms = {rows, turned(rows), turned(turned(rows)), turned(turned(turned(rows)))}
    forms |= {form[::-1] for form in forms}
    assert (canonical(rows) == canonical(others)) == (others in forms)
