"""Pages of staff in a real browser: what they load, how they are worked, and how they fit a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from grader.batch.job import Course
from grader.batch.report.class_facts import collect_facts
from grader.batch.report.class_page import class_page
from grader.batch.report.similar_groups import Alike, AlikeGroup
from grader.batch.report.similarity import Pair
from grader.course.plan import load_plan
from grader.exports.grades_csv import CheckRow, Concern, ExerciseRow, Row, Status
from grader.intake.class_listing import ClassListing, HandIn

OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true })"
EXERCISES = ("Search", "Breadth-first search", "Dijkstra", "Perfection", "Generator")
MAZE = "+-+-+\n|S E|\n+-+-+"
LONG = "a-student-with-a-name-that-goes-on-and-on-without-any-space-in-it_1234567"


def row(name: str, score: float | None, *concerns: str, misconception: str = "") -> Row:
    status: Status = "fault" if score is None else "graded"
    points = score or 0.0
    exercises = tuple(
        ExerciseRow(title, title, points, 100.0, (CheckRow(title, "The order", "passed", points, 100.0, ""),))
        for title in EXERCISES
    )
    told = ("On a maze, DFS visited (1, 1) too early.", MAZE, "a maze of 1 x 2")
    check = CheckRow("dfs.visit-order", "The visit order", "failed", points, 100.0, misconception, *told)
    exercises = (ExerciseRow("dfs", "Depth-first search", points, 100.0, (check,)), *exercises)
    kinds = tuple(Concern("fault" if score is None else "violation", text) for text in concerns)
    return Row(HandIn(name, ()), status, score, 100.0, exercises, 1.25, 1, kinds)


ROWS = (
    row("ada", 100.0),
    row("bob", 80.0, misconception="dfs.west-first"),
    row("cleo", 40.0, "broke the protocol of the sandbox (Dijkstra)", misconception="dfs.west-first"),
    row("östberg_łukasz", 81.0),
    row("dan", None, "could not be graded: no engine"),
    row(LONG, 42.0, misconception="bfs.last-found"),
)


@pytest.fixture
def opened(browser: Browser, tmp_path: Path, rubric: Path) -> Iterator[Any]:
    contexts = []

    def open_(**options: Any) -> tuple[Page, list[str]]:
        found = ClassListing("canvas", tuple(row.hand_in for row in ROWS), ("README.txt",))
        pair = Pair("ada", "bob", 0.93, "alike/1.html")
        alike = Alike((AlikeGroup(("ada", "bob", "2025/eve"), "93 % of the code", (pair,)),))
        page = class_page(ROWS, alike, collect_facts(found, Course(load_plan(rubric), "fake")), ["zoe"])
        (tmp_path / "index.html").write_text(page, encoding="utf-8")
        context = browser.new_context(**options)
        contexts.append(context)
        tab, trouble = context.new_page(), []
        tab.on("console", lambda message: trouble.append(message.text))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.on("request", lambda asked: trouble.append(asked.url) if asked.url != tab.url else None)
        tab.goto((tmp_path / "index.html").as_uri())
        tab.evaluate(OPEN_ALL)
        return tab, [text for text in trouble if not text.endswith("/index.html")]

    yield open_
    for context in contexts:
        context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_axe_finds_nothing(opened: Any, scheme: str, width: int) -> None:
    page, trouble = opened(color_scheme=scheme, viewport={"width": width, "height": 800})
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}})
    assert found.violations_count == 0, found.generate_report()
    assert trouble == []


@pytest.mark.parametrize("width", [390, 320])
def test_a_phone_shows_everything(opened: Any, width: int) -> None:
    page, _ = opened(viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    beyond = (
        "[...document.querySelectorAll('main *, footer *')].filter(e => e.checkVisibility() && "
        "e.getBoundingClientRect().right > innerWidth && !e.closest('.visually-hidden'))"
        ".map(e => e.outerHTML)"
    )
    assert page.evaluate(beyond) == []
    first = page.locator("#table tbody tr").first
    assert "Score: 100" in first.evaluate(
        "row => [...row.cells].map(c => getComputedStyle(c, '::before').content.replaceAll('\"', '') "
        "+ c.textContent).join(' ')"
    )


def test_the_table_sorts_and_filters(opened: Any) -> None:
    page, _ = opened()
    page.get_by_role("button", name="Score").click()
    names = page.locator("#table tbody th > a")
    assert names.all_text_contents() == ["dan", "cleo", LONG, "bob", "östberg_łukasz", "ada"]
    page.get_by_label("Show those with").fill("west first")
    assert [text for text in names.all_text_contents() if page.get_by_role("rowheader", name=text).count()]
    assert page.locator("#table tbody tr:visible th > a").all_text_contents() == ["cleo", "bob"]
    assert page.locator("#count").text_content() == "2 of 6"
