"""Two submissions side by side, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from grader.batch.job import code_of
from grader.batch.report.similarity import Pair
from grader.batch.report.similarity_pages import side_by_side
from grader.model import Submission
from tests.submissions.loader import Case


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
