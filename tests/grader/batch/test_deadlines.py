"""The tables of staff: times and extensions."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.batch.deadlines import read_extensions, read_times, unknown_students
from grader.course.late_work import LatePolicy
from grader.errors import InputError
from grader.intake.class_listing import HandIn


class TestStaffFiles:
    HAND_INS = (HandIn("Ada_1", (), "Ada", "1"), HandIn("Ada_2", (), "Ada", "2"))
    POLICY = LatePolicy(datetime(2026, 10, 1, tzinfo=UTC), per_day=0)

    def test_times_and_extensions(self, tmp_path: Path) -> None:
        times = tmp_path / "times.csv"
        times.write_text(
            "\ufeffstudent,time\n1,2026-10-02T10:00\nnobody,2026-10-02T10:00\n", encoding="utf-8"
        )
        assert read_times(times, self.HAND_INS, UTC) == {"Ada_1": datetime(2026, 10, 2, 10, tzinfo=UTC)}
        assert unknown_students(self.HAND_INS, times, None) == ["nobody"]
        more = tmp_path / "more.csv"
        more.write_text("student,deadline,hours\nAda_1,,48\n2,2026-10-05T00:00:00+00:00,\n")
        assert read_extensions(more, self.HAND_INS, self.POLICY) == {
            "Ada_1": datetime(2026, 10, 3, tzinfo=UTC),
            "Ada_2": datetime(2026, 10, 5, tzinfo=UTC),
        }

    def test_a_spreadsheet_may_separate_by_semicolons(self, tmp_path: Path) -> None:
        times = tmp_path / "times.csv"
        times.write_text("\ufeffstudent;time\n1;2026-10-02T10:00\n", encoding="utf-8")
        assert read_times(times, self.HAND_INS, UTC) == {"Ada_1": datetime(2026, 10, 2, 10, tzinfo=UTC)}

    def test_names_may_differ_in_capitals_spaces_and_the_form_of_unicode(self, tmp_path: Path) -> None:
        hand_ins = (HandIn("Zoë van Dam_7", (), "Zoë van Dam", "7"), HandIn("Bo_8", (), "Bo", "8"))
        times = tmp_path / "times.csv"
        times.write_text("Student ,Time\nzoe\u0308\u00a0van  dam ,2026-10-02T10:00\n", encoding="utf-8")
        assert read_times(times, hand_ins, UTC) == {"Zoë van Dam_7": datetime(2026, 10, 2, 10, tzinfo=UTC)}

    def test_a_name_that_nobody_has_is_told_with_who_may_be_meant(self, tmp_path: Path) -> None:
        hand_ins = (HandIn("ostberg_7", (), "Åsa Östberg", "7"),)
        times = tmp_path / "times.csv"
        times.write_text("student,time\nAsa Ostberg,2026-10-02T10:00\nx,\n", encoding="utf-8")
        told = unknown_students(hand_ins, times)
        assert told == ["Asa Ostberg (did you mean ostberg_7 (Åsa Östberg)?)", "x"]

    @pytest.mark.parametrize(
        ("row", "said"),
        [
            ("1,,-2", "x.csv:2: expected a deadline after that of the class"),
            ("1,2026-10-05,", "x.csv:2: expected a date with a time"),
            ("1,,nan", "x.csv:2: expected hours such as 24 or 1.5, got nan"),
            ("1,,", "x.csv:2: expected hours such as 24 or 1.5, got nothing"),
        ],
    )
    def test_an_extension_that_extends_nothing_is_refused(self, tmp_path: Path, row: str, said: str) -> None:
        (tmp_path / "x.csv").write_text(f"student,deadline,hours\n{row}\n")
        with pytest.raises(InputError, match=said):
            read_extensions(tmp_path / "x.csv", self.HAND_INS, self.POLICY)

    @pytest.mark.parametrize(
        ("time", "said"),
        [
            ("2026-10-25T02.30", "the clocks of Europe/Oslo show that time twice: add [+]0200 or [+]0100"),
            ("2027-03-28T02:30", "the clocks of Europe/Oslo skip that time"),
            ("2027-02-30T23:59", "there is no day 2027-02-30"),
        ],
    )
    def test_a_time_that_clocks_do_not_show_once_is_told(self, tmp_path: Path, time: str, said: str) -> None:
        oslo, path = ZoneInfo("Europe/Oslo"), tmp_path / "x.csv"
        path.write_text(f"student,time,deadline\n1,{time},{time}\n")
        with pytest.raises(InputError, match=f"x.csv:2: .* got {time}: {said}"):
            read_times(path, self.HAND_INS, oslo)
        with pytest.raises(InputError, match=f"x.csv:2: .* got {time}: {said}"):
            read_extensions(path, self.HAND_INS, LatePolicy(datetime(2026, 10, 1, tzinfo=oslo), per_day=0))

    def test_hours_may_have_a_decimal_comma(self, tmp_path: Path) -> None:
        (tmp_path / "x.csv").write_text("student;hours\n1;1,5\n")
        found = read_extensions(tmp_path / "x.csv", self.HAND_INS, self.POLICY)
        assert found == {"Ada_1": datetime(2026, 10, 1, 1, 30, tzinfo=UTC)}
