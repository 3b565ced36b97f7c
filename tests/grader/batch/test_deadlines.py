"""The tables of staff: times and extensions."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.batch.deadlines import read_extensions, read_times, unknown_students
from grader.course.late_work import LatePolicy
from grader.errors import InputError
from grader.intake.class_listing import HandIn


class TestStaffFiles:
    HAND_INS = (HandIn("Ada_1", (), "Ada", "1"), HandIn("Ada_2", (), "Ada", "2"))
    POLICY = LatePolicy(datetime(2026, 10, 1, tzinfo=UTC))

    def test_times_and_extensions(self, tmp_path: Path) -> None:
        times = tmp_path / "times.csv"
        times.write_text(
            "\ufeffstudent,time\n1,2026-10-02T10:00\nnobody,2026-10-02T10:00\n", encoding="utf-8"
        )
        assert read_times(times, self.HAND_INS) == {"Ada_1": datetime(2026, 10, 2, 10, 0)}
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
        assert read_times(times, self.HAND_INS) == {"Ada_1": datetime(2026, 10, 2, 10, 0)}

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("student,time\nAda,2026-10-02\n", "x.csv:2: 'Ada' may be Ada_1 or Ada_2"),
            ("student,time\n1,tomorrow\n", "x.csv:2: expected a time such as"),
            ("name,time\n", "expected the columns student and time, got name, time"),
            ("", "expected the columns"),
            (
                b"\xd0\xcf\x11\xe0",
                "x.csv: expected a CSV file in UTF-8: this is no text in UTF-8; a spreadsheet",
            ),
        ],
    )
    def test_a_mistake_is_named(self, tmp_path: Path, text: str | bytes, said: str) -> None:
        (tmp_path / "x.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(InputError, match=said):
            read_times(tmp_path / "x.csv", self.HAND_INS)


def test_a_file_of_staff_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x\.csv: expected a CSV file in UTF-8: No such file or directory$"):
        read_times(tmp_path / "x.csv", ())
