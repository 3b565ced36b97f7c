"""Test mazes, and every way in which a file can be wrong."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.course.maze_files import MazeFile, load_maze_file
from grader.course.plan import disagreement
from grader.errors import MazeFileError
from lab import Maze, MazeFormatError, Vector
from tests.grader.course.maze_text import GOOD


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "maze.yaml"


def load(path: Path, text: str | bytes) -> MazeFile:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_maze_file(path)


# --- a good file --------------------------------------------------------------------------------


def test_a_file_is_loaded(path: Path) -> None:
    file = load(path, GOOD)
    assert (file.name, file.visibility, file.exercises) == ("One dead end", "hidden", ("dfs", "bfs"))
    assert file.visit_order == {"dfs": ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3))}
    assert file.text == file.maze.to_text() == "+-+-+-+\n|S    |\n+ +-+-+\n|    E|\n+-+-+-+"


def test_every_exercise_that_can_use_it_does_where_none_is_named(path: Path) -> None:
    without = GOOD.replace("exercises: [dfs, bfs]\n", "")
    assert load(path, without).exercises == ("dfs", "bfs", "dijkstra", "perfection")


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("\n", "\r\n"),
        "\ufeff" + GOOD,
        "# a comment\n---\n" + GOOD,
        GOOD.replace("maze: |\n", "maze: |-  # drawn by hand\n\n"),
        GOOD + "\n\n",
        GOOD.replace("\n  +", "\n      +").replace("\n  |", "\n      |"),
    ],
)
def test_harmless_differences_are_accepted(path: Path, text: str) -> None:
    assert load(path, text).text == load(path, GOOD).text


def test_a_single_cell_and_a_maze_without_an_exit_are_mazes(path: Path) -> None:
    head = "name: n\ncatches: c\nvisibility: public\nvisit_order: {dfs: [[1, 1]]}\n"
    text = head + "maze: |\n  +-+\n  |S|\n  +-+\n"
    assert load(path, text).visit_order == {"dfs": ((1, 1),)}


# --- every key, wrong ---------------------------------------------------------------------------


def refusal(path: Path, text: str | bytes) -> MazeFileError:
    with pytest.raises(MazeFileError) as caught:
        load(path, text)
    assert caught.value.path == path
    assert str(caught.value).startswith(str(path))
    return caught.value


def test_without_a_way_to_an_exit_every_cell_in_reach_is_visited(path: Path) -> None:
    without_exit = GOOD.replace("    E|", "     |")
    assert load(path, without_exit).maze.exit is None
    error = refusal(path, without_exit.replace(", [2, 3]]", "]"))
    assert (error.line, error.column) == (6, 41)
    assert "no way leads to an exit, so every cell in reach is visited: [2, 3] is missing" in str(error)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"# nothing\n", "the file is empty"),
        (b"---\n", "expected keys with values"),
        (b"just a word", "expected keys with values ('key: value', a line each), got 'just a word'"),
        (b"- a\n- b\n", "got a list"),
        (b"name: a\ncatches: \xc3\xa9 \xff", ":2:12: expected text in UTF-8, got the byte 0xff"),
        (b"\xef\xbb\xbfname: \xff", ":1:7: expected text in UTF-8, got the byte 0xff"),
        (GOOD.encode("utf-16"), ":1:1: expected text in UTF-8, got the byte 0xff"),
        (b"name: " + b"a" * 300_000, "expected a file of 256 KiB at the most"),
        (b"!!python/object/apply:os.system [ls]", "got a list"),
        (b"name: !!python/name:os.system x", "expected a text"),
    ],
)
def test_a_file_that_is_no_maze_is_refused(path: Path, content: bytes, message: str) -> None:
    error = str(refusal(path, content))
    assert message in error or "is missing" in error
    assert "\n" not in error


@pytest.mark.parametrize("order", ["[[0, 0], [0, 1]]", "[[1, 1], [0, 1]]"])
def test_cells_that_count_from_0_get_a_hint(path: Path, order: str) -> None:
    error = refusal(path, GOOD.replace("[[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3]]", order))
    assert str(error).endswith("expected a whole number from 1 to 2, got '0'; rows and columns count from 1")


def test_an_entry_one_too_low_gets_that_hint_too(path: Path) -> None:
    moved = GOOD.replace("|S    |", "|  S  |").replace("[[1, 1], [1, 2]", "[[1, 1], [1, 2]")
    moved = moved.replace("+ +-+-+", "+-+ +-+").replace("|  S  |", "|     |").replace("|    E|", "|  S E|")
    assert str(refusal(path, moved)).endswith(
        "expected the entry [2, 2] first, got [1, 1]; rows and columns count from 1"
    )


def test_a_pipe_is_refused_and_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(MazeFileError, match="expected a file, got a folder, a pipe or a device"):
        load_maze_file(path)


def test_an_order_that_is_wrong_is_told_as_a_whole(path: Path) -> None:
    path.write_text(GOOD.replace("[1, 2], [1, 3], [2, 1], ", "[2, 1], "))
    with pytest.raises(MazeFileError) as caught:
        load_maze_file(path, agrees=disagreement)
    told = "expected [1, 2] as cell 2, got [2, 1]; the whole order is [[1, 1], [1, 2], [1, 3], [2, 1], "
    assert told in str(caught.value)


def test_a_complaint_about_an_order_stands_at_the_order(path: Path) -> None:
    path.write_text(GOOD)
    asked = []

    def complain(exercise: str, maze: Maze, order: tuple[Vector, ...]) -> str:
        asked.append((exercise, maze.entry, order[-1]))
        return "North comes first"

    with pytest.raises(MazeFileError, match=r"maze\.yaml:6:8: visit_order\.dfs: North comes first"):
        load_maze_file(path, agrees=complain)
    assert asked == [("dfs", (1, 1), (2, 3))]
    assert load_maze_file(path, agrees=lambda *_: None).name == "One dead end"


@given(
    place=st.integers(GOOD.index("+"), len(GOOD) - 2),
    character=st.sampled_from("+-| SEx")
    | st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]),
)
@example(place=GOOD.index("+"), character=" ")
def test_a_maze_that_is_wrong_anywhere_is_refused_where_it_is(place: int, character: str) -> None:
    """The place in the file is the place in the maze, moved by where the block starts."""
    text = GOOD[:place] + character + GOOD[place + 1 :]
    block = [line[2:] for line in text.split("\n")[7:]]
    indented = all(line.startswith("  ") for line in text.split("\n")[7:-1])
    with TemporaryDirectory() as folder:
        path = Path(folder, "mutant.yaml")
        path.write_text(text, encoding="utf-8", newline="")
        error = refusal_or_none(path)
    if error is None:
        assert Maze(block).entry
        return
    assert None not in (error.line, error.column)
    if indented and "maze: " in str(error):
        with pytest.raises(MazeFormatError) as caught:
            Maze(block)
        assert (error.line, error.column) == (caught.value.line + 7, caught.value.column + 2)


def refusal_or_none(path: Path) -> MazeFileError | None:
    try:
        load_maze_file(path)
    except MazeFileError as error:
        return error
    return None
