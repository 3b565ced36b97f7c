"""The editor in a real browser: worked by mouse and by keyboard, and what it saves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page

from grader.course.maze_files import load_maze_file
from grader.course.plan import disagreement
from grader.editor.server import open_maze, render
from tests.grader.editor.test_server import START

Opened = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Open the page of START; any error on it fails the test."""
    contexts, trouble = [], []

    def open_(text: str = START, **options: Any) -> Page:
        (tmp_path / "start.yaml").write_text(text, encoding="utf-8")
        page_file = tmp_path / "page.html"
        page_file.write_text(render(open_maze(tmp_path / "start.yaml"), saves_to=None), encoding="utf-8")
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(page_file.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert trouble == []


def drawing(page: Page) -> list[str]:
    return page.locator("#drawing").input_value().split("\n")


def cell(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("gridcell", name=f"({row}, {column})")


def at(page: Page, row: int, column: int, down: float = 0.5, right: float = 0.5) -> tuple[float, float]:
    """Return the screen position of a place in a cell."""
    box = cell(page, row, column).locator("rect").first.bounding_box()
    assert box is not None
    return box["x"] + right * box["width"], box["y"] + down * box["height"]


def test_a_click_turns_a_wall_and_undo_turns_it_back(opened: Opened) -> None:
    page = opened()
    page.mouse.click(*at(page, 1, 2, down=0.97))
    assert drawing(page)[2] == "+ + +-+"
    assert page.locator("#answer-perfect").text_content() == "no, a cycle through (2, 1) (1, 1) (1, 2) (2, 2)"
    assert page.locator("#told").text_content() == "No wall between (1, 2) and (2, 2)"
    page.get_by_role("button", name="Undo").click()
    assert drawing(page)[2] == "+ +-+-+"
    page.get_by_role("button", name="Redo").click()
    assert drawing(page)[2] == "+ + +-+"
    page.mouse.click(*at(page, 1, 2, down=0.97))
    assert page.locator("#answer-perfect").text_content() == "yes"


def test_all_of_it_is_done_by_keyboard(opened: Opened) -> None:
    page = opened()
    cell(page, 1, 1).focus()
    for key in ("ArrowRight", "Shift+ArrowDown", "ArrowDown", "e", "ArrowUp", "s", "End", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    assert drawing(page) == ["+-+-+-+", "|  S| |", "+ + +-+", "|  E  |", "+-+-+-+"]
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused) == "(1, 3), walls north, east, south, west"
    page.keyboard.press("Control+z")
    assert drawing(page)[2] == "+ + +-+"
    page.keyboard.press("Control+y")
    assert drawing(page)[1] == "|  S| |"


def test_a_digit_is_what_a_step_costs(opened: Opened) -> None:
    page = opened()
    page.mouse.move(*at(page, 1, 1, down=0.97))
    page.keyboard.press("9")
    assert drawing(page) == ["+-+-+-+", "|S    |", "+9+-+-+", "|    E|", "+-+-+-+"]
    assert page.locator("#told").text_content() == "A step between (1, 1) and (2, 1) costs 9"
    page.mouse.move(*at(page, 1, 2))
    cell(page, 1, 2).focus()
    for key in ("3", "ArrowDown", "1", "ArrowLeft", "ArrowRight", "4"):
        page.keyboard.press(key)
    assert drawing(page)[2] == "+9+3+-+"
    told = "4: an arrow says which step from (1, 3) costs so much"
    assert page.locator("#told").text_content() == told
    assert page.locator("#answer-cheapest").text_content() == "3 moves that cost 5, [east, south, east]"
    assert page.locator("#answer-way").text_content() == "3 moves that cost 5, [east, south, east]"
    label = "(1, 2), walls north, south costs 3"
    assert cell(page, 1, 2).get_attribute("aria-label") == label
    page.get_by_role("button", name="Undo").click()
    assert drawing(page)[2] == "+9+-+-+"
    page.mouse.click(*at(page, 1, 1, down=0.97))
    assert drawing(page)[2] == "+-+-+-+"


def test_a_drawing_is_pasted(opened: Opened) -> None:
    page = opened()
    page.get_by_text("The drawing as text").click()
    page.locator("#drawing").fill("+-+-+\n|E S|\n+-+-+")
    page.locator("#drawing").blur()
    assert page.locator("#answer-way").text_content() == "1 moves, [west]"
    page.locator("#drawing").fill("+-+-+\n|E x|\n+-+-+")
    page.locator("#drawing").blur()
    told = "That is no maze: line 2, column 4: expected a cell: ' ', 'S' or 'E'"
    assert page.locator("#told").text_content() == told
    assert page.get_by_role("gridcell").count() == 2


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_axe_finds_nothing(opened: Opened, width: int, scheme: str) -> None:
    page = opened(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")
    page.mouse.click(*at(page, 1, 2, down=0.97))
    for cost in "28":
        page.mouse.move(*at(page, 1, 2, down=0.97))
        page.keyboard.press(cost)
    page.get_by_label("Order of BFS").check()
    cell(page, 2, 2).focus()
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    assert started.value.suggested_filename == "start.yaml"
    file = folder / "downloads" / "saved.yaml"
    started.value.save_as(file)
    return file


def test_what_nobody_changed_is_saved_as_it_stood_there(opened: Opened, tmp_path: Path) -> None:
    assert saved(opened(), tmp_path).read_text(encoding="utf-8") == START
    own = START.replace("maze: |", "exercises: # only\n- dfs\nvisit_order:\n  dfs: [[1, 1], [1, 2], [1, 3], "
                        "[2, 1], [2, 2], [2, 3]]\nmaze: |")  # fmt: skip
    assert saved(opened(own), tmp_path).read_text(encoding="utf-8") == own


def test_what_was_changed_is_a_test_maze_again(opened: Opened, tmp_path: Path) -> None:
    page = opened()
    page.mouse.click(*at(page, 1, 2, down=0.97))
    page.get_by_label("Name").fill('no: "#1" \\ Ø')
    page.get_by_label("The mistake that it catches").fill("  yes ")
    page.get_by_label("Students").select_option("public")
    page.get_by_label("perfection").uncheck()
    page.get_by_label("Write the visit orders into the file").check()
    file = saved(page, tmp_path)
    read = load_maze_file(file, agrees=disagreement)
    assert (read.name, read.catches, read.visibility) == ('no: "#1" \\ Ø', "yes", "public")
    assert read.exercises == ("dfs", "bfs", "dijkstra")
    assert set(read.visit_order) == {"dfs", "bfs", "dijkstra"}
    assert read.text.split("\n") == drawing(page)
    assert file.read_text(encoding="utf-8").startswith("# drawn by hand\n")


def test_a_name_that_the_course_has_is_not_saved(opened: Opened, tmp_path: Path) -> None:
    other = START.replace("One dead end", "Straße").replace("|    E|", "|   |E|")
    (tmp_path / "other.yaml").write_text(other, encoding="utf-8")
    page = opened()
    for name in ("STRASSE", " straße "):
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Download").click()
        told = "Another maze of this course has this name: choose another"
        assert page.locator("#saved").text_content() == told
        assert page.get_by_label("Name").evaluate("field => field === document.activeElement")
    page.get_by_label("Name").fill("Strase")
    assert load_maze_file(saved(page, tmp_path)).name == "Strase"
