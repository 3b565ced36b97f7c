"""What people have to look at: listed by kind, closed, opened again, and asked for before an export."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main
from tests.grader.batch.marked_class import mark, out, record, report, results_of

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


def test_what_has_changed_is_open_again(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reviewed(out, capsys, "--done", "refused") == ["0 open, 1 done"]
    record(out, "cleo_3", results_of(0.0, status="missing", notes=["It is encrypted."]), "refused")
    report(out)
    assert reviewed(out, capsys)[-1] == "1 open, 0 done"


@pytest.mark.parametrize("decision", [("--score", "80"), ("--exempt",)])
def test_refused_work_that_a_person_decided_about_is_looked_at(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], decision: tuple[str, ...]
) -> None:
    assert main(["adjust", str(out), "cleo_3", *decision, "--reason", "read by hand", "--by", "grace"]) == 0
    capsys.readouterr()
    assert reviewed(out, capsys)[-1] == "0 open, 0 done"
    assert main(["export", "canvas", str(out), "--out", str(tmp_path / "import.csv")]) == 0
    assert main(["adjust", str(out), "cleo_3", "--undo", "--reason", "by mistake", "--by", "grace"]) == 0
    capsys.readouterr()
    assert reviewed(out, capsys)[-1] == "1 open, 0 done"
