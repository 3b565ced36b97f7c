"""``catches`` of a test maze: words, and ids of misconceptions, told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.maze_files import MazeFile, load_maze_file
from grader.errors import MazeFileError
from tests.grader.course.maze_text import GOOD


def load(tmp_path: Path, catches: str) -> MazeFile:
    path = tmp_path / "maze.yaml"
    path.write_text(GOOD.replace("a solver that stops at the first dead end", catches))
    return load_maze_file(path)


def refusal(tmp_path: Path, catches: str) -> str:
    with pytest.raises(MazeFileError) as caught:
        load(tmp_path, catches)
    return str(caught.value).removeprefix(str(tmp_path))


@pytest.mark.parametrize("words", ["e.g", "dead.end", "dfs goes west-first", "a.b.c", "e.g. west-first"])
def test_words_with_a_point_are_words(tmp_path: Path, words: str) -> None:
    assert (load(tmp_path, words).caught, load(tmp_path, words).mistakes) == ((words,), ())


@pytest.mark.parametrize("written", ["DFS.west-first", "' dfs.West-First '", "[dfs.west-first, x]"])
def test_an_id_is_one_in_capitals_too(tmp_path: Path, written: str) -> None:
    assert load(tmp_path, written).mistakes == ("dfs.west-first",)


@pytest.mark.parametrize("written", ["[a, a]", "[a, ' a']"])
def test_a_mistake_that_is_listed_twice_is_refused(tmp_path: Path, written: str) -> None:
    assert refusal(tmp_path, written) == "/maze.yaml:2:14: catches: 'a' is listed twice"


@pytest.mark.parametrize("id_", ["dijkstra.west-first", "perfection.cycles-only", "search.never-updates"])
def test_an_id_of_an_exercise_that_does_not_use_the_maze_is_refused(tmp_path: Path, id_: str) -> None:
    exercise = id_.partition(".")[0]
    told = f"/maze.yaml:2:14: catches: {id_} is a mistake in {exercise}, and this maze is for dfs, bfs"
    assert refusal(tmp_path, f"[x, {id_}]") == told


@pytest.mark.parametrize(
    ("catches", "told"),
    [
        ("dfs.west_first", "'dfs.west_first'; did you mean 'dfs.west-first' or 'bfs.west-first' or "),
        ("dfs.west-first.", "'dfs.west-first.'; did you mean 'dfs.west-first' or "),
        ("dsf.west-first", "'dsf.west-first'; did you mean 'dfs.west-first' or "),
        ("bfs.xyzzy", "'bfs.xyzzy'; expected one of bfs.another-no-way, "),
    ],
)
def test_an_id_that_is_misspelt_is_refused_with_those_that_are_near(
    tmp_path: Path, catches: str, told: str
) -> None:
    message = refusal(tmp_path, catches)
    assert message.startswith(f"/maze.yaml:2:10: catches: unknown misconception {told}")
    assert "perfection." not in message
