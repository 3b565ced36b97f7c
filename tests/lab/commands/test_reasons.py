"""What an exception of a student's code means, and what might be meant instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab.commands.reasons import place, reason
from lab.dimension import Dimension
from lab.factory import Factory
from lab.maze import Maze
from lab.vector import MOVES
from lab.watch import Watch, WatchedMaze

MAZE = WatchedMaze.of(Maze.from_text("+-+\n|S|\n+-+"), Watch())
WIDE = Factory().fully_connected(Dimension(2, 3))
SIDES = {move.name.upper(): move for move in MOVES}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("heappush([], 1)", "name 'heappush' is not defined (from heapq import heappush is missing)"),
        ("heapq.heappush([], 1)", "name 'heapq' is not defined (import heapq is missing)"),
        ("Vector", "name 'Vector' is not defined (from lab import Vector is missing)"),
        ("serch = search", "name 'search' is not defined (is Search meant?)"),
        ("solve()", "name 'solve' is not defined (is self.solve meant?)"),
        ("frobnicate", "name 'frobnicate' is not defined"),
        ("maze.is_exitt", "'Maze' object has no attribute 'is_exitt' (is is_exit meant?)"),
        ("import colections", "No module named 'colections' (is collections meant?)"),
        ("import numpyy", "No module named 'numpyy' (only Python's standard library and lab are there)"),
        ("from lab import NORHT", "cannot import name 'NORHT' from 'lab' (is NORTH meant?)"),
        ("{}[maze.entry]", "(1, 1)"),
        (
            "wide.build_wall((1, 3), EAST)",
            "closed (no cell lies east of it: 3 columns have 2 walls between them, ",
        ),
        (
            "wide.break_wall((2, 1), SOUTH)",
            "closed (no cell lies south of it: 2 rows have 1 wall between them, ",
        ),
        (
            "wide.build_wall((1, 2), NORTH)",
            "closed (no cell lies north of it: moves_at names the moves that ",
        ),
        ("maze.build_wall((1, 1), EAST)", "closed (no cell lies east of it: moves_at names the moves that "),
        ("maze.build_wall((1, 2), EAST)", "(1, 1) to (1, 1), got (1, 2)"),
        ("len(1, 2)", "len() takes exactly one argument"),
    ],
)
def test_what_is_meant_is_guessed(code: str, said: str) -> None:
    class Own:
        solve = None

    with pytest.raises(Exception) as caught:  # noqa: PT011 - each of them is looked at
        exec(code, {"Search": 1}, {"maze": MAZE, "wide": WIDE, "self": Own(), **SIDES})  # noqa: S102 - written above
    text = reason(caught.value)
    assert text.startswith(f"raised {type(caught.value).__name__}: ")
    assert said in text


def test_nobody_answers() -> None:
    assert reason(EOFError("EOF when reading a line")).startswith("asks for input()")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("while True\n    pass\n", '  File "bfs.py", line 1\n    while True\n              ^'),
        ("x = 1\n\tif x:\n", '  File "bfs.py", line 2\n    if x:\n'),
    ],
)
def test_what_cannot_be_read_is_shown_with_a_caret(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(text, str(tmp_path / "bfs.py"), "exec")
    assert place(caught.value, tmp_path).startswith(said)
    assert place(caught.value, tmp_path).splitlines()[-1].strip("^ ") == ""


def test_a_file_that_is_no_text_has_no_line(tmp_path: Path) -> None:
    file = tmp_path / "bfs.py"
    file.write_bytes(b"\xff\xfex\x00")
    with pytest.raises((SyntaxError, ValueError)) as caught:
        compile(file.read_bytes(), str(file), "exec")
    error: Any = caught.value
    error.filename = str(file)  # as an import names it
    assert "UTF-8" in reason(caught.value)
    assert place(caught.value, Path()) == ""
    assert place(ValueError(), Path()) == ""
