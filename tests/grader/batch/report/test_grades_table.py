"""The table of grades: nothing in it runs, neither in a spreadsheet nor on a terminal."""

from __future__ import annotations

from pathlib import Path

from grader.batch.report.grades_table import grades_csv
from grader.batch.report.rows import Row, rows_of
from grader.intake.class_listing import HandIn


def test_a_fault_has_no_score_and_no_formula_runs(rows: list[Row]) -> None:
    table = grades_csv(rows, ["dfs"]).decode().split("\r\n")
    lines = {line.split(",")[0]: line.split(",") for line in table[1:] if line}
    assert lines["dan"][3:7] == ["", "100", "", "fault"]
    assert lines["zoe"][3:7] == ["", "", "", "waiting"]
    assert lines["gus"][3:8] == ["80", "100", "80", "graded", "2"]
    assert "'=hal()" in lines


def test_a_table_holds_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    hand_in = HandIn("esc", (Path("in/esc\x1b[31m\u202e"),))
    line = grades_csv(rows_of(tmp_path, [hand_in], {}, 30.0), []).decode()
    assert "esc\\x1b[31m\\u202e" in line
    assert not {"\x1b", "\u202e"} & set(line)
