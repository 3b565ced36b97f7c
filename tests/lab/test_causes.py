"""What lies behind a wrong step without a condition of its own, and what does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.recorded import Told
from tests.lab.test_story import CORRIDOR, HEAD, ROOM, keys, recorded


def causes(body: str, path: Path) -> list[Told]:
    """Return what is told of a solver's call besides its ending."""
    run = recorded(HEAD + body, CORRIDOR, path)
    return run.causes(run.of_ending())


def test_what_a_loop_passed_over_is_told_with_the_line_that_took_something_out(tmp_path: Path) -> None:
    body = (
        "        left = [1, 2, 3]\n"
        "        for each in left:\n"
        "            if each < 3:\n"
        "                left.remove(each)\n"
        "        return None\n"
    )
    told = causes(body, tmp_path / "it.py")
    assert keys(told)[:2] == [("shorter", 6), ("passed_over", 4)]
    assert told[1].values == {"item": "2", "name": "left", "place": "2"}


def test_a_line_that_only_works_something_out_is_told(tmp_path: Path) -> None:
    body = (
        "        left = [3, 1, 2]\n"
        "        left.sort\n"
        "        left.append(4)\n"
        "        sorted(left)\n"
        "        return left[0]\n"
    )
    (told,) = causes(body, tmp_path / "it.py")
    assert (told.key, told.line, told.values) == ("idle", 4, {"what": "left.sort"})


def test_what_a_call_gave_and_nobody_used_is_told(tmp_path: Path) -> None:
    body = (
        "        self.go(2)\n"
        "        return None\n"
        "    def go(self, left):\n"
        "        if not left:\n"
        "            return [7]\n"
        "        self.go(left - 1)\n"
    )
    (told,) = causes(body, tmp_path / "it.py")
    assert (told.key, told.line, told.values) == ("unkept", 8, {"name": "go", "value": "[7]"})


@pytest.mark.parametrize(
    "body",
    [
        "        left = [1]\n"
        "        for each in left:\n"
        "            if each < 30:\n"
        "                left.append(each + 1)\n"
        "        return None\n",
        "        from collections import defaultdict\n"
        "        left = defaultdict(list)\n"
        "        left[1]\n"
        "        [left[2].append(n) for n in range(3)]\n"
        "        left[2].pop()\n"
        "        iter(left)\n"
        "        return left\n",
        "        cell = maze.entry\n"
        "        def ahead(move):\n"
        "            cell = move\n"
        "            return cell\n"
        "        other = ahead((3, 4))\n"
        "        return cell\n",
    ],
    ids=["a list grows at its end", "lines act by what they read", "a helper has a common name"],
)
def test_what_does_no_harm_is_not_told(body: str, tmp_path: Path) -> None:
    assert causes(body, tmp_path / "it.py") == []


def test_what_gave_the_list_of_a_loop_its_order_is_told(tmp_path: Path) -> None:
    for line, told in (
        ("moves.reverse()", {"name": "moves", "old": "[east, south]", "new": "[south, east]"}),
        ("moves = moves[::-1]", {"name": "moves", "value": "[south, east]"}),
        ("moves = sorted(moves, key=len)", None),
    ):
        code = HEAD + (
            "        moves = [*maze.valid_moves_at(maze.entry)]\n"
            f"        {line}\n"
            "        for move in moves:\n"
            "            cell = maze.entry + move\n"
            "            if cell == (1, 2):\n"
            "                return None\n"
        )
        run = recorded(code, ROOM, tmp_path / "it.py")
        found = run.causes(run.of_cell("(1, 2)"))
        assert [each.values for each in found] == ([told] if told else [])
