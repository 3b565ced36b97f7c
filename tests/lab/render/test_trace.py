"""The page of a trace in a browser: maze, queue and line move together, forward and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from lab import Maze
from lab.render.trace import to_page
from tests.firefox import Firefox, Keys

MAZE = Maze.from_text("+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+")
SOURCE = "first\nsecond </script><img src=x onerror=\"document.title = 'owned'\">\nthird\n"
RECORDING: dict[str, Any] = {
    "first": 0,
    "total": 4,
    "lines": [["solvers/bfs.py", 1], ["solvers/bfs.py", 2], ["solvers/search.py", 3]],
    "steps": [0, 1, 2, 1],
    "visits": [[1, 0], [3, 1]],
    "pending": {
        "name": "queue",
        "kind": "queue",
        "changes": [[0, 0, 0, [0]], [1, 0, 1, []], [2, 0, 0, [1, 2]], [3, 0, 1, []]],
        "until": None,
    },
    "parents": [[0, 0, 0], [2, 1, 0], [2, 2, 0]],
    "calls": [],
    "values": {
        "since": 0,
        "calls": [[0, 1], [2, 2], [3, 1]],
        "held": {"1": {"far.off": [[0, 1]], "cell": [[1, 0], [3, 1]]}, "2": {"move": [[2, 2]]}},
        "texts": ["(1, 1)", "<b>", "north"],
    },
    "ending": {"kind": "returned", "text": "BFS returned a way of 2 moves.", "way": [0, 2, 3]},
}
CALLS = {
    **RECORDING,
    "first": 7,
    "total": 11,
    "pending": {**RECORDING["pending"], "kind": "stack", "until": 3},
    "calls": [[0, "solve", []], [1, "explore", [0]], [3]],
    "values": {**RECORDING["values"], "since": 3},
    "ending": {"kind": "crashed", "text": "BFS raised KeyError: 3", "trace": "Traceback"},
}
SEEN = """[
    [...document.querySelectorAll('[data-cell]')].map(cell => cell.getAttribute('class')),
    [...document.querySelectorAll('#pending li')].map(item => item.innerText),
    document.querySelector('.code .at > span').innerText,
    document.querySelector('#file').innerText,
]"""
"""The kinds of the cells, what waits, the line that is marked, and its file."""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def written(recording: dict[str, Any], folder: Path, *, step: int = 0, source: str = SOURCE) -> Path:
    """Write the page of the recording."""
    sources = {"solvers/bfs.py": f"{source}\n2\n", "solvers/search.py": SOURCE}
    text = to_page("BFS on <a maze>", MAZE, recording, sources, step=step)
    (folder / "trace.html").write_text(text, encoding="utf-8")
    return folder / "trace.html"


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Any]:
    contexts = []

    def open_(recording: dict[str, Any], *, step: int = 0, source: str = SOURCE, **options: Any) -> Page:
        path = written(recording, tmp_path, step=step, source=source)
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        trouble: list[str] = []
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(path.as_uri())
        assert trouble == []
        return page

    yield open_
    for context in contexts:
        context.close()


def seen(page: Page) -> object:
    return page.evaluate(SEEN)


STATES = [
    [["p", "", "", ""], ["(1, 1)"], "1", "solvers/bfs.py"],
    [["v now", "", "", ""], ["empty"], "2", "solvers/bfs.py"],
    [["v now", "p", "p", ""], ["(1, 2)", "(2, 1)"], "3", "solvers/search.py"],
    [["v", "v now", "p", ""], ["(2, 1)"], "2", "solvers/bfs.py"],
    [["v", "v now", "p", ""], ["(2, 1)"], "2", "solvers/bfs.py"],
]


def test_all_move_together_forward_and_back_by_keyboard(opened: Any) -> None:
    page = opened(RECORDING)
    for state in STATES[1:]:
        page.keyboard.press("ArrowRight")
        assert seen(page) == state
    assert page.locator(".now-at").inner_text() == (
        "The end, after 4 lines: solvers/bfs.py, line 2\nVisits (1, 2)"
    )
    assert page.locator("#way").is_visible()
    for state in STATES[-2::-1]:
        page.keyboard.press("ArrowLeft")
        assert seen(page) == state
    assert not page.locator("#way").is_visible()
    page.keyboard.press("End")
    assert seen(page) == STATES[4]
    page.keyboard.press("Shift+ArrowLeft")
    assert seen(page) == STATES[3]
    page.keyboard.press("Shift+ArrowLeft")
    assert seen(page) == STATES[1]
    page.keyboard.press("Home")
    assert seen(page) == STATES[0]
    page.keyboard.press("Shift+ArrowRight")
    assert seen(page) == STATES[1]


def test_the_values_before_each_line_stand_beside_it_and_what_changed_is_marked(opened: Any) -> None:
    page = opened(RECORDING)
    told = page.locator("#values li")
    shown = [told.all_inner_texts()]
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        shown.append(told.all_inner_texts())
    assert shown == [
        ["far.off = <b>"],
        ["cell = (1, 1) new", "far.off = <b>"],
        ["move = north"],
        ["cell = <b>", "far.off = <b>"],
        ["cell = <b>", "far.off = <b>"],
    ]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert told.all_inner_texts() == ["move = north"]


def test_what_a_call_changed_is_marked_where_it_was_made(opened: Any) -> None:
    values = {**RECORDING["values"], "calls": [[0, 1]], "held": {"1": {"cell": [[0, 0], [2, 2]]}}}
    page = opened({**RECORDING, "values": values})
    page.locator("#player input").fill("2")
    assert page.locator("#values .new").all_inner_texts() == ["cell = north was (1, 1)"]


def test_it_opens_at_a_step_and_a_link_leads_to_another(opened: Any, tmp_path: Path) -> None:
    page = opened(RECORDING, step=3)
    assert seen(page) == STATES[2]
    page.goto(f"{page.url}#step-2")
    assert seen(page) == STATES[1]
    page.reload()
    assert seen(page) == STATES[1]
    page.goto((tmp_path / "trace.html").as_uri() + "#step-900")
    assert seen(page) == STATES[4]


def test_a_long_line_scrolls_and_keeps_its_indentation(opened: Any) -> None:
    page = opened(
        RECORDING, source="        " + "deep and long " * 40, viewport={"width": 390, "height": 800}
    )
    line = page.locator(".code li code").first
    assert line.inner_text().startswith("        deep")
    assert line.evaluate("node => node.getClientRects().length") == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_arrows_lead_to_the_parents(opened: Any) -> None:
    page = opened(RECORDING)
    assert page.locator("#arrows").get_attribute("d") == ""
    page.locator("#player input").fill("2")
    assert page.locator("#arrows").get_attribute("d").count("M") == 4


def test_it_plays_only_when_asked_at_the_speed_and_by_the_steps_that_are_chosen(opened: Any) -> None:
    page = opened(RECORDING)
    page.clock.install(time=0)
    page.clock.pause_at(3600)
    page.clock.run_for(5000)
    assert seen(page) == STATES[0]
    page.locator("#speed").select_option("1")
    play = page.locator("#player .play")
    play.click()
    assert play.inner_text() == "Pause"
    page.clock.run_for(2500)
    assert seen(page) == STATES[2]
    play.click()
    page.clock.run_for(5000)
    assert seen(page) == STATES[2]
    page.locator("#unit").select_option("visit")
    page.locator("#player .back").click()
    assert seen(page) == STATES[1]
    page.locator("h1").click()
    page.keyboard.press("Space")
    page.clock.run_for(10_000)
    assert seen(page) == STATES[4]
    assert play.inner_text() == "Play"
    page.keyboard.press("Space")
    assert seen(page) == STATES[0]


def test_a_crash_opens_at_its_line_with_the_calls(opened: Any) -> None:
    page = opened(CALLS)
    assert page.locator(".code .failed > span").inner_text() == "2"
    assert page.locator("#pending li").all_inner_texts() == ["too many to show"]
    assert page.locator("#calls li").all_inner_texts() == ["solve()"]
    assert "The last 4 of 11 lines" in page.locator("header").inner_text()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#calls li").all_inner_texts() == ["explore((1, 1))", "solve()"]
    assert page.locator("#values li").all_inner_texts() == ["not kept: too much ran after this line"]
    assert page.locator("#pending li").all_inner_texts() == ["(2, 1)", "(1, 2)"]


def test_a_long_queue_shows_both_ends(opened: Any) -> None:
    long = {**RECORDING["pending"], "changes": [[0, 0, 0, [0, 1, 2, 3] * 10]]}
    page = opened({**RECORDING, "pending": long})
    texts = page.locator("#pending li").all_inner_texts()
    assert len(texts) == 25
    assert texts[17:20] == ["(1, 2)", "16 more", "(2, 1)"]
    assert page.locator("#pending-count").inner_text() == "40 cells"


def test_what_the_code_says_is_shown_and_never_run(opened: Any) -> None:
    page = opened(RECORDING)
    assert page.title() == "BFS on <a maze>"
    assert "</script><img src=x" in page.locator(".code").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("recording", [RECORDING, CALLS])
def test_axe_finds_nothing(opened: Any, recording: dict[str, Any], scheme: str) -> None:
    page = opened(recording, color_scheme=scheme)
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": TAGS}})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_sticks_out_on_a_phone(opened: Any, width: int) -> None:
    page = opened(CALLS, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_moves_by_itself_where_motion_is_not_wanted(opened: Any) -> None:
    page = opened(RECORDING, reduced_motion="reduce")
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    assert page.locator("#player .play").inner_text() == "Play"


def test_all_move_together_in_firefox_as_well(firefox: Firefox, tmp_path: Path) -> None:
    firefox.open(written(RECORDING, tmp_path).as_uri())
    assert firefox.evaluate(SEEN) == STATES[0]
    for key, state in [
        *((Keys.ARROW_RIGHT, state) for state in STATES[1:]),
        *((Keys.ARROW_LEFT, state) for state in STATES[-2::-1]),
        (Keys.END, STATES[4]),
        (Keys.HOME, STATES[0]),
    ]:
        firefox.press(key)
        assert firefox.evaluate(SEEN) == state
    assert firefox.trouble() == []


@pytest.mark.parametrize("recording", [RECORDING, CALLS])
def test_axe_finds_nothing_in_firefox_on_a_phone(
    firefox: Firefox, recording: dict[str, Any], tmp_path: Path
) -> None:
    firefox.open_narrow(written(recording, tmp_path), width=390)
    assert firefox.evaluate("innerWidth") == 390
    assert firefox.evaluate("document.documentElement.scrollWidth") <= 390
    found = firefox.axe(runOnly={"type": "tag", "values": TAGS})
    assert found.violations_count == 0, found.generate_report()
