"""The class page, the live view, the tables of staff, and what is alike."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from grader.batch.deadline_files import read_extensions, read_times
from grader.batch.job import Course
from grader.batch.journal import Entry, Journal
from grader.batch.progress import LiveView, Quiet, display_for
from grader.batch.report.class_page import class_page, groups, histogram, pass_rates
from grader.batch.report.diff import compare
from grader.batch.report.grades_table import grades_csv
from grader.batch.report.rows import Row, rows_of
from grader.batch.report.similarity import Alike, Pair, pairs_of
from grader.batch.report.write import write_reports
from grader.course.late import LatePolicy
from grader.course.plan import load_plan
from grader.errors import InputError
from grader.intake.class_listing import Class, HandIn
from tests.grader.batch.test_run import Script
from tests.submissions.loader import Case

EVIL = '<script>alert("x")</script>'


def result(score: float, *, status: str = "passed", misconception: str = "", **more: Any) -> dict[str, Any]:
    check = {
        "id": "dfs.no-way",
        "title": f"None {EVIL}",
        "status": status,
        "score": score,
        "max_score": 100.0,
        "misconception": {"id": misconception} if misconception else None,
        "message": "",
        "hint": "",
        "visibility": "public",
        "counterexample": None,
    }
    exercise = {"id": "dfs", "title": "DFS", "score": score, "max_score": 100.0, "checks": [check]}
    return {
        "schema": 1,
        "submission": "x",
        "sandbox": "fake",
        "score": score,
        "max_score": 100.0,
        "notes": [],
        "exercises": [exercise],
        "timing": {"calls": 1.0},
        **more,
    }


RESULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "ada": ("graded", result(100.0)),
    "bob": ("graded", result(0.0, status="failed", misconception="dfs.west-first")),
    "cleo": ("graded", result(0.0, status="violation", misconception="dfs.west-first")),
    "dan": ("fault", result(0.0, status="skipped", fault="no engine")),
    "eve": ("refused", result(0.0, status="missing", notes=["The zip is encrypted."])),
    "fay": ("graded", result(100.0, timing={"calls": 20.0})),
    "gus": ("graded", result(80.0, late={"days": 2})),
    "=hal()": ("graded", result(100.0, late={"marked": True})),
}


@pytest.fixture
def rows(tmp_path: Path) -> list[Row]:
    entries = {}
    for name, (status, content) in RESULTS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.json").write_text(json.dumps(content))
        entries[name] = Entry(name, "key", status, 1.0, "no engine" if status == "fault" else "")  # type: ignore[arg-type]
    hand_ins = [HandIn(name, (), student=name) for name in [*RESULTS, "zoe"]]
    return list(rows_of(tmp_path, hand_ins, entries, 30.0))


def by_name(rows: Sequence[Row]) -> dict[str, Row]:
    return {row.name: row for row in rows}


def test_who_needs_a_human(rows: list[Row]) -> None:
    assert {row.name: row.concerns for row in rows if row.concerns} == {
        "cleo": ("broke the protocol of the sandbox (DFS)",),
        "dan": ("could not be graded: no engine",),
        "eve": ("refused: The zip is encrypted.",),
        "fay": ("used 20 of its 30 seconds",),
        "=hal()": ("marked late, without a time",),
        "zoe": ("not graded yet",),
    }


@pytest.mark.parametrize(
    ("status", "message", "concerns"),
    [
        ("out-of-memory", "", ("ran out of memory (DFS)",)),
        ("crashed", "On a maze, DFS ended with signal 11.", ("died of a signal (DFS)",)),
        (
            "crashed",
            "On a maze, DFS raised BlockingIOError: [Errno 11] Resource temporarily unavailable.",
            ("asked for more processes than it may have (DFS)",),
        ),
        (
            "crashed",
            "On a maze, DFS raised RuntimeError: can't start new thread.",
            ("asked for more processes than it may have (DFS)",),
        ),
        ("crashed", "On a maze, DFS raised IndexError: pop from empty list.", ()),
        ("timeout", "On a maze, DFS was still running when its time was over.", ()),
    ],
)
def test_what_was_done_to_the_sandbox_needs_a_human(
    tmp_path: Path, status: str, message: str, concerns: tuple[str, ...]
) -> None:
    content = result(0.0, status=status)
    content["exercises"][0]["checks"][0]["message"] = message
    content["exercises"][0]["checks"].append(content["exercises"][0]["checks"][0])
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "results.json").write_text(json.dumps(content))
    entries = {"ada": Entry("ada", "key", "graded", 1.0, "")}
    (row,) = rows_of(tmp_path, [HandIn("ada", ())], entries, 30.0)
    assert row.concerns == concerns


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


def test_groups_rates_and_histogram(rows: list[Row]) -> None:
    graded = [row for row in rows if row.score is not None]
    (group,) = groups(graded)
    assert (group.id, group.title) == ("dfs.west-first", "DFS: west first")
    assert [row.name for row in group.rows] == ["bob", "cleo"]
    assert "West" in group.hint
    (rate,) = pass_rates(graded)
    assert (rate.passed, rate.count) == (4, 7)
    bars = histogram([0.0, 4.99, 5.0, 99.0, 100.0])
    assert [bar.count for bar in bars if bar.count] == [2, 1, 2]
    assert bars[-1].height == 100.0


def test_the_page_escapes_everything(rows: list[Row], rubric: Path) -> None:
    course = Course(load_plan(rubric), "fake")
    found = Class("moodle", tuple(row.hand_in for row in rows), (EVIL,))
    page = class_page(rows, Alike((Pair("ada", "bob", 0.93),)), found, course, [EVIL])
    assert EVIL not in page
    assert page.count("<script>") == 1
    assert "93 % of the smaller one's own code" in page
    assert 'href="%3Dhal%28%29/feedback.html"' in page
    assert "for staff only" in page


def test_the_page_counts_as_the_terminal_does(rows: list[Row], rubric: Path) -> None:
    found = Class("", tuple(row.hand_in for row in rows), ())
    alike = Alike((Pair("ada", "cleo", 0.9),))
    page = class_page(rows, alike, found, Course(load_plan(rubric), "fake"))
    figures = dict(re.findall(r"<dt>(.+?)</dt><dd>(.+?)</dd>", page))
    assert figures == {
        "graded": "6",
        "refused": "1",
        "without a mark": "1",
        "not graded yet": "1",
        "mean": "63.3 %",
        "median": "90.0 %",
        "need a human": "7",
    }


def test_misconceptions_are_named_in_words_and_one_alone_is_no_group(rows: list[Row], rubric: Path) -> None:
    course = Course(load_plan(rubric), "fake")
    shared = class_page(rows, Alike(), Class("", (), ()), course)
    assert "<strong>DFS: west first</strong>" in shared
    assert "2 submissions</span></summary>" in shared
    assert "Of one submission only" not in shared
    alone = class_page([row for row in rows if row.name != "cleo"], Alike(), Class("", (), ()), course)
    assert "Shared misconceptions" not in alone
    assert "Of one submission only" in alone
    assert "bob</a>: DFS: west first" in alone
    for page in (shared, alone):
        assert "dfs.west-first" not in re.sub(r'data-kinds="[^"]*"', "", page)


def test_the_notice_about_copydetect_lasts_until_it_is_there(
    tmp_path: Path, rubric: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, found = Course(load_plan(rubric), "fake"), Class("", (HandIn("ada", ()),), ())
    with Journal(tmp_path) as journal:
        with monkeypatch.context() as patched:
            patched.setattr("grader.batch.report.similarity.find_spec", lambda name: None)
            write_reports(tmp_path, found, journal, course)
            assert "Install copydetect" in (tmp_path / "index.html").read_text(encoding="utf-8")
        write_reports(tmp_path, found, journal, course)
        assert "copydetect" not in (tmp_path / "index.html").read_text(encoding="utf-8")


def codes(*names: str) -> list[tuple[str, bytes]]:
    found = []
    for name in names:
        files = sorted(Case("right", name).files().items())
        found.append((name, b"\n".join(content for path, content in files if path.endswith(".py"))))
    return found


def test_a_copy_with_other_names_is_seen_and_the_given_code_is_not() -> None:
    base = codes("dfs-own-stack", "bfs-by-levels", "dijkstra-heap-counter", "perfection-union-find")
    _, code = codes("dijkstra-heap-counter")[0]
    copy = code.replace(b"heap", b"pile").replace(b"position", b"place")
    pairs = pairs_of([*base, ("copy", copy)]).pairs
    assert ("copy", "dijkstra-heap-counter") in {(pair.one, pair.other) for pair in pairs}
    assert pairs_of([("template", b""), ("empty", b"\xff\x00(")]) == Alike()


def test_blank_lines_neither_hide_a_copy_nor_take_time() -> None:
    base = codes("dfs-own-stack", "bfs-by-levels", "dijkstra-heap-counter", "perfection-union-find")
    _, code = codes("dijkstra-heap-counter")[0]
    copy = b"\n ".join([b""] * 20_000) + code.replace(b"\n", b"  \n\t\n\n")
    (pair,) = [pair for pair in pairs_of([*base, ("copy", copy)]).pairs if pair.one == "copy"]
    assert pair == Pair("copy", "dijkstra-heap-counter", 1.0)


class TestStaffFiles:
    HAND_INS = (HandIn("Ada_1", (), "Ada", "1"), HandIn("Ada_2", (), "Ada", "2"))
    POLICY = LatePolicy(datetime(2026, 10, 1, tzinfo=UTC))

    def test_times_and_extensions(self, tmp_path: Path) -> None:
        times = tmp_path / "times.csv"
        times.write_text(
            "\ufeffstudent,time\n1,2026-10-02T10:00\nnobody,2026-10-02T10:00\n", encoding="utf-8"
        )
        assert read_times(times, self.HAND_INS) == {"Ada_1": datetime(2026, 10, 2, 10, 0)}
        more = tmp_path / "more.csv"
        more.write_text("student,deadline,hours\nAda_1,,48\n2,2026-10-05T00:00:00+00:00,\n")
        assert read_extensions(more, self.HAND_INS, self.POLICY) == {
            "Ada_1": datetime(2026, 10, 3, tzinfo=UTC),
            "Ada_2": datetime(2026, 10, 5, tzinfo=UTC),
        }

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


def test_the_live_view_shows_rate_workers_and_trouble() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, height=30)
    view = display_for(console, 4, quiet=False)
    assert isinstance(view, LiveView)
    script = Script({})
    script.doing = lambda: [("ada\x1b[31m", 3.2), ("", 0.0)]  # type: ignore[method-assign]
    with view:
        view.tell("graded", submission="bob", score=5.0, max_score=9.0, seconds=1.0)
        view.tell("fault", submission="cleo", reason="no\nengine")
        view.tick(script)
    shown = screen.getvalue()
    for text in ("2/4", "a second", "1 graded", "1 fault", "ada\\x1b[31m", "idle", "cleo  fault: no engine"):
        assert text in shown


def test_plain_lines_and_silence() -> None:
    screen = io.StringIO()
    lines = display_for(Console(file=screen, width=40), 10, quiet=False)
    lines.tell("start", submissions=10)
    lines.tell("graded", submission="[bold]ada", score=87.5, max_score=100.0, seconds=1.0)
    lines.tell("retry", submission="bob", reason="x" * 60)
    lines.tell("unchanged", submission="bob")
    assert screen.getvalue().splitlines() == [
        "[ 1/10] [bold]ada  87.5 of 100  1.0 s",
        f"[ 1/10] bob  retry: {'x' * 60}",
        "[ 2/10] bob  unchanged",
    ]
    assert type(display_for(Console(file=screen), 1, quiet=True)) is Quiet


def test_diff_names_what_moved_and_why(tmp_path: Path) -> None:
    new = dict(RESULTS)
    new["ada"] = ("graded", result(0.0, status="timeout"))
    new["dan"] = ("graded", result(100.0))
    del new["fay"]
    for folder, class_ in (("old", RESULTS), ("new", new)):
        for name, (_, content) in class_.items():
            path = tmp_path / folder / name / "results.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(content))
    assert compare(tmp_path / "old", tmp_path / "new").splitlines() == [
        "3 of 8 results moved",
        "ada: 100 -> 0",
        "  dfs.no-way: passed -> timeout (-100)",
        "dan: no mark -> 100",
        "  could not be graded before",
        "  dfs.no-way: skipped -> passed (+100)",
        "fay: 100 -> no mark",
        "  is not there any more",
    ]
    assert compare(tmp_path / "old", tmp_path / "old") == "0 of 8 results moved"
    with pytest.raises(InputError, match="expected a folder of results"):
        compare(tmp_path, tmp_path / "old")


def test_rows_stand_in_for_what_is_not_there(rows: list[Row]) -> None:
    zoe = by_name(rows)["zoe"]
    assert replace(zoe, concerns=()) == Row(zoe.hand_in, "waiting", None, 0.0, (), 0.0, 0, ())
