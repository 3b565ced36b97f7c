"""The site that ``make docs`` builds: every page, nothing from elsewhere, and a search that finds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_every_page_of_the_repository_is_on_the_site(site: Path) -> None:
    expected = {re.sub(r"README\.md$", "index.md", name(page)) for page in PAGES} - NO_PAGES
    assert {page for page in expected if not (site / page).with_suffix(".html").is_file()} == set()


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    fetched = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"?(?:https?:)?//[^>]*>")
    found = {page.name: fetched.findall(page.read_text(encoding="utf-8")) for page in site.rglob("*.html")}
    assert {name: tags for name, tags in found.items() if tags} == {}
