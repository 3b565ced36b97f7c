"""``python -m reference``: tables on the screen and as CSV, plots, and a gallery."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from reference.__main__ import main

Captured = pytest.CaptureFixture[str]
CHOSEN = {"cover": ("--sizes", "2", "3"), "visited": ("--size", "3"), "texture": ("--size", "3")}


@pytest.mark.parametrize("name", CHOSEN)
def test_a_table_and_a_plot_are_written(name: str, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "new" / "results"
    assert main([name, "--out", str(out), "--mazes", "2", *CHOSEN[name]]) == 0
    header, *rows = csv.reader((out / f"{name}.csv").read_text(encoding="utf-8").splitlines())
    printed = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in printed[:-2]] == [row[0] for row in (header, *rows)]
    assert printed[-2:] == [f"Table written to {out / name}.csv", f"Plot written to {out / name}.svg"]
    assert ET.parse(out / f"{name}.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gallery", "no/such/folder/a.svg", "-r", "2"), "no/such/folder/a.svg cannot be written: no such"),
        (("cover", "--out", __file__, "--sizes", "2", "--mazes", "1"), f"{__file__} cannot be written"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    arguments: tuple[str, ...], message: str, capsys: Captured
) -> None:
    assert main(arguments) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"reference: {message}")


@pytest.mark.parametrize(
    ("wrong", "least"), [(("gallery", "a.svg", "-r", "0"), 1), (("branching", "--sizes", "1"), 2)]
)
def test_a_number_out_of_range_is_wrong_usage(wrong: tuple[str, ...], least: int, capsys: Captured) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(wrong)
    assert f"expected a whole number from {least}, got {wrong[-1]!r}" in capsys.readouterr().err
