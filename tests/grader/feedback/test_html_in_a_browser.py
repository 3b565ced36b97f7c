"""The page in a real browser: what it shows, what it refuses to run, and how it is worked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from grader.course.plan import load_plan
from grader.feedback import render_html
from grader.grading.engine import grade
from grader.model import Submission
from grader.results import as_data
from grader.sandbox.base import choose
from lab import EAST, Dimension, Factory, Maze
from lab.render import board
from lab.render.page import page_style
from lab.template import template_folder
from tests.grader.feedback.opened_pages import (
    COMPARED,
    OPEN_ALL,
    Watched,
    numbers_to,
    opened,
    sample,
    seen_steps,
)

__all__ = ["opened"]
"""Fixture of the neighbour."""

NAMES = ("right", "wrong", "crashed", "timed-out", "hostile")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_loads_nothing_and_complains_of_nothing(opened: Any, name: str) -> None:
    watched = opened(name)
    watched.page.evaluate(OPEN_ALL)
    watched.page.wait_for_timeout(50)
    assert watched.trouble == []
    assert watched.page.evaluate("document.scripts.length") == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Any, name: str, scheme: str) -> None:
    watched = opened(name, language="nb" if scheme == "dark" else "en", color_scheme=scheme)
    watched.page.evaluate(OPEN_ALL)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(watched.page, options={"runOnly": {"type": "tag", "values": tags}})
    assert found.violations_count == 0, found.generate_report()


def test_a_script_that_got_through_would_not_run(browser: Browser, tmp_path: Path) -> None:
    page = render_html(sample("right"))
    evil = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">"
    path = tmp_path / "feedback.html"
    path.write_text(page.replace("<main", evil + "<style>main{display:none}</style><main"), encoding="utf-8")
    watched = Watched(browser, path)
    watched.page.wait_for_timeout(50)
    assert watched.page.title() == "Feedback for ada"
    assert watched.page.locator("main").is_visible()
    assert any("Content Security Policy" in trouble for trouble in watched.trouble)
    watched.context.close()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_sticks_out_on_a_phone(opened: Any, name: str) -> None:
    page = opened(name, viewport={"width": 320, "height": 640}).page
    page.evaluate(OPEN_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


OVERLAP = """svg => {
    const boxes = [...svg.querySelectorAll('.numbers text, .mark')].map(node => node.getBBox());
    return boxes.some((one, place) => boxes.slice(place + 1).some(other =>
        one.x + 1 < other.x + other.width && other.x + 1 < one.x + one.width
        && one.y + 3 < other.y + other.height && other.y + 3 < one.y + one.height));
}"""


@pytest.mark.parametrize("columns", [3, 9, 14])
def test_numbers_do_not_touch_the_letters_of_entry_and_exit(
    browser: Browser, tmp_path: Path, columns: int
) -> None:
    maze = Factory().fully_connected(Dimension(3, columns))
    drawing = board.draw(maze, visits=maze.dimension.all_positions(), actual=[EAST])
    style = f"<style>{page_style()}</style>"
    picture = board.to_svg(drawing, kind="actual", label="a room")
    path = tmp_path / "board.html"
    path.write_text(f'{style}<figure class="picture actual">{picture}</figure>', encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.locator("svg").evaluate(OVERLAP) is False
    page.close()


def test_a_board_shows_no_way_but_its_own(opened: Any) -> None:
    page = opened("wrong").page
    boards = page.locator(COMPARED + " svg[data-steps]")
    ways = [
        boards.nth(side).locator(".way").evaluate_all("all => all.map(way => way.classList[1])")
        for side in (0, 1)
    ]
    assert ways == [["expected-way"], ["actual-way"]]
    labels = [boards.nth(side).get_attribute("aria-label") or "" for side in (0, 1)]
    assert ["Your way" in label for label in labels] == [False, True]
    assert ["The expected way" in label for label in labels] == [True, False]


def test_hints_open_one_after_the_other_and_lead_into_the_handout(opened: Any) -> None:
    page = opened("wrong").page
    idea, example = (page.locator("#dfs-4 .tier").nth(place) for place in (0, 1))
    assert (idea.is_visible(), example.is_visible()) == (True, False)
    idea.locator("summary").click()
    assert example.is_visible()
    example.locator("> summary").click()
    assert example.locator("svg[role=img]").is_visible()
    idea.get_by_role("link").click()
    passage = page.locator("#handout-order")
    passage.locator("pre").first.wait_for(state="visible")
    assert page.evaluate("document.activeElement.closest('details').id") == "handout-order"


def test_a_link_to_an_example_opens_the_hint_before_it(opened: Any) -> None:
    page = opened("wrong").page
    page.evaluate("location.hash = 'worked-maze-perfect'")
    example = page.locator("#worked-maze-perfect")
    example.locator("svg[role=img]").first.wait_for(state="visible")
    assert page.locator("#perfection-2 .tier").first.evaluate("details => details.open")


def test_a_link_to_a_check_opens_it(opened: Any) -> None:
    page = opened("wrong").page
    check = page.locator("#dfs-4")
    check.evaluate("details => { details.open = false }")
    page.evaluate("location.hash = 'dfs-4'")
    page.wait_for_function("document.querySelector('#dfs-4').open")
    assert check.evaluate("details => details.open")
    assert page.evaluate("document.activeElement.closest('details').id") == "dfs-4"


def test_the_maze_can_be_copied(opened: Any) -> None:
    page = opened("wrong", permissions=["clipboard-read", "clipboard-write"]).page
    page.locator("#dfs-4 .again > summary").click()
    page.locator("#dfs-4").get_by_role("button", name="Copy the maze").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("+-+-+-+\n|   | |\n")


def test_every_picture_has_a_text_that_says_the_same(opened: Any) -> None:
    page = opened("wrong").page
    labels = page.locator(COMPARED + " svg[role=img]").evaluate_all("all => all.map(svg => svg.ariaLabel)")
    assert len(labels) == 2
    assert "Visited in this order: (2, 2), (1, 2), (1, 1), (2, 3)" in labels[0]
    assert "Visited in this order: (2, 2), (2, 1), (3, 1), (3, 2)." in labels[1]
    assert all("The entry is (2, 2). The exit is (3, 2)." in label for label in labels)
    cycle = page.locator("#perfection-2 .shown > .compare svg[role=img]").first.get_attribute("aria-label")
    assert cycle is not None
    assert "A cycle runs through (1, 1), (1, 2), (1, 3)" in cycle


@pytest.mark.parametrize("scripts", [True, False])
def test_a_maze_is_saved_by_one_click_as_the_file_that_its_command_reads(
    opened: Any, tmp_path: Path, scripts: bool
) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    watched = opened("wrong", permissions=allowed, java_script_enabled=scripts)
    page, example = watched.page, found(sample("wrong"), "dfs.visit-order")["counterexample"]
    with page.expect_download() as download:
        page.locator("#dfs-4 .save a").click()
    assert download.value.suggested_filename == example["reproduce"]["file"]
    download.value.save_as(tmp_path / "saved.txt")
    assert Maze.from_file(tmp_path / "saved.txt") == Maze.from_text(example["maze"])
    if scripts:
        page.get_by_text("Saved; the command is copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == example["reproduce"]["command"]
    assert watched.trouble == []


def found(results: dict[str, Any], check: str) -> dict[str, Any]:
    checks = (each for exercise in results["exercises"] for each in exercise["checks"])
    return next(each for each in checks if each["id"] == check)


PRINTED = "dispatchEvent(new Event('beforeprint'))"


def test_on_paper_each_exercise_shows_its_first_cause(opened: Any) -> None:
    page = opened("wrong").page
    page.emulate_media(media="print")
    page.evaluate(PRINTED)
    opened_checks = page.locator(".check[open]").evaluate_all("all => all.map(check => check.id)")
    assert opened_checks == ["dfs-4", "search-2", "bfs-4", "dijkstra-2", "perfection-2", "generator-1"]
    assert page.locator(".source[open]").count() == 1
    assert page.locator(".player:visible, .save:visible, .again:visible, .handout:visible").count() == 0
    assert seen_steps(page) == [numbers_to(9), numbers_to(4)]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".exercise[open]").count() == 1


def test_on_paper_each_exercise_has_a_page_of_its_own(opened: Any) -> None:
    page = opened("wrong").page
    printed = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == page.locator(".exercise[data-print]").count()


def test_an_untouched_template_begins_with_search_and_prints_on_one_sheet(
    browser: Browser, tmp_path: Path
) -> None:
    template = template_folder()
    assert template is not None
    paths = (path for path in template.rglob("*.py") if path.parent.name != "tests")
    files = {path.relative_to(template).as_posix(): path.read_bytes() for path in paths}
    backend, _ = choose("process")
    results = as_data(grade(Submission("ada", files), load_plan(explain=False), backend))
    path = tmp_path / "feedback.html"
    path.write_text(render_html(results), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.locator(".exercise[open] h2").all_inner_texts() == ["The search"]
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1


def test_for_one_mistake_little_is_in_sight_and_the_cause_stands_first(
    browser: Browser, tmp_path: Path
) -> None:
    results = sample("wrong")
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            if exercise["id"] != "bfs":
                check |= {"status": "passed", "score": check["max_score"], "counterexample": None}
    path = tmp_path / "feedback.html"
    path.write_text(render_html(results), encoding="utf-8")
    for width, height in ((1200, 600), (390, 900)):
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(path.as_uri())
        assert len(page.locator("body").inner_text().split()) < 250
        for part in (".message", ".story .ran", ".story .held", ".compare svg[role=img]"):
            box = page.locator(f"#bfs {part}").first.bounding_box()
            assert box is not None
            assert box["y"] < height
        page.close()


def test_on_paper_a_hint_stands_where_it_was_opened(opened: Any) -> None:
    page = opened("wrong").page
    page.locator("#dfs-4 .tier > summary").first.click()
    page.emulate_media(media="print")
    page.evaluate(PRINTED)
    assert page.locator(".tier:visible").count() == 1


def test_no_grid_breaks_over_two_pages(opened: Any, tmp_path: Path) -> None:
    """A browser draws one that does over itself."""
    page = opened("wrong").page
    page.evaluate(OPEN_ALL)
    page.emulate_media(media="print")
    breaking = page.locator("main *").evaluate_all("""all => {
        const style = node => getComputedStyle(node);
        const isWhole = node => node && (style(node).breakInside === "avoid" || isWhole(node.parentElement));
        return all.filter(node => node.checkVisibility() && style(node).display.includes("grid"))
            .filter(node => !node.closest("nav, summary") && !isWhole(node)).map(node => node.outerHTML);
    }""")
    assert breaking == []
    assert page.pdf(path=str(tmp_path / "page.pdf"), format="A4").startswith(b"%PDF")


def test_the_page_says_everything_without_its_script(opened: Any) -> None:
    page = opened("wrong", java_script_enabled=False).page
    assert page.locator(COMPARED + " svg[role=img]").count() == 2
    assert page.locator(".player:visible, [data-copy]:visible").count() == 0


def test_a_page_with_everything_wrong_stays_below_a_megabyte() -> None:
    results = sample("wrong")
    failed = [c for e in results["exercises"] for c in e["checks"] if c["counterexample"]]
    large = next(c for e in sample("timed-out")["exercises"] for c in e["checks"] if c["id"] == "bfs.large")
    for exercise in results["exercises"]:
        exercise["checks"] = [*failed, large, large] * 2
        exercise["output"] = "printed\n" * 10_000
    page = render_html(results)
    assert page.count('class="check ') > 50
    assert len(page.encode()) < 1_000_000
