"""Pages of staff in a real browser: what they load, how they are worked, and how they fit a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from grader.batch.job import Course, code_of
from grader.batch.report.class_facts import collect_facts
from grader.batch.report.class_page import class_page
from grader.batch.report.similar_groups import Alike, AlikeGroup, side_by_side
from grader.batch.report.similarity import Pair
from grader.course.plan import load_plan
from grader.exports.grades_csv import CheckRow, Concern, ExerciseRow, Row, Status
from grader.intake.class_listing import ClassListing, HandIn
from grader.model import Submission
from tests.submissions.loader import Case

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
    row(LONG, 42.0, misconception="bfs.other-end"),
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


def test_the_histogram_has_counts_and_axes(opened: Any) -> None:
    page, _ = opened()
    texts = page.locator(".histogram text").all_text_contents()
    assert texts[0] == "Submissions"
    assert texts[-1] == "Score in percent"
    assert [text for text in texts if text.isdigit()] == ["0", "20", "2", "40", "60", "2", "80", "1", "100"]
    label = page.locator(".histogram").get_attribute("aria-label")
    assert label.endswith("in percent: 40 to 45: 2; 80 to 85: 2; 95 to 100: 1")


def test_the_table_sorts_and_filters(opened: Any) -> None:
    page, _ = opened()
    page.get_by_role("button", name="Score").click()
    names = page.locator("#table tbody th > a")
    assert names.all_text_contents() == ["dan", "cleo", LONG, "bob", "östberg_łukasz", "ada"]
    page.get_by_label("Show those with").fill("west first")
    assert [text for text in names.all_text_contents() if page.get_by_role("rowheader", name=text).count()]
    assert page.locator("#table tbody tr:visible th > a").all_text_contents() == ["cleo", "bob"]
    assert page.locator("#count").text_content() == "2 of 6"


def test_a_search_finds_letters_by_their_plain_ones(opened: Any) -> None:
    page, _ = opened()
    rows = page.locator("#table tbody tr:visible th > a")
    for typed in ("ostberg", "östberg", "ØSTBERG"):
        page.get_by_label("Show those with").fill(typed)
        assert rows.all_text_contents() == ["östberg_łukasz"]
    page.get_by_label("Show those with").fill("lukasz")
    assert rows.all_text_contents() == ["östberg_łukasz"]


def test_checks_sort_and_lead_to_who_failed_them(opened: Any) -> None:
    page, _ = opened()
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = false })")
    table = page.get_by_role("region", name="Table of checks")
    by_failures = table.locator("thead button").get_by_text("Failed", exact=True)
    by_failures.click()
    by_failures.click()
    assert table.locator("tbody th").first.text_content() == "The visit order"
    table.get_by_role("link", name="The visit order").click()
    assert page.get_by_text("DFS visited (1, 1) too early").is_visible()
    assert page.get_by_role("img", name="a maze of 1 x 2").is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1200, "dark"), (390, "light")])
def test_a_pair_is_read_by_all_and_fits_a_phone(
    browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    files = {p: c for p, c in Case("right", "plain").files().items() if p.endswith(".py")}
    one, other = code_of(Submission("x", files)), code_of(Submission("y", dict(list(files.items())[1:])))
    page = tmp_path / "1.html"
    page.write_text(side_by_side(Pair("ada", "bob", 1.0), "100 % of the code", one, other), encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    tab = context.new_page()
    tab.goto(page.as_uri())
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(tab, options={"runOnly": {"type": "tag", "values": tags}})
    assert found.violations_count == 0, found.generate_report()
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.locator("mark").count() > 5
    assert tab.get_by_text("Not handed in.").count() == 1
    context.close()
