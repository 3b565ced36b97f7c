"""The plots of a class beside its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from playwright.sync_api import Browser

from grader.batch.journal import Journal
from grader.batch.report import class_facts
from grader.batch.report.class_facts import NAMES, load, save
from grader.batch.report.class_page import write_reports
from grader.cli import main
from lab.render.plot import drawing
from tests.grader.batch.marked_class import out, record, report, results_of

__all__ = ["out"]
"""Fixture of the neighbour."""

HOUR = 3600.0


@pytest.fixture(autouse=True)
def undrawn() -> None:
    """Here all is drawn."""


def _files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in NAMES if (folder / name).is_file()}


def _page(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def _write_with(folder: Path, first_passes: Mapping[str, dict[str, float | None]]) -> None:
    """Write the reports as for a folder of the service."""
    save(folder, replace(load(folder), first_passes=dict(first_passes)))
    with Journal(folder) as journal:
        write_reports(folder, load(folder), journal)


def test_they_are_drawn_again_only_where_points_have_changed(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings = Mock(wraps=drawing)
    monkeypatch.setattr(class_facts, "drawing", drawings)
    before = _files(out)
    report(out)
    assert drawings.call_count == 0
    (out / "scores.png").write_bytes(b"something else")
    (out / "exercises.svg").unlink()
    report(out)
    assert (drawings.call_count, _files(out)) == (2, before)
    record(out, "bob_2", results_of(60.0))
    report(out)
    assert drawings.call_count == 6
    assert all(content != before[name] for name, content in _files(out).items())


def test_the_title_of_an_exercise_is_text_and_neither_markup_nor_a_formula(out: Path) -> None:
    for name in ("ada_1", "bob_2"):
        results = results_of(60.0)
        results["exercises"][0]["title"] = "_Costs $x_$ & <b>"
        record(out, name, results)
    save(out, replace(load(out), exercises=(("dfs", "_Costs $x_$ & <b>"),)))
    _write_with(out, {"ada_1": {"dfs": 0.0}})
    for name in ("exercises.svg", "first_pass.svg"):
        assert b"_Costs $x_$ &amp; &lt;b&gt;" in (out / name).read_bytes()
    assert "<b>" not in _page(out)


def test_exempt_students_are_in_no_plot_of_times(out: Path) -> None:
    _write_with(out, {"ada_1": {"dfs": 100 * HOUR}, "bob_2": {"dfs": None}})
    assert all(text in _files(out)["first_pass.svg"] for text in (b"DFS: 1 of 2", b"in days"))
    assert main(["adjust", str(out), "bob_2", "--exempt", "--reason", "was ill", "--by", "t"]) == 0
    assert b"DFS: 1 of 1" in _files(out)["first_pass.svg"]


def test_the_times_of_who_is_forgotten_go_too(out: Path) -> None:
    _write_with(out, {"ada_1": {"dfs": HOUR}, "bob_2": {"dfs": None}})
    assert main(["forget", str(out), "ada_1"]) == 0
    assert load(out).first_passes == {"bob_2": {"dfs": None}}
    assert b"DFS: 0 of 1" in _files(out)["first_pass.svg"]


def test_the_browser_shows_the_plots_under_the_policy_of_the_page(out: Path, browser: Browser) -> None:
    _write_with(out, {"ada_1": {"dfs": 0.0}})
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.goto((out / "index.html").as_uri())
    for title in ("Points by exercise", "Time to the first pass"):
        plot = page.get_by_role("img", name=title)
        assert plot.evaluate("async image => { await image.decode(); return image.naturalWidth; }") > 0
    assert said == []
