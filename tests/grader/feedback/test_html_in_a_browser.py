"""The page in a real browser: what it shows, what it refuses to run, and how it is worked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page

from grader.feedback import render_html
from lab import EAST, Dimension, Factory
from lab.render import board
from lab.render.page import page_style

DATA = Path(__file__).parent / "data"
NAMES = ("right", "wrong", "crashed", "timed-out", "hostile")
COMPARED = "#dfs-4 .check-body > .compare"
SCRIPT = "#search-2 .check-body > .holds-script"
"""The comparison of a check, and not the example of its hint."""
LOOKED = "#bfs-4 .beside"
"""The comparison of a check with the student's own source."""
OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true })"


def sample(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return results


class Watched:
    """A page, and everything that went wrong on it or left it."""

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


@pytest.mark.parametrize("name", NAMES)
def test_the_page_loads_nothing_and_complains_of_nothing(opened: Any, name: str) -> None:
    watched = opened(name)
    watched.page.evaluate(OPEN_ALL)
    watched.page.wait_for_timeout(50)
    assert watched.trouble == []
    assert watched.page.evaluate("document.scripts.length") == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Any, name: str, scheme: str) -> None:
    watched = opened(name, language="nb" if scheme == "dark" else "en", color_scheme=scheme)
    watched.page.evaluate(OPEN_ALL)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(watched.page, options={"runOnly": {"type": "tag", "values": tags}})
    assert found.violations_count == 0, found.generate_report()


