"""Test mazes, in a file and in a folder. What is said of mistakes: tests/golden/refusals/mazes."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.course.maze_files import MazeFile, load_maze_file, load_maze_folder, load_other_mazes
from grader.errors import MazeFileError
from lab import Maze, MazeFormatError, Vector
from tests.grader.course.rubrics import DEAD_END

CATCHES = "a solver that stops at the first dead end"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "maze.yaml"


def load(path: Path, text: str) -> MazeFile:
    path.write_text(text, encoding="utf-8", newline="")
    return load_maze_file(path)


def refusal(path: Path, text: str) -> str:
    with pytest.raises(MazeFileError) as caught:
        load(path, text)
    return str(caught.value).removeprefix(f"{path}:")


def test_a_file_is_loaded(path: Path) -> None:
    file = load(path, DEAD_END)
    assert (file.name, file.visibility, file.exercises) == ("One dead end", "hidden", ("dfs", "bfs"))
    assert file.visit_order == {"dfs": ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3))}
    assert file.text == file.maze.to_text() == "+-+-+-+\n|S    |\n+ +-+-+\n|    E|\n+-+-+-+"
    assert file.stated == {}


def test_every_exercise_that_can_use_it_does_where_none_is_named(path: Path) -> None:
    without = DEAD_END.replace("exercises: [dfs, bfs]\n", "")
    assert load(path, without).exercises == ("dfs", "bfs", "dijkstra", "perfection")


@pytest.mark.parametrize(
    "text",
    [
        DEAD_END.replace("\n", "\r\n"),
        "\ufeff" + DEAD_END,
        "# a comment\n---\n" + DEAD_END,
        DEAD_END.replace("maze: |\n", "maze: |-  # drawn by hand\n\n"),
        DEAD_END.replace("\n  +", "\n      +").replace("\n  |", "\n      |"),
    ],
)
def test_harmless_differences_are_accepted(path: Path, text: str) -> None:
    assert load(path, text).text == load(path, DEAD_END).text


@pytest.mark.parametrize("words", ["e.g", "dead.end", "dfs goes west-first", "a.b.c", "e.g. west-first"])
def test_words_with_a_point_are_words(path: Path, words: str) -> None:
    file = load(path, DEAD_END.replace(CATCHES, words))
    assert (file.caught, file.mistakes) == ((words,), ())


@pytest.mark.parametrize("written", ["DFS.west-first", "' dfs.West-First '", "[dfs.west-first, x]"])
def test_the_id_of_a_mistake_is_one_in_capitals_too(path: Path, written: str) -> None:
    assert load(path, DEAD_END.replace(CATCHES, written)).mistakes == ("dfs.west-first",)


def test_a_pipe_is_refused_and_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(MazeFileError, match="expected a file, got a folder, a pipe or a device"):
        load_maze_file(path)


def test_an_entry_one_too_low_gets_the_hint_that_cells_count_from_1(path: Path) -> None:
    moved = DEAD_END.replace("|S    |", "|     |").replace("|    E|", "|  S E|")
    told = "expected the entry [2, 2] first, got [1, 1]; rows and columns count from 1"
    assert refusal(path, moved).endswith(told)


def test_no_order_goes_on_after_the_exit(path: Path) -> None:
    """Not even by a single cell."""
    longer = DEAD_END.replace("|    E|", "|  E  |")
    told = "6:49: visit_order.dfs: expected the end of the order after the exit [2, 2], got a list"
    assert refusal(path, longer) == told


def test_a_complaint_about_an_order_stands_at_the_order(path: Path) -> None:
    path.write_text(DEAD_END)
    asked = []

    def complain(exercise: str, maze: Maze, order: tuple[Vector, ...]) -> str:
        asked.append((exercise, maze.entry, order[-1]))
        return "North comes first"

    with pytest.raises(MazeFileError, match=r"maze\.yaml:6:8: visit_order\.dfs: North comes first"):
        load_maze_file(path, agrees=complain)
    assert asked == [("dfs", (1, 1), (2, 3))]


@given(
    place=st.integers(DEAD_END.index("+"), len(DEAD_END) - 2),
    character=st.sampled_from("+-| SEx")
    | st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]),
)
@example(place=DEAD_END.index("+"), character=" ")
def test_a_maze_that_is_wrong_anywhere_is_refused_where_it_is(place: int, character: str) -> None:
    """The place in the file is the place in the maze, moved by where the block starts."""
    text = DEAD_END[:place] + character + DEAD_END[place + 1 :]
    block = [line[2:] for line in text.split("\n")[7:]]
    indented = all(line.startswith("  ") for line in text.split("\n")[7:-1])
    with TemporaryDirectory() as folder:
        try:
            load(Path(folder, "mutant.yaml"), text)
        except MazeFileError as refused:
            error = refused
        else:
            assert Maze(block).entry
            return
    assert None not in (error.line, error.column)
    if indented and "maze: " in str(error):
        with pytest.raises(MazeFormatError) as caught:
            Maze(block)
        assert (error.line, error.column) == (caught.value.line + 7, caught.value.column + 2)


# --- folders ------------------------------------------------------------------------------------

HEAD = "name: {}\ncatches: c\nvisibility: hidden\nmaze: |\n  +-+-+\n  {}\n  +-+-+\n"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "A", "\u00e9", "e\u0301"]), st.sampled_from(["|S E|", "|E S|", "|S| |"])
        ),
        max_size=4,
    )
)
def test_no_two_mazes_of_a_folder_have_one_name_or_one_drawing(mazes: list[tuple[str, str]]) -> None:
    """Neither in capitals nor in other code points is a name another one."""
    with TemporaryDirectory() as folder:
        for number, maze in enumerate(mazes):
            Path(folder, f"{number}.yaml").write_text(HEAD.format(*maze), encoding="utf-8")
        names = {"\u00e9" if name == "e\u0301" else name.casefold() for name, _ in mazes}
        is_twin = min(len(names), len({drawn for _, drawn in mazes})) < len(mazes)
        try:
            loaded = load_maze_folder(Path(folder))
        except MazeFileError:
            assert is_twin
        else:
            assert not is_twin
            assert [maze.name for maze in loaded] == [name for name, _ in mazes]


@pytest.mark.parametrize("name", ["maze.txt", "maze.yaml.bak", "old"])
def test_what_would_never_be_run_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir() if name == "old" else (tmp_path / name).write_text(DEAD_END)
    with pytest.raises(MazeFileError, match=f"{name}: expected only .yaml or .yml files here"):
        load_maze_folder(tmp_path)


def test_notes_and_copies_of_editors_are_no_mazes(tmp_path: Path) -> None:
    for name in ("README.md", ".hidden", "a.yml~"):
        (tmp_path / name).write_text("no maze")
    assert load_maze_folder(tmp_path) == ()


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MazeFileError, match="the folder of mazes cannot be read"):
        load_maze_folder(tmp_path / "nowhere")


def test_mazes_for_an_exercise_of_the_course_are_among_the_others(tmp_path: Path) -> None:
    maze = HEAD.format("Corner", "|S E|").replace("maze:", "exercises: [graph]\nmaze:")
    (tmp_path / "a.yaml").write_text(maze)
    (tmp_path / "wrong.yaml").write_text("no maze")
    found = load_other_mazes(tmp_path / "new.yaml", (), ["graph"])
    assert [each.name for each in found] == ["Corner"]
