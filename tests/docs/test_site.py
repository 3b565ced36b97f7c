"""The site that ``make docs`` builds: every page, nothing from elsewhere, and a search that finds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.pages import PAGES, ROOT, name

pytestmark = pytest.mark.processes

NO_PAGES = set(map(name, ROOT.glob("grader/exercises/*/handout/*.md")))
"""Parts of other pages."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def front_page(site: Path, browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    page, trouble = browser.new_page(), []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda message: trouble.append(message.text))
    page.on("request", lambda asked: trouble.append(asked.url) if "file://" not in asked.url else None)
    page.goto((site / "index.html").as_uri())
    yield page, trouble
    page.close()


def test_every_page_of_the_repository_is_on_the_site(site: Path) -> None:
    expected = {re.sub(r"README\.md$", "index.md", name(page)) for page in PAGES} - NO_PAGES
    assert {page for page in expected if not (site / page).with_suffix(".html").is_file()} == set()


def test_the_page_that_is_shown_first_says_what_this_is(front_page: tuple[Page, list[str]]) -> None:
    page, trouble = front_page
    assert page.locator("h1").text_content() == "An autograder for one lab: mazes as graphs\N{PILCROW SIGN}"
    page.get_by_role("link", name="Teaching assistants").first.click()
    assert page.url.endswith("/docs/teaching-assistants.html")
    assert trouble == []


def test_the_search_works_from_the_folder_alone(front_page: tuple[Page, list[str]]) -> None:
    page, trouble = front_page
    page.set_default_timeout(120_000)  # the index is read first, which a busy machine takes its time for
    page.get_by_placeholder("Search").press_sequentially("histogram")
    page.locator(".md-search-result__link").first.click()
    page.wait_for_url("**/docs/teaching-assistants.html*")
    assert trouble == []


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    fetched = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"?(?:https?:)?//[^>]*>")
    found = {page.name: fetched.findall(page.read_text(encoding="utf-8")) for page in site.rglob("*.html")}
    assert {name: tags for name, tags in found.items() if tags} == {}
