import sys
from pathlib import Path

import pytest

from lab.cli import main
from tests.lab.drawn import SAMPLE

REFERENCE = str(Path(__file__).parents[3] / "reference")
LOOP = "+-+-+-+\n|S    |\n+ +-+ +\n| |E| |\n+ +-+ +\n|     |\n+-+-+-+"


@pytest.fixture
def sample(tmp_path: Path) -> str:
    (tmp_path / "sample.txt").write_text(SAMPLE)
    return str(tmp_path / "sample.txt")


@pytest.mark.parametrize(
    ("suffix", "start"), [("svg", b"<svg"), ("html", b"<!doctype html>"), ("gif", b"GIF89a")]
)
@pytest.mark.parametrize("of", ["mine", "ab"])
def test_generators_are_filmed(
    tmp_path: Path, of: str, suffix: str, start: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"film.{suffix}"
    assert main(["film", str(path), "--of", of, "-r", "3", "-c", "4", "--submission", REFERENCE]) == 0
    assert path.read_bytes().startswith(start)
    out = capsys.readouterr().out
    assert out.startswith("Film of ")
    assert out.endswith(f" moments written to {path}\n")


@pytest.mark.parametrize("of", ["DFS", "BFS", "Dijkstra", "left-hand"])
def test_solvers_and_the_left_hand_rule_are_filmed(
    tmp_path: Path, sample: str, of: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "film.svg"
    assert main(["film", str(path), "--of", of, "--maze", sample, "--submission", REFERENCE]) == 0
    loaded, written = capsys.readouterr().out.splitlines()
    assert loaded == f"5 x 5 grid loaded from {sample}"
    assert written.startswith("Film of ")
    assert path.read_text(encoding="utf-8").startswith("<svg")


def test_what_a_film_cannot_show_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loop.txt").write_text(LOOP)
    film, maze = str(tmp_path / "film.svg"), str(tmp_path / "loop.txt")
    assert main(["film", film, "--of", "left-hand", "--maze", maze]) == 0
    assert main(["film", film, "--of", "BFS", "--maze", maze, "--submission", REFERENCE]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (
        "The left-hand rule does not come to an exit here: it ends where it began to repeat itself" in lines
    )
    assert "BFS returned no way: the film shows its visits only" in lines


def test_a_solver_that_returns_no_way_is_filmed_in_its_visits(
    tmp_path: Path, sample: str, capsys: pytest.CaptureFixture[str]
) -> None:
    solvers = tmp_path / "solvers"
    solvers.mkdir()
    (solvers / "search.py").write_text("class Search:\n    def record(self, start, move, end): ...\n")
    (solvers / "bfs.py").write_text(
        "class BFS:\n    def solve(self, maze, search):\n"
        "        maze.valid_moves_at((2, 2))\n        return [(9, 9), 'north']\n"
    )
    film = str(tmp_path / "film.html")
    assert main(["film", film, "--of", "BFS", "--maze", sample, "--submission", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "BFS returned no way: the film shows its visits only",
        f"Film of 1 moment written to {film}",
    ]


def test_without_pillow_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "PIL.ImageDraw", None)
    assert main(["film", str(tmp_path / "film.gif"), "--of", "ab"]) == 1
    assert capsys.readouterr().err == "maze: pillow is not installed here; get it with: pip install pillow\n"
