"""``maze questions``: writes the file of a name, and never over answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.questions import page
from tests.lab.running import maze, refused


def test_it_writes_the_file_of_the_name(folder: Path) -> None:
    result = maze(folder, "questions", "Ada Lovelace")
    assert (result.returncode, result.stderr) == (0, "")
    assert "analysis.py: three mazes, and twelve answers to fill in" in result.stdout
    assert (folder / "analysis.py").read_text(encoding="utf-8") == page("Ada Lovelace")


def test_a_file_without_answers_is_written_over(folder: Path) -> None:
    for name in ("Ada", "Åse Ødegård"):
        assert maze(folder, "questions", name).returncode == 0
    assert (folder / "analysis.py").read_text(encoding="utf-8") == page("Åse Ødegård")


def test_answers_are_not_written_over_unless_asked_for(folder: Path) -> None:
    filled = page("Ada").replace("bfs_room = []", "bfs_room = [(1, 1)]")
    for text in (filled, "order = search()\n", "dfs_room = [(1, 1)\n", "import os\n"):
        (folder / "analysis.py").write_text(text, encoding="utf-8")
        assert "has answers" in refused(folder, "questions", "Ada")
        assert (folder / "analysis.py").read_text(encoding="utf-8") == text
    (folder / "analysis.py").write_bytes(b"\xff\xfe")
    assert "has answers" in refused(folder, "questions", "Ada")
    assert maze(folder, "questions", "Ada", "--force").returncode == 0
    assert (folder / "analysis.py").read_text(encoding="utf-8") == page("Ada")


def test_check_says_what_is_filled_in_and_never_what_is_right(folder: Path) -> None:
    file = folder / "analysis.py"
    asked = ("check", "analysis", str(folder))
    assert (
        maze(folder, *asked).stdout == 'There is no analysis.py: make it with  maze questions "YOUR NAME"\n'
    )
    maze(folder, "questions", "Ada")
    assert maze(folder, "check", "analysis.py").stdout.startswith(
        "analysis.py: 0 of 12 answers are filled in; "
    )
    text = file.read_text(encoding="utf-8")
    for line, filled in {
        "dfs_room = []": "dfs_room = [[1, 1], (1, 2)]",
        "bfs_room = []": "bfs_room = [(1, 1), (9, 9)]",
        "first_room = []": "first_room = 'BFS'",
        "dfs_corridor = []": "dfs_corridor = search()",
        "bfs_corridor = []": "",
        "first_corridor = []": "first_corridor = ['bfs']",
        "dfs_regular = []": "dfs_regular = 7",
    }.items():
        text = text.replace(line, filled)
    file.write_text(text, encoding="utf-8")
    assert maze(folder, *asked).stdout.splitlines() == [
        "analysis.py: 2 of 12 answers are filled in; whether they are right is hidden.",
        "  still empty: dijkstra_room, dijkstra_corridor, bfs_regular, dijkstra_regular, first_regular",
        "  bfs_room cannot be read: element 2 is (9, 9), expected a cell such as (1, 2) of 4 x 5",
        "  dfs_corridor cannot be read: line 44: dfs_corridor = search()",
        "  bfs_corridor cannot be read: it is not there",
        "  first_corridor cannot be read: element 1 is 'bfs', expected some of DFS, BFS, Dijkstra",
        "  dfs_regular cannot be read: expected a list, got 7",
    ]


def test_check_says_so_of_a_file_that_cannot_be_read(folder: Path) -> None:
    make_it = 'make it with  maze questions "YOUR NAME"'
    for content, told in {
        b"dfs_room = [(": "analysis.py cannot be read: line 1 is no Python: dfs_room = [(",
        b"\xff\xfe": "analysis.py cannot be read: it is no text in UTF-8.",
        b"name = 1": f"analysis.py has no name to draw its mazes from: {make_it}",
    }.items():
        (folder / "analysis.py").write_bytes(content)
        assert maze(folder, "check", "analysis").stdout == f"{told}\n"


@pytest.mark.processes
def test_check_of_all_tells_of_the_questions_and_check_of_one_exercise_does_not(folder: Path) -> None:
    maze(folder, "questions", "Ada")
    told = "analysis.py: 0 of 12 answers"
    assert told in maze(folder, "check").stdout
    assert told in maze(folder, "check", "analysis", "search").stdout
    assert told not in maze(folder, "check", "search").stdout
