"""The editor in a real browser: worked by mouse and by keyboard, and what it saves."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from lab import Dimension, Factory
from tests.grader.editor.pages import Opened, at, cell, drawing, opened

__all__ = ["opened"]
"""Fixture of the neighbour."""


def carry(page: Page, *places: tuple[float, float]) -> None:
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


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


def open_drawing() -> list[str]:
    return ["+-+-+-+", "|S    |", "+ +-+-+", "|    E|", "+-+-+-+"]


def test_a_wall_is_drawn_with_the_button_down_and_is_one_step(opened: Opened) -> None:
    page = opened()
    carry(page, at(page, 1, 1, down=0.97), at(page, 1, 2, down=0.97), at(page, 1, 3, down=0.97))
    assert drawing(page)[2] == "+-+-+-+"
    assert page.locator("#answer-islands").text_content() == "(2, 1) (2, 2) (2, 3)"
    assert page.locator("#answer-way").text_content() == "none"
    page.get_by_role("button", name="Undo").click()
    assert drawing(page) == open_drawing()
    assert page.get_by_role("button", name="Undo").is_disabled()


def test_a_finger_taps_walls_and_drags_marks(opened: Opened) -> None:
    page = opened(has_touch=True, viewport={"width": 390, "height": 800})
    page.touchscreen.tap(*at(page, 1, 2, down=0.97))
    assert drawing(page)[2] == "+ + +-+"
    page.touchscreen.tap(*at(page, 2, 2))
    page.get_by_role("button", name="Exit here").click()
    assert drawing(page)[3] == "|  E  |"


def test_all_of_it_is_done_by_keyboard(opened: Opened) -> None:
    page = opened()
    cell(page, 1, 1).focus()
    for key in ("ArrowRight", "Shift+ArrowDown", "ArrowDown", "e", "ArrowUp", "s", "End", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    assert drawing(page) == ["+-+-+-+", "|  S| |", "+ + +-+", "|  E  |", "+-+-+-+"]
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused) == "(1, 3), walls north, east, south, west"
    page.keyboard.press("Home")
    assert page.evaluate(focused) == "(1, 1), walls north, west"
    for key in ("ArrowRight", "ArrowDown", "e"):
        page.keyboard.press(key)
    assert page.locator("#told").text_content() == "No exit"
    assert "E" not in "".join(drawing(page))
    page.keyboard.press("s")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("e")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    assert drawing(page)[1::2] == ["|   | |", "|  S  |"]
    page.keyboard.press("Control+y")
    assert drawing(page)[1::2] == ["|  E| |", "|  S  |"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("e")
    assert page.locator("#told").text_content() == "The entry stands there: move it first"


def test_what_has_the_focus_is_seen(opened: Opened) -> None:
    page = opened()
    page.locator("#all-walls").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.cell") == "0"
    assert cell(page, 1, 1).locator(".ring").is_visible()
    assert page.locator(".ring:visible").count() == 1
    page.keyboard.press("Tab")
    assert page.locator(".ring:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_another_size_keeps_what_fits(opened: Opened) -> None:
    page = opened()
    cell(page, 2, 3).focus()
    page.get_by_label("Rows").fill("3")
    page.get_by_label("Rows").press("Enter")
    assert drawing(page) == [*open_drawing(), "| | | |", "+-+-+-+"]
    page.get_by_label("Columns").fill("2")
    page.get_by_label("Columns").press("Enter")
    assert drawing(page) == ["+-+-+", "|S  |", "+ +-+", "|  E|", "+-+-+", "| | |", "+-+-+"]
    assert page.get_by_role("gridcell").count() == 6
    page.get_by_label("Rows").fill("1")
    page.get_by_label("Rows").press("Enter")
    page.get_by_label("Columns").fill("1")
    page.get_by_label("Columns").press("Enter")
    assert drawing(page) == ["+-+", "|S|", "+-+"]
    for _ in range(4):
        page.get_by_role("button", name="Undo").click()
    assert drawing(page) == open_drawing()
    assert page.get_by_role("gridcell").count() == 6


def test_beyond_the_largest_size_it_is_told_what_fits(opened: Opened) -> None:
    page = opened()
    fits = "at most 100 of each fit on this page"
    page.get_by_label("Columns").fill("250")
    page.get_by_label("Columns").press("Enter")
    assert page.locator("#told").text_content() == f"Not 2 rows and 250 columns: {fits}"
    assert drawing(page) == open_drawing()
    page.get_by_text("The drawing as text").click()
    page.locator("#drawing").fill(Factory().fully_connected(Dimension(101, 3)).to_text())
    page.locator("#drawing").blur()
    assert page.locator("#told").text_content() == f"Not 101 rows and 3 columns: {fits}"
    assert page.get_by_role("gridcell").count() == 6


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


def test_orders_are_shown_in_the_maze(opened: Opened) -> None:
    page = opened()
    page.get_by_label("Order of DFS").check()
    numbers = "all => all.map(text => text.textContent)"
    assert page.locator(".cell text").evaluate_all(numbers) == ["1", "2", "3", "4", "5", "6"]
    assert cell(page, 2, 1).get_attribute("aria-label") == "(2, 1), walls south, west, visit 4"
    page.get_by_label("Shortest way").check()
    assert page.locator(".cell text").evaluate_all(numbers) == [""] * 6
    assert page.locator("path.way").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_axe_finds_nothing(opened: Opened, scheme: str, width: int) -> None:
    page = opened(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")
    page.mouse.click(*at(page, 1, 2, down=0.97))
    page.get_by_label("Order of BFS").check()
    cell(page, 2, 2).focus()
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
