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
from lab.optional_packages import MissingPackage
from lab.render.plot import drawing
from tests.grader.batch.marked_class import out, record, report, results_of

__all__ = ["out"]
"""Fixture of the neighbour."""

HOUR = 3600.0
POINTS = {"scores.svg", "scores.png", "exercises.svg", "exercises.png"}


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


@pytest.mark.parametrize("is_found", [False, True])
def test_without_matplotlib_the_page_says_how_to_get_plots(
    out: Path, monkeypatch: pytest.MonkeyPatch, is_found: bool
) -> None:
    monkeypatch.setattr(class_facts, "can_plot", lambda: is_found)
    monkeypatch.setattr(
        class_facts, "drawing", Mock(side_effect=MissingPackage("matplotlib is not installed here"))
    )
    record(out, "bob_2", results_of(60.0))
    report(out)
    page = _page(out)
    assert _files(out) == {}
    assert "pip install 'maze-grader[plot]'" in page.replace("&#39;", "'")
    assert not any(part in page for part in ("img-src", "<img", ".svg"))
    assert '<h2 id="scores">' in page


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


def test_whoever_has_not_passed_counts_among_all_who_tried(out: Path) -> None:
    passes: dict[str, dict[str, float | None]] = {
        "ada_1": {"dfs": 2 * HOUR, "gone": 1.0},
        "bob_2": {"dfs": None},
        "cleo_3": {},
    }
    _write_with(out, passes)
    assert _files(out).keys() == set(NAMES)
    assert "<td>0</td><td>0</td><td>1</td><td>1</td><td>1</td><td>2</td></tr>" in _page(out)
    drawn = _files(out)["first_pass.svg"].decode()
    assert all(text in drawn for text in ("DFS: 1 of 3", "in hours", "3 students"))
    assert "gone" not in drawn


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
