"""One step back from the lines that are told of."""

from __future__ import annotations

from pathlib import Path

from lab.steps import Event
from lab.story import Recorded
from lab.telling import shortened
from tests.lab.test_story import CORRIDOR, HEAD, keys, recorded


def test_one_step_back_and_into_the_call_that_decided(tmp_path: Path) -> None:
    code = HEAD + (
        "        limit = 1\n        found = self.go(maze.entry, limit)\n"
        "        if found:\n            return []\n        return None\n"
        "    def go(self, cell, limit):\n"
        "        if limit < 2:\n            return False\n        return True\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    told = shortened([*run.of_ending(), *run.deeper(run.of_ending())])
    assert keys(told) == [("made", 4), ("test", 9), ("returned", 10), ("test", 5), ("returned", 7)]
    assert told[0].values == {"name": "found", "value": "False"}
    assert told[1].shown == {"limit": "1"}


def test_what_raised_is_told_with_the_line_that_made_its_value(tmp_path: Path) -> None:
    code = HEAD + "        end = 4\n        cell = maze.entry + (0, end)\n        maze.moves_at(cell)\n"
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    told = shortened([*run.of_exception(), *run.deeper(run.of_exception())])
    assert keys(told) == [("made", 3), ("made", 4), ("raised", 5)]


def test_of_a_line_that_decided_often_the_time_with_the_cell_is_told(tmp_path: Path) -> None:
    code = HEAD + (
        "        cells = [maze.entry, maze.entry + (0, 1)]\n"
        "        while cells:\n            cell = cells.pop(0)\n"
        "            if cell == maze.exit:\n                return []\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    told = [(cell, each.shown) for cell in ("", "(1, 1)") for each in run.of_ending(cell) if each.line == 6]
    assert told == [("", {"cell": "(1, 2)"}), ("(1, 1)", {"cell": "(1, 1)"})]


def test_a_list_is_told_of_the_line_whose_call_changed_it(tmp_path: Path) -> None:
    code = HEAD + (
        "        way = []\n"
        "        if self.go(maze, way):\n            return way\n"
        "    def go(self, maze, way):\n"
        "        move = maze.valid_moves_at(maze.entry)[0]\n"
        "        way.append(move)\n        return True\n"
    )
    told = recorded(code, CORRIDOR, tmp_path / "dfs.py").of_element(0, "south")
    assert ("element", 8) in keys(told)


def test_what_a_name_is_bound_to_anew_has_not_changed() -> None:
    source = "class Search:\n    def record(self, node):\n        node.cost = 2\n        return\n"
    events = [Event("mark", 0, 0, "step")]
    for call, cost in enumerate(("1", "0"), start=1):
        events += [
            Event("line", 3, call, values={"node": "Node()", "node.cost": cost}),
            Event("line", 4, call, values={"node.cost": "2"}),
            Event("return", 4, call, "None"),
        ]
    told = [each for each in Recorded(source, events).of_step(0, "s", []) if each.key == "changed"]
    assert [each.values["old"] for each in told] == ["1", "0"]
