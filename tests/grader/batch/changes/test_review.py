"""What people have to look at: listed, closed and opened again, or asked about one by one."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from grader.batch.code_text import code_with
from grader.batch.journal import Journal, JournalRow
from grader.batch.report.class_page import load_items
from grader.batch.shares import read_shares, share_out
from grader.batch.taken_items import give_back, take_item
from grader.cli import main
from grader.feedback import render_html
from grader.results import as_json, read
from lab.commands import screen
from tests.grader.batch.marked_class import mark, out, record, report, results_of

pytestmark = pytest.mark.processes

__all__ = ["out"]
"""Fixture of the neighbour."""


def reviewed(out: Path, capsys: pytest.CaptureFixture[str], *more: str) -> list[str]:
    assert main(["review", str(out), "--by", "grace", *more]) == 0, capsys.readouterr().err
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("name", ["cleo_3", "refused", "its id"])
def test_an_item_is_closed_and_opened_again(out: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    wanted = reviewed(out, capsys)[1].split()[0] if name == "its id" else name
    assert reviewed(out, capsys, "--done", wanted) == ["0 open, 1 done"]
    assert "Nothing is left to decide" in (out / "index.html").read_text(encoding="utf-8")
    record(out, "ada_1", results_of(95.0))
    report(out)
    assert "(done, grace, 20" in reviewed(out, capsys, "--all")[1]
    assert mark(out, "cleo_3") == ("", "refused")
    assert reviewed(out, capsys, "--reopen", wanted)[-1] == "1 open, 0 done"


def test_a_list_of_refused_work_is_asked_again_without_whom_a_person_has_decided_about(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record(out, "bob_2", results_of(0.0, status="missing", notes=["It is encrypted."]), "refused")
    report(out)
    told = answered(out, "a\nbob_2\n70\nby mail\nd\n", monkeypatch, capsys)
    assert told.index("2 hand-ins") < told.index("bob_2 no mark -> 70") < told.rindex("cleo_3: refused: ")
    assert told.endswith("0 open, 1 done\n")


def test_what_has_changed_is_open_again(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reviewed(out, capsys, "--done", "refused") == ["0 open, 1 done"]
    record(out, "cleo_3", results_of(0.0, status="missing", notes=["It is encrypted."]), "refused")
    report(out)
    assert reviewed(out, capsys)[-1] == "1 open, 0 done"


EVIL = b"print('<b>dfs</b>')\n"


@pytest.fixture
def two_open(out: Path) -> Path:
    """Work that came late, with its code, and work that was refused."""
    record(out, "bob_2", results_of(40.0))
    late = results_of(90.0, late={"marked": True})
    with Journal(out) as journal:
        entry = JournalRow("ada_1", "key", "graded", 1.0, "")
        code = code_with({"solvers/dfs.py": EVIL})
        journal.record(entry, as_json(late), render_html(late).encode(), code)  # type: ignore[arg-type]
    report(out)
    return out


def answered(
    out: Path, answers: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *more: str
) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    assert main(["review", str(out), "--next", "--by", "grace", *more]) == 0
    return capsys.readouterr().out


def test_items_come_one_after_the_other_until_all_are_done(
    two_open: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages: list[str] = []
    monkeypatch.setattr(screen, "browse", lambda page: pages.append(page.read_text(encoding="utf-8")))
    told = answered(two_open, "a\n70\nread by hand\ns\nx\nd\n", monkeypatch, capsys)
    assert told.index("cleo_3: refused: The zip is broken.") < told.index("cleo_3 no mark -> 70")
    assert told.index("cleo_3 no mark -> 70") < told.index("ada_1: marked late, without a time")
    assert told.endswith("0 open, 1 done\n")
    assert mark(two_open, "cleo_3") == ("70", "graded")
    refused_page, late_page, code = pages
    assert "Feedback for" in refused_page
    assert "Feedback for" in late_page
    assert "   1  print(&#39;&lt;b&gt;dfs&lt;/b&gt;&#39;)" in code


def test_an_item_that_another_has_open_is_passed_over(
    two_open: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (late,) = (item for item in load_items(two_open) if item.kind == "late")
    take_item(two_open, late.id, late.names, "bo")
    told = answered(two_open, "s\n", monkeypatch, capsys)
    assert f"{late.id}  bo has taken it" in told
    assert "marked late" not in told


def test_what_was_typed_about_an_item_that_another_has_taken_since_is_kept(
    two_open: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["a", "70", "read by hand", "q"])

    def answer(prompt: str) -> str:
        if prompt.startswith("the reason"):
            for item in load_items(two_open):
                give_back(two_open, [item.id], "grace")
                take_item(two_open, item.id, item.names, "bo")
        return next(answers)

    monkeypatch.setattr("builtins.input", answer)
    told = answered(two_open, "", monkeypatch, capsys)
    assert "bo has taken " in told
    assert "  you typed: 70\n  you typed: read by hand\n" in told
    assert mark(two_open, "cleo_3") == ("", "refused")


@pytest.mark.parametrize(
    "command",
    [("review", "--done", "cleo_3"), ("adjust", "cleo_3", "--score", "70", "--reason", "by hand")],
)
def test_an_item_that_another_has_open_is_not_decided(
    out: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    (item,) = load_items(out)
    take_item(out, item.id, item.names, "bo")
    name, *more = command
    assert main([name, str(out), *more, "--by", "grace"]) == 1
    assert f"bo has taken this item ({item.id}), so nothing was decided" in capsys.readouterr().err
    assert main([name, str(out), *more, "--by", "bo"]) == 0


def test_a_comment_may_begin_with_the_line_that_it_is_about(
    two_open: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (two_open / "comments.yaml").write_text("loop: This never ends.\n", encoding="utf-8")
    answers = "s\nc\nsolvers/dfs.py:1 loop\nc\nsolvers/dfs.py:7 loop\nc\nsee 1:2\nq\n"
    told = answered(two_open, answers, monkeypatch, capsys)
    assert "ada_1: comment 1 at solvers/dfs.py:1: This never ends. (grace)" in told
    assert "solvers/dfs.py has 1 line, and no line 7: did you mean solvers/dfs.py:1?" in told
    assert "  you typed: solvers/dfs.py:7 loop\n" in told
    results = read(two_open / "ada_1" / "results.json")
    assert [each["text"] for each in results["comments"]] == ["see 1:2", "This never ends."]
    assert mark(two_open, "ada_1") == ("90", "graded")


def test_one_by_one_shows_what_is_ones_own_share(
    two_open: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    share_out(two_open, ["grace", "bo"], "alan")
    shares = read_shares(two_open)
    assert {shares.of(item.submission) for item in load_items(two_open)} == {"grace", "bo"}
    told = answered(two_open, "s\ns\n", monkeypatch, capsys)
    assert [shares.of(item.submission) for item in load_items(two_open) if f"\n{item.id}  " in told] == [
        "grace"
    ]
    assert told.endswith("2 open (for bo 1, grace 1), 0 done\n")
