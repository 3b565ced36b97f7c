"""Open feedback pages of the samples in a browser that reports what they load and complain of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page

from grader.feedback import render_html

DATA = Path(__file__).parent / "data"
COMPARED = "#dfs-4 .shown > .compare"
SCRIPT = "#search-2 .shown > .holds-script"
"""The comparison of a check, not the example of its hint."""
LOOKED = "#bfs-4 .beside"
"""The comparison of a check with the student's own source."""
PARTING = 2
"""The step at which the visits of that comparison part."""
OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true })"


def sample(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return results


class Watched:
    """A page, and everything that failed on it or was requested by it."""

    def __init__(self, browser: Browser, path: Path, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.trouble: list[str] = []
        self.page.on("console", lambda message: self.trouble.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        self.page.on("dialog", self._asked)
        self.page.on("request", self._requested)
        self.page.goto(path.as_uri())

    def _asked(self, dialog: Dialog) -> None:
        self.trouble.append("dialog")
        dialog.dismiss()

    def _requested(self, request: Any) -> None:
        if not request.url.startswith("file:") or not request.is_navigation_request():
            self.trouble.append(f"request: {request.url}")


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Any]:
    contexts = []

    def open_(name: str, *, language: str | None = None, **options: Any) -> Watched:
        path = tmp_path / "feedback.html"
        path.write_text(render_html(sample(name), language=language), encoding="utf-8")
        watched = Watched(browser, path, **options)
        contexts.append(watched.context)
        return watched

    yield open_
    for context in contexts:
        context.close()


def seen_steps(page: Page) -> list[list[str]]:
    """Return the visible numbers on each side of the first comparison."""
    script = """svg => [...svg.querySelectorAll('.numbers text:not(.off)')]
        .map(text => text.textContent).sort((a, b) => a - b)"""
    pictures = page.locator(COMPARED + " svg[data-steps]")
    return [pictures.nth(side).evaluate(script) for side in (0, 1)]


def unfold(page: Page, exercise: str) -> None:
    """Open an exercise that is not the one to begin with."""
    page.locator(f"#{exercise} > summary").click()


def numbers_to(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]