def test_a_script_that_got_through_would_not_run(browser: Browser, tmp_path: Path) -> None:
    page = render_html(sample("right"))
    evil = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">"
    path = tmp_path / "feedback.html"
    path.write_text(page.replace("<main", evil + "<style>main{display:none}</style><main"), encoding="utf-8")
    watched = Watched(browser, path)
    watched.page.wait_for_timeout(50)
    assert watched.page.title() == "Feedback for ada"
    assert watched.page.locator("main").is_visible()
    assert any("Content Security Policy" in trouble for trouble in watched.trouble)
    watched.context.close()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_sticks_out_on_a_phone(opened: Any, name: str) -> None:
    page = opened(name, viewport={"width": 320, "height": 640}).page
    page.evaluate(OPEN_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def _steps(page: Page) -> list[list[str]]:
    """The numbers that are seen on each side of the first comparison."""
    script = """svg => [...svg.querySelectorAll('.numbers text:not(.off)')]
        .map(text => text.textContent).sort((a, b) => a - b)"""
    pictures = page.locator(COMPARED + " svg[data-steps]")
    return [pictures.nth(side).evaluate(script) for side in (0, 1)]


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def test_the_step_through_is_worked_by_keyboard(opened: Any) -> None:
    page = opened("wrong").page
    assert _steps(page) == [_numbers(9), _numbers(4)]
    page.locator(COMPARED + " .player input").focus()
    page.keyboard.press("Home")
    assert _steps(page) == [[], []]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert _steps(page) == [_numbers(2), _numbers(2)]
    told = page.locator(COMPARED + " .now-at").inner_text().splitlines()
    assert told == [
        "Step 2 of 9",
        "Expected: visits (1, 2); pending: (1, 1) (2, 1) (2, 3)",
        "Yours: visits (2, 1); pending: (1, 2) (2, 3) (3, 1)",
    ]
    page.keyboard.press("ArrowLeft")
    assert _steps(page) == [_numbers(1), _numbers(1)]
    page.keyboard.press("End")
    assert _steps(page) == [_numbers(9), _numbers(4)]
    assert "Yours: has ended" in page.locator(COMPARED + " .now-at").inner_text()


def test_the_step_through_plays_pauses_and_steps(opened: Any) -> None:
    page = opened("wrong").page
    page.clock.install(time=0)
    page.clock.pause_at(3600)
    play = page.locator(COMPARED + " .play")
    play.focus()
    page.keyboard.press("Enter")
    assert play.inner_text().strip() == "Pause"
    page.clock.run_for(1500)
    assert _steps(page) == [_numbers(2), _numbers(2)]
    page.keyboard.press("Enter")
    assert play.inner_text().strip() == "Play"
    page.clock.run_for(5000)
    assert _steps(page) == [_numbers(2), _numbers(2)]
    page.locator(COMPARED + " .forward").click()
    assert _steps(page) == [_numbers(3), _numbers(3)]
    page.locator(COMPARED + " .back").click()
    assert _steps(page) == [_numbers(2), _numbers(2)]
    play.click()
    page.clock.run_for(60_000)
    assert _steps(page) == [_numbers(9), _numbers(4)]
    assert play.inner_text().strip() == "Play"


def _script(page: Page) -> tuple[str, list[str], list[str]]:
    """Of a script of calls the one that is marked, the distances that are seen, and what is pending."""
    check = page.locator(SCRIPT)
    marked = check.locator(".calls .now > div > code")
    return (
        marked.inner_text() if marked.count() else "",
        check.locator(".frame:not([hidden]) .distance").all_text_contents(),
        check.locator(".holder li").all_inner_texts(),
    )


def test_a_script_of_calls_is_stepped_through_with_its_picture(opened: Any) -> None:
    page = opened("wrong").page
    assert _script(page) == ("", ["0", "1", "1"], ["(1, 1)", "(1, 2)", "(2, 2)"])
    page.locator(SCRIPT + " .player input").focus()
    page.keyboard.press("Home")
    assert _script(page) == ("", [], ["nothing"])
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    call = "search.record((1, 2), SOUTH, (2, 2))"
    assert _script(page) == (call, ["0", "1", "2"], ["(1, 1)", "(1, 2)", "(2, 2)"])
    assert page.locator(SCRIPT + " .now-at").inner_text() == f"Step 3 of 5\n{call}"
    page.keyboard.press("ArrowRight")
    assert _script(page)[1] == ["0", "1", "1"]


def test_a_script_of_calls_is_whole_without_the_script_of_the_page(opened: Any) -> None:
    page = opened("wrong", java_script_enabled=False, viewport={"width": 390, "height": 800}).page
    assert _script(page) == ("", ["0", "1", "1"], ["(1, 1)", "(1, 2)", "(2, 2)"])
    assert page.locator(SCRIPT + " .calls li").count() == 6
    assert page.locator("#search-2 .differs dd").all_inner_texts() == ["1", "2"]


OVERLAP = """svg => {
    const boxes = [...svg.querySelectorAll('.numbers text, .mark')].map(node => node.getBBox());
    return boxes.some((one, place) => boxes.slice(place + 1).some(other =>
        one.x + 1 < other.x + other.width && other.x + 1 < one.x + one.width
        && one.y + 3 < other.y + other.height && other.y + 3 < one.y + one.height));
}"""


@pytest.mark.parametrize("columns", [3, 9, 14])
def test_numbers_do_not_touch_the_letters_of_entry_and_exit(
    browser: Browser, tmp_path: Path, columns: int
) -> None:
    maze = Factory().fully_connected(Dimension(3, columns))
    drawing = board.draw(maze, visits=maze.dimension.all_positions(), actual=[EAST])
    style = f"<style>{page_style()}</style>"
    picture = board.to_svg(drawing, kind="actual", label="a room")
    path = tmp_path / "board.html"
    path.write_text(f'{style}<figure class="picture actual">{picture}</figure>', encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.locator("svg").evaluate(OVERLAP) is False
    page.close()


def _source(page: Page) -> tuple[list[str], str]:
    """The numbers of the student's lines that are shown to run, and the one of the visit."""
    source = page.locator(LOOKED + " .source")
    at = "".join(source.locator(".at .number").all_inner_texts())
    return source.locator(".ran .number").all_inner_texts(), at


def test_the_students_own_source_steps_along_with_the_maze(opened: Any) -> None:
    page = opened("wrong").page
    page.evaluate(OPEN_ALL)
    assert page.locator(LOOKED + " mark .number").all_inner_texts() == ["14"]
    assert _source(page) == ([], "")
    assert page.locator(LOOKED + " .follows").is_visible()
    told = page.locator(LOOKED + " .now-at")
    page.locator(LOOKED + " .player input").focus()
    page.keyboard.press("Home")
    assert _source(page) == ([], "")
    page.keyboard.press("ArrowRight")
    assert _source(page) == (["10", "11", "12", "14", "15"], "11")
    assert told.inner_text().splitlines()[-2:] == [
        "Lines that run: 11, 12, 14, 15, 10",
        "11: cell = search.first_pending()",
    ]
    page.keyboard.press("End")
    assert _source(page) == (["11", "12", "13"], "11")
    page.keyboard.press("ArrowLeft")
    assert _source(page) == ([], "")
    assert told.inner_text().splitlines()[-1].startswith("Yours: visits (1, 1)")
    page.keyboard.press("ArrowLeft")
    assert _source(page)[1] == "11"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert _source(page) == ([], "")


def test_the_source_is_whole_without_the_script_of_the_page(opened: Any) -> None:
    page = opened("wrong", java_script_enabled=False, viewport={"width": 390, "height": 800}).page
    numbers = page.locator(LOOKED + " .source .number").all_text_contents()
    assert numbers == [str(number) for number in range(8, 17)]
    assert "for move in reversed(" in "".join(page.locator(LOOKED + " mark").all_text_contents())
    assert page.locator(LOOKED + " .follows").get_attribute("hidden") is not None


def test_forged_lines_of_a_walk_mark_nothing_else(opened: Any) -> None:
    watched = opened("hostile")
    page = watched.page
    page.evaluate(OPEN_ALL)
    source = page.locator("#search .source")
    assert source.get_attribute("data-ran") == "3||1000000000 2"
    slider = page.locator("#search .beside .player input")
    slider.focus()
    page.keyboard.press("Home")
    marked = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        marked.append((source.locator(".ran").count(), source.locator(".at").count()))
    assert marked == [(1, 1), (0, 0), (1, 0)]
    assert watched.trouble == []


def test_a_board_shows_no_way_but_its_own(opened: Any) -> None:
    page = opened("wrong").page
    boards = page.locator(COMPARED + " svg[data-steps]")
    ways = [
        boards.nth(side).locator(".way").evaluate_all("all => all.map(way => way.classList[1])")
        for side in (0, 1)
    ]
    assert ways == [["expected-way"], ["actual-way"]]
    labels = [boards.nth(side).get_attribute("aria-label") or "" for side in (0, 1)]
    assert ["Your way" in label for label in labels] == [False, True]
    assert ["The expected way" in label for label in labels] == [True, False]


def test_hints_open_one_after_the_other_and_lead_into_the_handout(opened: Any) -> None:
    page = opened("wrong").page
    idea, example = (page.locator("#dfs-4 .tier").nth(place) for place in (0, 1))
    assert (idea.is_visible(), example.is_visible()) == (True, False)
    idea.locator("summary").click()
    assert example.is_visible()
    example.locator("> summary").click()
    assert example.locator("svg[role=img]").is_visible()
    idea.get_by_role("link").click()
    passage = page.locator("#handout-order")
    passage.locator("pre").first.wait_for(state="visible")
    assert page.evaluate("document.activeElement.closest('details').id") == "handout-order"


def test_a_link_to_an_example_opens_the_hint_before_it(opened: Any) -> None:
    page = opened("wrong").page
    page.evaluate("location.hash = 'worked-maze-perfect'")
    example = page.locator("#worked-maze-perfect")
    example.locator("svg[role=img]").first.wait_for(state="visible")
    assert page.locator("#perfection-2 .tier").first.evaluate("details => details.open")


def test_a_link_to_a_check_opens_it(opened: Any) -> None:
    page = opened("wrong").page
    check = page.locator("#search-2")
    check.evaluate("details => { details.open = false }")
    page.get_by_role("link", name="Go to this check").click()
    assert check.evaluate("details => details.open")
    assert page.evaluate("document.activeElement.closest('details').id") == "search-2"


def test_the_maze_can_be_copied(opened: Any) -> None:
    page = opened("wrong", permissions=["clipboard-read", "clipboard-write"]).page
    page.locator("#dfs-4 .again > summary").click()
    page.locator("#dfs-4").get_by_role("button", name="Copy the maze").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("+-+-+-+\n|   | |\n")


def test_every_picture_has_a_text_that_says_the_same(opened: Any) -> None:
    page = opened("wrong").page
    labels = page.locator(COMPARED + " svg[role=img]").evaluate_all("all => all.map(svg => svg.ariaLabel)")
    assert len(labels) == 2
    assert "Visited in this order: (2, 2), (1, 2), (1, 1), (2, 3)" in labels[0]
    assert "Visited in this order: (2, 2), (2, 1), (3, 1), (3, 2)." in labels[1]
    assert all("The entry is (2, 2). The exit is (3, 2)." in label for label in labels)
    cycle = page.locator("#perfection-2 .check-body > .compare svg[role=img]").first.get_attribute(
        "aria-label"
    )
    assert cycle is not None
    assert "A cycle runs through (1, 1), (1, 2), (1, 3)" in cycle


def test_on_paper_everything_is_open(opened: Any, tmp_path: Path) -> None:
    page = opened("wrong").page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert not page.locator(".player").first.is_visible()
    assert _steps(page) == [_numbers(9), _numbers(4)]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 0
    assert page.pdf(path=str(tmp_path / "page.pdf"), format="A4").startswith(b"%PDF")


def test_the_page_says_everything_without_its_script(opened: Any) -> None:
    page = opened("wrong", java_script_enabled=False).page
    assert page.locator(COMPARED + " svg[role=img]").count() == 2
    assert page.locator(".player:visible, [data-copy]:visible").count() == 0


def test_a_page_with_everything_wrong_stays_below_a_megabyte() -> None:
    results = sample("wrong")
    failed = [c for e in results["exercises"] for c in e["checks"] if c["counterexample"]]
    large = next(c for e in sample("timed-out")["exercises"] for c in e["checks"] if c["id"] == "bfs.large")
    for exercise in results["exercises"]:
        exercise["checks"] = [*failed, large, large] * 2
        exercise["output"] = "printed\n" * 10_000
    page = render_html(results)
    assert page.count('class="check ') > 100
    assert len(page.encode()) < 1_000_000
