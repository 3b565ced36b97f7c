"""One step back from the lines that are told of."""

from __future__ import annotations

from pathlib import Path

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
