"""Which object a place holds, and what a story tells of the objects of a call."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest

from lab import Maze, Vector
from lab.identities import MOST_PLACES, Identities, is_used_up
from lab.recorded import Told
from lab.telling import Solved, of_solver
from tests.lab.test_story import HEAD, keys, recorded

MAZE = "+-+-+-+\n|S    |\n+ +-+-+\n|    E|\n+-+-+-+\n"
WAY = (Vector(1, 0), Vector(0, 1), Vector(0, 1))


def told(code: str, path: Path, way: tuple[Vector, ...] = (Vector(0, 1),)) -> list[Told]:
    """Tell the story of a solver that returned these moves in ``MAZE``."""
    run, maze = recorded(HEAD + code, MAZE, path / "dfs.py"), Maze.from_text(MAZE)
    story = of_solver(run, Solved(maze, {}, way, gave_up=False), None, [WAY])
    return [*story, *run.deeper(story)]


def test_collections_have_numbers_as_they_are_first_seen_and_entries_where_they_are_shared() -> None:
    path, other = [1], deque([2])
    entry = ((1, 1), path)
    numbers = Identities()
    held: list[tuple[str, Any]] = [("cell", (1, 1)), ("path", path), ("stack", [entry, ((1, 2), path)])]
    assert numbers.of(held) == {"path": 1, "stack": 2, "stack[0][1]": 1, "stack[1][1]": 1}
    assert numbers.of([("other", other), ("again", path)]) == {"other": 3, "again": 1}
    assert [*numbers.of([("rows", [[0]] * 2)])] == ["rows", "rows[0]", "rows[1]"]
    assert numbers.shared([("a", path), ("b", path)]) == [(["a", "b"], path)]


def test_what_a_tuple_holds_that_stands_in_two_places_is_one_place() -> None:
    entry = ((1, 1), [1])
    assert [*Identities().of([("entry", entry), ("stack", [entry])])] == ["stack"]


def test_entries_of_what_is_long_are_not_looked_at() -> None:
    path = [1]
    assert [*Identities().of([("path", path), ("stack", [path] * (MOST_PLACES + 1))])] == ["path", "stack"]


@pytest.mark.parametrize(
    "made",
    [
        lambda: iter([1]),
        lambda: reversed((1,)),
        lambda: reversed([1]),
        lambda: zip([1], [2], strict=False),
        lambda: map(str, [1]),
        lambda: filter(None, iter([1])),
        lambda: enumerate({1: 2}.items()),
        lambda: iter(range(1)),
        lambda: (each for each in [1]),
    ],
)
def test_an_iterator_is_known_to_be_used_up_without_being_asked(made: Any) -> None:
    iterator = made()
    assert not is_used_up(iterator)
    assert len([*iterator]) == 1
    assert is_used_up(iterator)


def test_two_lists_that_look_alike_are_not_one(tmp_path: Path) -> None:
    code = (
        "        stack = [(maze.entry, [])]\n"
        "        for move in maze.valid_moves_at(maze.entry):\n"
        "            path = [*stack[-1][1]]\n"
        "            path.append(move)\n"
        "            stack.append((maze.entry, {}))\n"
        "        return path\n"
    )
    separate = told(code.format("[*path]"), tmp_path, (Vector(1, 0), Vector(0, 1)))
    assert not {key for key, _ in keys(separate) if key.startswith("one_")}
    shared = told(code.format("path").replace("[*stack[-1][1]]", "stack[-1][1]"), tmp_path)
    assert ("one_with_entry", 6) in keys(shared)


def test_a_way_that_was_right_and_changed_after_that(tmp_path: Path) -> None:
    code = (
        "        way = []\n        for move in ((1, 0), (0, 1), (0, 1)):\n            way.append(move)\n"
        "        best = way\n        way.pop(0)\n        return best\n"
    )
    story = told(code, tmp_path, WAY[1:])
    assert keys(story)[:3] == [("was_whole", 5), ("shorter", 7), ("two_names", 7)]
    assert story[2].shown == {"way = best": "[east, east]"}


def test_a_right_way_is_not_told_to_have_led_nowhere(tmp_path: Path) -> None:
    code = (
        "        cell, way = maze.entry, []\n        for move in ((1, 0), (0, 1), (0, 1)):\n"
        "            way.append(move)\n            cell += move\n        return way\n"
    )
    assert told(code, tmp_path, WAY) == []


def test_values_beside_what_a_line_returned_are_those_after_its_calls(tmp_path: Path) -> None:
    code = (
        "        seen = []\n        return self.go(seen) and seen\n"
        "    def go(self, seen):\n        seen.append(1)\n        return True\n"
    )
    run = recorded(HEAD + code, MAZE, tmp_path / "dfs.py")
    returned = next(each for each in run.of_ending() if each.key == "returned")
    assert (returned.line, returned.shown) == (4, {"seen": "[1]"})


def test_a_way_back_that_goes_round_is_told_with_the_entry_that_was_written_over(tmp_path: Path) -> None:
    code = HEAD + (
        "        came = {}\n"
        "        for cell in ((1, 1), (1, 2)):\n"
        "            for move in maze.valid_moves_at(cell):\n"
        "                came[cell + move] = cell, move\n"
        "                came[cell + move] = (1, 2), move\n"
        "        cell = (1, 2)\n"
        "        while cell != (3, 3):\n"
        "            cell, move = came[cell]\n"
        "            maze.is_exit(cell)\n"
    )
    run = recorded(code, MAZE, tmp_path / "dfs.py")
    (over,) = (each for each in run.deeper(run.of_rounds()) if each.key == "overwritten")
    values = {"name": "came[(1, 2)]", "old": "((1, 1), east)", "new": "((1, 2), east)"}
    assert (over.line, over.values) == (7, values)
