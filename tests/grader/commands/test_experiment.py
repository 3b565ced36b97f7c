"""``grader experiment``: a table on the screen and as CSV, and a plot."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.grader.command import grader

CHOSEN = {
    "cover": ("--sizes", "2", "3"),
    "visited": ("--size", "3"),
    "texture": ("--size", "3"),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_a_table_and_a_plot_are_written(name: str, tmp_path: Path) -> None:
    out = tmp_path / "new" / "results"
    done = grader("experiment", name, "--out", out, "--mazes", "2", *CHOSEN[name])
    assert (done.returncode, done.stderr) == (0, "")
    header, *rows = csv.reader((out / f"{name}.csv").read_text(encoding="utf-8").splitlines())
    printed = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in printed[:-2]] == [row[0] for row in (header, *rows)]
    assert printed[-2:] == [f"Table written to {out / name}.csv", f"Plot written to {out / name}.svg"]
    assert ET.parse(out / f"{name}.svg").getroot().tag.endswith("svg")


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = grader("experiment", "cover", "--out", tmp_path / "file", "--sizes", "2", "--mazes", "1")
    assert done.returncode == 1
    assert str(tmp_path / "file") in done.stderr


def test_a_maze_of_one_cell_is_wrong_usage(tmp_path: Path) -> None:
    done = grader("experiment", "texture", "--out", tmp_path, "--size", "1")
    assert done.returncode == 2
    assert "expected a whole number from 2" in done.stderr
