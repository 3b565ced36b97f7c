"""What an exercise is given beside a maze: what of it is drawn, what fits, and how it reads."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

import pytest

from lab import NORTH, SOUTH, Dimension, Factory, Maze, Vector
from lab.render import board
from lab.render.check_page import ExerciseShown, Shown, to_page
from lab.render.marks import (
    Marked,
    answers_told,
    arguments_told,
    arrange,
    cells_of,
    find_marked,
    find_other_number,
    from_plain,
    legend_items,
    marked,
    marked_part,
    mazes_among,
    tables,
)

SIZE = Dimension(3, 4)


def room(rows: int, columns: int) -> Maze:
    return Factory().fully_connected(Dimension(rows, columns))


@pytest.mark.parametrize(
    ("value", "form", "words"),
    [
        (Vector(2, 3), "cell", "it: (2, 3)"),
        ([Vector(2, 3), (1, 1)], "list", "it: 1 (2, 3), 2 (1, 1)"),
        (((1, 1), (1, 2)), "list", "it: 1 (1, 1), 2 (1, 2)"),
        ({(2, 3), (1, 1)}, "set", "it: (1, 1), (2, 3)"),
        ({(1, 1): 3, Vector(3, 4): 2.5}, "mapping", "it: (1, 1) 3, (3, 4) 2.5"),
        ({(1, 1): math.inf}, "mapping", "it: (1, 1) ∞"),
    ],
)
def test_what_is_of_the_maze_is_marked(value: object, form: str, words: str) -> None:
    found = marked("it", value, SIZE)
    assert found is not None
    assert (found.form, found.words) == (form, words)
    assert from_plain(json.loads(json.dumps(found.plain))) == found


@pytest.mark.parametrize(
    "value",
    [
        *((2, 3), Vector(4, 1), NORTH, 7, "A", None, [], {}, [1, 2], [[1, 1], [1, 2]], [(1, 1, 1)]),
        *([NORTH, SOUTH], [Vector(1, 1), 5], [(1, 1), (4, 4)], [(True, 1)], {(1, 1): "a"}, {(1, 1): True}),
        *({(1, 1): 2, (9, 9): 3}, {1: 2}, {(1, 1): [2]}),
    ],
)
def test_what_is_not_of_the_maze_is_left_alone(value: object) -> None:
    assert marked("it", value, SIZE) is None


def test_a_part_of_an_answer_is_drawn_where_the_rest_is_not_of_the_maze() -> None:
    found = marked_part("", {(1, 1): 2, (9, 9): 3, "a": 4, (1, 2): None}, SIZE)
    assert found is not None
    assert found.words == "(1, 1) 2"
    assert marked_part("", {(9, 9): 3}, SIZE) is marked_part("", [(1, 1)], SIZE) is None


def test_each_of_several_mazes_has_what_fits_it_alone() -> None:
    mazes = {"small": room(2, 2), "halls": [room(2, 6), room(6, 2)]}
    names = [*mazes_among(mazes)]
    found = find_marked({**mazes, "east": Vector(1, 5), "south": Vector(5, 1), "any": Vector(1, 1)})
    assert names == ["small", "halls[0]", "halls[1]"]
    assert {each.name: each.maze for each in found} == {"east": "halls[0]", "south": "halls[1]", "any": ""}


def test_letters_are_the_arguments_own_where_they_are_free() -> None:
    given = [
        Marked(name, "cell", (Vector(1, n),)) for n, name in enumerate(["key", "knife", "start", "end"], 1)
    ]
    found = arrange(given, SIZE)
    assert [*found.signs.values()] == ["K", "A", "B", "C"]
    assert not found.beside
    assert "<code>knife</code>" in legend_items([found])


def of_cells(form: str, cells: Iterable[tuple[int, int]], *numbers: str, name: str = "it") -> Marked:
    return from_plain({"name": name, "form": form, "cells": [*cells], "numbers": numbers})


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ([of_cells("mapping", [(1, 1)], "1234")], SIZE),
        ([of_cells("mapping", [(1, 1)], "0.3333333")], SIZE),
        ([of_cells("list", [(1, 1), (1, 2), (1, 1), (1, 1)])], SIZE),
        ([of_cells("cell", [(1, 1)])], Dimension(2, 31)),
        ([of_cells("cell", [(1, 1)])], Dimension(31, 2)),
    ],
)
def test_what_does_not_fit_is_a_table(given: list[Marked], size: Dimension) -> None:
    found = arrange(given, size)
    assert found.beside == (*given,)
    assert (found.signs, found.numbers, found.legend) == ({}, {}, ())
    shown = tables(found.beside)
    assert all(text in shown for text in given[0].texts)
    assert "it, which is in no picture" in shown


def test_a_cell_holds_two_letters_and_one_mapping() -> None:
    three = [of_cells("cell", [(1, 1)], name=name) for name in ("key", "lock", "door")]
    two = [
        of_cells("mapping", [(1, 1)], number, name=name) for name, number in (("rooms", "1"), ("costs", "2"))
    ]
    found = arrange([*three, *two], SIZE)
    assert (found.signs, found.numbers) == ({Vector(1, 1): "KL"}, {Vector(1, 1): "1"})
    assert [each.name for each in found.beside] == ["door", "costs"]


def test_letters_end() -> None:
    names = [f"key{number}" for number in range(23)]
    found = arrange(
        [of_cells("cell", [(1, 1 + n)], name=name) for n, name in enumerate(names)], Dimension(1, 30)
    )
    assert [each.name for each in found.beside] == ["key22"]


def test_a_long_answer_is_a_table_of_rows_and_columns() -> None:
    answer = of_cells("mapping", [(1, 1), (2, 3)], "1000", "7", name="")
    found = arrange([], SIZE, answer)
    assert "<td>1000</td><td></td></tr>" in tables(found.beside)
    assert "the answer" in tables(found.beside)


def test_the_first_cell_with_another_number_is_found() -> None:
    one, other = (of_cells("mapping", [(1, 1), (1, 2)], "1", last) for last in "23")
    assert find_other_number(one, other) == Vector(1, 2)
    assert find_other_number(one, None) == Vector(1, 1)
    assert find_other_number(one, one) is None


def test_a_drawing_shows_what_is_written_and_escapes_it() -> None:
    maze = room(2, 2)
    written = arrange([of_cells("mapping", [(1, 1)], "<1")], SIZE, of_cells("mapping", [(1, 2)], "&"))
    shown = board.to_svg(board.draw(maze, written=written), kind="whole", label="")
    assert "&lt;1</text>" in shown
    assert "&amp;</text>" in shown
    assert 'class="marks both"' in shown


def test_what_is_not_marked_is_refused() -> None:
    with pytest.raises(ValueError, match="expected cells as they are marked"):
        from_plain({"name": "it", "form": "blob", "cells": [[1, 1]]})
    with pytest.raises(ValueError, match="expected cells as they are marked"):
        from_plain({"name": "it", "form": "mapping", "cells": [[1, 1]], "numbers": []})


def page_of(arguments: dict[str, object], answers: tuple[object, object]) -> str:
    """The page of maze check with one failure, of a call with these arguments."""
    mazes = [value for value in arguments.values() if isinstance(value, Maze)]
    told = arguments_told(arguments, [*arguments]) | answers_told(answers, mazes)
    example = {"message": "No.", "maze": mazes[0].to_text(), "expected": "this", "actual": "that", "way": []}
    orders = [[tuple(cell) for cell in cells] for cells in cells_of(answers, mazes[0])]
    shown = Shown("A test", "No.", json.loads(json.dumps({**example, **told, "orders": orders})))
    return to_page(
        "", "", "", [ExerciseShown("x", "X", "x.py", is_unwritten=False, failed=(shown,), passed=())]
    )


def test_the_page_of_maze_check_shows_arguments_and_answers() -> None:
    shown = page_of({"maze": room(2, 2), "key": Vector(2, 1)}, ({(1, 1): 10, (1, 2): 11}, {(1, 1): 12}))
    assert shown.count('class="given"') == 3  # in both pictures and in the legend
    assert [text in shown for text in (">10<", ">11<", ">12<", "first difference", "the answer")] == [
        True
    ] * 5
    assert "Yours: (1, 1) 12. key: (2, 1)" in shown


def test_the_player_of_maze_check_goes_along_with_arguments() -> None:
    shown = page_of({"maze": room(2, 2), "key": Vector(2, 1)}, ([Vector(1, 1)], [Vector(1, 2), Vector(1, 1)]))
    assert shown.count('class="given"') == 3
    assert shown.count('data-steps="') == 2


def test_the_page_of_maze_check_shows_each_of_several_mazes() -> None:
    both = {"left": room(2, 2), "right": room(2, 4), "key": Vector(1, 4), "door": Vector(1, 1)}
    shown = page_of(both, (1, 2))
    assert shown.count('class="picture') == 2
    assert shown.count('class="given"') == 2  # in the right one and in its legend
    assert "door, which is in no picture" in shown


def test_a_large_maze_has_tables_alone() -> None:
    shown = page_of({"maze": room(30, 30), "key": Vector(2, 1)}, ({(1, 1): 1}, {(1, 1): 2}))
    assert 'class="given"' not in shown
    assert shown.count("which is in no picture") == 6  # each as caption and as label
