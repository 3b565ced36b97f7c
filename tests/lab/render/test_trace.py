"""The page of a trace in a browser: maze, queue and line move together, forward and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from lab import Maze, Vector
from lab.render.trace import to_page
from lab.tracing.values import ValueHistory

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


def test_what_several_places_hold_is_drawn_once_with_an_arrow_from_each(opened: Any) -> None:
    values = ValueHistory()
    path = [Vector(0, 1)]
    values.running.extend([1] * 4)
    values.look(1, [("path", path), ("stack", [((1, 1), path)])], 0)
    values.look(1, [("path", path), ("stack", [])], 2)
    page = opened({**RECORDING, "values": values.told(0, 4)})
    once = page.locator("#values .one")
    assert once.locator("b").all_inner_texts() == ["path", "stack[0][1]"]
    assert once.locator(".object").inner_text() == "[east]"
    assert once.locator("path").get_attribute("d").count("L34 20") == 2
    assert page.locator("#values li").count() == 2
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert once.count() == 0
    assert page.locator("#values li").first.inner_text() == "path = [east]"


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
