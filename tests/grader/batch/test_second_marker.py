"""A sample for a second marker: drawn by a seed, blind, and held against the grader's points."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.batch.code_text import code_with
from grader.batch.journal import Journal, JournalRow
from grader.batch.review import Pair, weighted_kappa
from grader.cli import main
from grader.feedback import render_html
from grader.results import as_json
from tests.grader.batch.marked_class import Adjust, adjust, out, report, results_of

pytestmark = pytest.mark.processes

__all__ = ["adjust", "out"]
"""Fixtures of the neighbour."""
SCORES = {"ada_1": 90.0, "bob_2": 40.0, "cleo_3": 60.0}


@pytest.fixture
def sheet(out: Path, tmp_path: Path) -> Callable[..., list[list[str]]]:
    """Draws a sample of the class, all of it graded, and returns the lines of its sheet."""
    for name, score in SCORES.items():
        results = results_of(score)
        with Journal(out) as journal:
            row = JournalRow(name, "key", "graded", 1.0, "")
            code = code_with({"solvers/dfs.py": b"SECRET_OF = 1\n"})
            journal.record(row, as_json(results), render_html(results).encode(), code)  # type: ignore[arg-type]
    report(out)

    def draw(name: str, count: int, seed: int) -> list[list[str]]:
        more = ["--sample", str(count), "--seed", str(seed), "--sheet", str(tmp_path / name)]
        assert main(["review", str(out), *more]) == 0
        with (tmp_path / name).open(newline="", encoding="utf-8") as file:
            return list(csv.reader(file))

    return draw


def fill(path: Path, lines: list[list[str]], points: Callable[[int], str]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = [[*line[:-1], points(number)] for number, line in enumerate(lines[1:])]
        csv.writer(file).writerows([lines[0], *rows])


def test_the_sample_is_blind(sheet: Callable[..., list[list[str]]], tmp_path: Path) -> None:
    sheet("a.csv", 3, 1)
    pages = sorted((tmp_path / "a").iterdir())
    assert len(pages) == 3
    told = "".join(path.name + path.read_text(encoding="utf-8") for path in [*pages, tmp_path / "a.csv"])
    assert "SECRET_OF = 1" in told
    for name in ("ada", "bob", "cleo"):
        assert name not in told


def test_the_agreement_is_told_with_the_graders_own_points(
    out: Path,
    sheet: Callable[..., list[list[str]]],
    tmp_path: Path,
    adjust: Adjust,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = sheet("a.csv", 3, 1)
    adjust("ada_1", "--check", "dfs.b", "-30")
    fill(tmp_path / "a.csv", lines, lambda _: "60")
    assert main(["review", str(out), "--sheet", str(tmp_path / "a.csv")]) == 0
    _head, dfs, everything = capsys.readouterr().out.splitlines()[-3:]
    assert dfs == "dfs: 3, 33%, -3.33, 0.00"
    assert everything == "all: 3, 33%, -3.33, 0.00"


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        ([(1.0, 1.0), (5.0, 5.0)], 1.0),
        ([(1.0, 5.0), (5.0, 1.0)], -1.0),
        ([(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)], 0.0),
        ([(0.0, 0.0), (1.0, 1.0), (2.0, 1.0)], 2 / 3),
        ([(3.0, 3.0), (3.0, 3.0)], None),
    ],
)
def test_kappa_with_quadratic_weights(pairs: list[Pair], kappa: float | None) -> None:
    assert weighted_kappa(pairs) == (None if kappa is None else pytest.approx(kappa))
