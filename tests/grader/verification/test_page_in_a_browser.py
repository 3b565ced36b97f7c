"""The page of a verification in a real browser: read by all, on a phone, in the dark, and worked."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from grader.verification.findings import Caught, Claimed, Findings, render_findings


def caught(count: int, alone: int) -> Caught:
    names = tuple(f"wrong--{number}" for number in range(count))
    return Caught(names, names[:alone])


FOUND = Findings(
    right=120,
    wrong=282,
    by_exercise={"dfs": (78, 79), "bfs": (66, 66), "search": (0, 0)},
    checks={"dfs.visit-order": caught(12, 4), "dfs.unchanged": caught(3, 0), "bfs.cycles": caught(20, 1)},
    mazes={"A <b>comb</b>": caught(97, 0), "A spiral": caught(61, 1)},
    claims=[Claimed("A spiral", "bfs.opposite-moves", 1, 1), Claimed("A spiral", "dfs.west-first", 0, 4)],
    caught={"dfs": ["wrong--dfs-ignores-walls"], "bfs": ["wrong--bfs-is-a-dfs"], "search": []},
    missed=["wrong--dfs-west-first-search lost nothing in dfs"],
    punished=["right--two lost bfs.shortest on A spiral: it went wrong"],
    margin="right--one took 0.5 of 5 s in dfs, a room: 10%",
)


@pytest.mark.parametrize(("width", "scheme"), [(1200, "dark"), (390, "light")])
def test_the_page_is_read_by_all_and_fits_a_phone(
    browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    file = tmp_path / "found.html"
    file.write_text(render_findings(FOUND, "Mazes as graphs"), encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    tab = context.new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(file.as_uri())
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(tab, options={"runOnly": {"type": "tag", "values": tags}})
    assert found.violations_count == 0, found.generate_report()
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert asked == [file.as_uri()]
    assert tab.locator("h1").inner_text() == "The tests are not sound"
    assert tab.get_by_role("rowheader", name="A <b>comb</b>").count() == 1
    tab.get_by_role("button", name="Alone").first.click()
    first = tab.locator("table.sortable").first.locator("tbody tr").first
    assert first.inner_text().split() == ["dfs.unchanged", "3", "0", "nothing", "of", "its", "own"]
