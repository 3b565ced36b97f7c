import sys
from pathlib import Path

import pytest

from grader.cli import main
from reference.generators.registry import GENERATORS


def test_the_gallery_shows_every_generator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "all.svg"
    assert main(["gallery", str(picture), "-r", "3", "-c", "4", "--samples", "2"]) == 0
    assert capsys.readouterr().out == f"Gallery of {len(GENERATORS)} generators written to {picture}\n"
    text = picture.read_text(encoding="utf-8")
    assert all(f">{name}</text>" in text for name in GENERATORS)


def test_the_exercise_prints_a_table_and_writes_a_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = tmp_path / "branching.svg"
    assert main(["branching", "--sizes", "3", "5", "--mazes", "4", "--out", str(plot)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Average length of the way and its 95 % interval, 4 mazes each:"
    assert [line.split()[0] for line in lines[1:]] == ["size", "3x3", "5x5", "Plot"]
    assert plot.is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gallery", "a.svg", "-r", "1", "-c", "1"], "expected a dimension of two cells or more, got 1 x 1"),
        (["gallery", "no/such/folder/a.svg", "-r", "2"], "cannot write no/such/folder/a.svg: No such"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"grader: {message}")


def test_without_matplotlib_the_table_is_printed_and_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    arguments = ["branching", "--sizes", "3", "--mazes", "2", "--out", str(tmp_path / "a.svg")]
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert "3x3" in captured.out
    assert captured.err == "grader: matplotlib is not installed here; get it with: pip install matplotlib\n"
