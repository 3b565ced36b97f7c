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
Expected: visits (1, 2); pending: (1, 1) (1, 3) (2, 1) (2, 3) (3, 2)
Yours: visits (2, 1); pending: (1, 1) (1, 2) (2, 3) (3, 1) (3, 2)
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


def test_the_page_says_what_passed_and_what_to_do_next(page: Page) -> None:
    assert page.title() == "ada <b>"
    assert (
        page.locator(".eyebrow").last.inner_text() == "Next: mend solvers/dfs.py, then run maze check again."
    )
    assert (
        page.locator(".passed.all > summary").inner_text().split("\n")[0]
        == "The search, Breadth-first search"
    )
    page.evaluate(OPEN_ALL)
    assert page.locator(".exercise h2").first.inner_text() == "Depth-first search"
    states = page.locator(".state").all_text_contents()
    assert states == ["5 failed", states[1], "19 failed", "Still to be written", "All passed", "All passed"]
    assert page.locator("#generator h3").inner_text() == "19 tests wait for it"
    assert (
        page.locator("#dijkstra .message").first.inner_text().startswith("Your code raised ZeroDivisionError")
    )
    assert "return 1 / 0, search" in page.locator("#dijkstra pre").first.inner_text()


def test_tests_that_fail_alike_are_one_row(page: Page) -> None:
    assert page.locator("#dfs .check").count() == 1
    assert page.locator("#dfs .points").all_inner_texts()[:2] == ["18 of 23 tests", "5 tests"]
    assert page.locator("#dfs .alike li").count() == 4
    assert page.locator("#dijkstra .check").count() == 1


def test_a_visit_order_is_stepped_through_beside_the_expected_one(page: Page) -> None:
    first = page.locator("#dfs .check").first
    assert first.locator("svg[data-steps]").count() == 2
    first.locator(".player input").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert first.locator(".now-at").inner_text() == SECOND_STEP


def test_what_is_not_about_an_order_shows_one_maze(page: Page) -> None:
    page.evaluate(OPEN_ALL)
    first = page.locator("#perfection .check").first
    assert first.locator("dd").all_inner_texts() == ["False", "True"]
    assert first.locator("figure.whole svg").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_sticks_out(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.evaluate(OPEN_ALL)
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": TAGS}})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH


def test_what_a_button_copies_is_a_command_and_no_english(page: Page) -> None:
    page.evaluate(OPEN_ALL)
    commands = [box.inner_text() for box in page.locator(".copy:has(button) pre").all()]
    assert any(command.startswith("maze perfect ") for command in commands)
    assert all(command.startswith("maze ") and " and " not in command for command in commands)
