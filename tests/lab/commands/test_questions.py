"""``maze questions``: writes the file of a name, and never over answers."""

from __future__ import annotations

from pathlib import Path

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


def test_what_is_no_name_is_refused(folder: Path) -> None:
    assert refused(folder, "questions", "12") == (
        "maze: expected a name with a letter, of at most 60 characters, got '12'"
    )
    assert not (folder / "analysis.py").exists()


def test_it_needs_a_folder_of_the_lab(tmp_path: Path) -> None:
    assert "holds no exercise" in refused(tmp_path, "questions", "Ada")
