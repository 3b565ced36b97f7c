"""Open the editor in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from grader.editor.server import open_maze, render

START = """# drawn by hand
name: One dead end # as in the lab
catches: a solver that stops
visibility: hidden
maze: |
  +-+-+-+
  |S    |
  + +-+-+
  |    E|
  +-+-+-+
"""
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
