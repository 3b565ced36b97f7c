"""The class page of four hundred in a real browser: it is light, worked by keyboard, and fits a phone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from grader.batch.job import Course
from grader.batch.report.class_facts import collect_facts
from grader.batch.report.class_page import class_page
from grader.batch.report.similar_groups import Alike, AlikeGroup
from grader.batch.report.similarity import Pair
from grader.course.plan import load_plan
from grader.exports.grades_csv import CheckRow, Concern, ExerciseRow, Row
from grader.intake.class_listing import ClassListing, HandIn
from lab.exercises import EXERCISES

COUNT = 400
CHECKS = 10
MOST_BYTES = 2_000_000
MAZES = ("+-+-+\n|S E|\n+-+-+", "+-+-+-+\n|S|   |\n+ + + +\n|   |E|\n+-+-+-+")
KINDS = ("repaired", "outlier", "limits")


def class_of(count: int) -> list[Row]:
    """Submissions, of which most are right in most."""
    rng = random.Random(1)
    return [_row(rng, number) for number in range(count)]


def _row(rng: random.Random, number: int) -> Row:
    chance = rng.choice((0.0, 0.02, 0.1, 0.5))
    exercises = tuple(
        ExerciseRow(each.id, each.id.title(), 10.0, 10.0, tuple(_checks(rng, each.id, chance)))
        for each in EXERCISES
    )
    score = sum(check.score for exercise in exercises for check in exercise.checks)
    concerns = (Concern(rng.choice(KINDS), "something to look at"),) if rng.random() < 0.1 else ()
    hand_in = HandIn(f"{'östberg' if number % 50 == 7 else 'student'}_{number:04}", ())
    most = float(CHECKS * len(EXERCISES))
    return Row(hand_in, "graded", score, most, exercises, 1.0, 0, concerns, has_staff_page=number % 3 == 0)


def _checks(rng: random.Random, exercise: str, chance: float) -> Iterator[CheckRow]:
    for number in range(CHECKS):
        failed = rng.random() < chance
        status, score = ("failed", 0.0) if failed else ("passed", 1.0)
        told = ("On a maze, it went wrong.", rng.choice(MAZES), "a maze") if failed else ("", "", "")
        misconception = "dfs.west-first" if failed and number == 1 else ""
        yield CheckRow(f"{exercise}.{number}", f"Check {number}", status, score, 1.0, misconception, *told)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, rubric: Path) -> Path:
    return written(tmp_path_factory.mktemp("class"), class_of(COUNT), rubric)


def written(folder: Path, rows: list[Row], rubric: Path) -> Path:
    plan = load_plan(rubric)
    names = tuple(row.name for row in rows[:7])
    pairs = tuple(Pair(names[0], other, 1.0, f"alike/{n}.html") for n, other in enumerate(names[1:], 1))
    alike = Alike((AlikeGroup(names, "100 % of the smaller one's own code", pairs),))
    facts = collect_facts(
        ClassListing("canvas", tuple(row.hand_in for row in rows), ()), Course(plan, "fake")
    )
    page = folder / "index.html"
    page.write_text(class_page(rows, alike, facts), encoding="utf-8")
    return page


@pytest.fixture
def opened(browser: Browser, path: Path) -> Iterator[Any]:
    contexts = []

    def open_(width: int, path: Path = path) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 800})
        contexts.append(context)
        page = context.new_page()
        page.goto(path.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()


def test_the_page_is_light(path: Path) -> None:
    assert path.stat().st_size < MOST_BYTES


def test_the_table_is_worked_by_keyboard(opened: Any) -> None:
    page = opened(1200)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "submissions"
    page.keyboard.press("Tab")
    page.keyboard.type("ostberg")
    assert page.locator("#count").text_content() == f"8 of {COUNT}"
    assert page.locator("#table tbody tr:visible").count() == 8
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Table of submissions"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    heads = page.locator("#table thead th")
    assert heads.nth(1).get_attribute("aria-sort") == "ascending"
    shown = page.locator("#table tbody tr:visible td:nth-child(2)").all_text_contents()
    assert shown == sorted(shown, key=float)


def test_the_head_of_a_table_stays_in_sight(opened: Any) -> None:
    page = opened(1200)
    region = page.get_by_role("region", name="Table of submissions")
    region.scroll_into_view_if_needed()
    region.evaluate("region => { region.scrollTop = region.scrollHeight }")
    assert region.evaluate("region => region.scrollTop") > 1000
    top = "element => element.getBoundingClientRect().top"
    assert abs(page.locator("#table thead th").first.evaluate(top) - region.evaluate(top)) <= 2


def test_rows_are_drawn_when_they_are_seen_and_found_by_the_browser_before(opened: Any) -> None:
    page = opened(1200)
    last = page.locator("#table tbody tr").last
    assert last.evaluate("row => getComputedStyle(row).contentVisibility") == "auto"
    assert last.evaluate("row => row.getBoundingClientRect().top") > 1000
    assert page.evaluate("name => window.find(name)", f"student_{COUNT - 1:04}")
    assert page.evaluate("getSelection().anchorNode.parentElement.closest('tr').rowIndex") == COUNT
    last.scroll_into_view_if_needed()
    edges = "row => [...row.cells].map(cell => Math.round(cell.getBoundingClientRect().left))"
    assert last.evaluate(edges) == page.locator("#table thead tr").evaluate(edges)


def test_a_row_leads_to_the_page_for_staff_and_to_what_is_open(opened: Any) -> None:
    page = opened(1200)
    row = page.locator("#table tbody tr").first
    assert row.get_by_role("link", name="staff page").get_attribute("href") == "student_0000/staff.html"
    row.get_by_role("link", name="look at").click()
    target = page.locator(page.evaluate("location.hash"))
    assert "100 % of the smaller one's own code" in target.text_content()
    assert target.get_by_role("link", name="student_0000 and student_0006").count() == 1
