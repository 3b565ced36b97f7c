"""Browsers of people who visit a site that the server serves which serves students."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from grader.serve.web.app import create_app
from grader.serve.web.visits import Site
from tests.grader.serve.running import running
from tests.grader.serve.web.made import FILES

PATIENCE = 60_000
UPLOAD = [{"name": name, "mimeType": "text/x-python", "buffer": content} for name, content in FILES]


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Where the site is served, by the server that serves it for students."""
    with running() as (url, serve):
        serve(create_app(site))
        yield url


@pytest.fixture
def open_(browser: Browser, address: str) -> Iterator[Any]:
    """Opens a browser of somebody's own; whatever a page complains of fails the test."""
    contexts, trouble = [], []

    def opened(name: str = "", role: str = "student", **options: Any) -> Page:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(address)
        if name:
            page.get_by_label("Your name").fill(name)
            page.get_by_label("Student" if role == "student" else "Staff").check()
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url(f"{address}/staff/" if role == "staff" else f"{address}/")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert trouble == []
