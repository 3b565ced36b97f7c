"""``maze check --html``: the page of the public tests, as students' browsers show it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from lab.exercises import EXERCISES
from tests.lab.running import ROOT, maze_apart

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true })"
WIDTH = 390
SECOND_STEP = """\
Step 2 of 8
Expected: (1, 2); pending: (1, 1) (1, 3) (2, 1) (2, 3) (3, 2)
Yours: (2, 1); pending: (1, 1) (1, 2) (2, 3) (3, 1) (3, 2)
Lines that run: 24, 25, 27, 28, 23
24: position = search.last_pending()"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a submission with mistakes of several kinds, made once."""
    folder = tmp_path_factory.mktemp("check") / "ada <b>"
    for exercise in EXERCISES:
        (folder / exercise.file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "reference" / exercise.file, folder / exercise.file)
    dfs, dijkstra = folder / "solvers/dfs.py", folder / "solvers/dijkstra.py"
    dfs.write_text(
        dfs.read_text().replace("reversed(maze.valid_moves_at(position))", "maze.valid_moves_at(position)")
    )
    dijkstra.write_text(dijkstra.read_text().replace("return search", "return 1 / 0, search"))
    checker = "class PerfectionChecker:\n    def is_perfect(self, maze):\n        return True\n"
    (folder / "perfection_checker.py").write_text(checker)
    shutil.copy(ROOT / "student_template/generators/my_generator.py", folder / "generators/my_generator.py")
    done = maze_apart(folder, "check", "--html", "page.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("The same with pictures: page.html\n")
    return folder / "page.html"


@pytest.fixture
def page(browser: Browser, written: Path) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": WIDTH, "height": 800})
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(written.as_uri())
    yield page
    assert trouble == []
    context.close()


def test_a_visit_order_is_stepped_through_beside_the_expected_one(page: Page) -> None:
    first = page.locator("#dfs .check").first
    assert first.locator("svg[data-steps]").count() == 2
    first.locator(".player input").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert first.locator(".now-at").inner_text() == SECOND_STEP


def test_axe_finds_nothing_and_nothing_sticks_out(page: Page) -> None:
    page.evaluate(OPEN_ALL)
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": TAGS}})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
