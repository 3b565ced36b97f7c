"""Steps of the page in a browser: boards beside each other, scripts of calls, the student's own source."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.grader.feedback.opened_pages import (
    COMPARED,
    LOOKED,
    OPEN_ALL,
    PARTING,
    SCRIPT,
    numbers_to,
    opened,
    seen_steps,
    unfold,
)

__all__ = ["opened"]
"""Fixture of the neighbour."""


def test_the_step_through_is_worked_by_keyboard(opened: Any) -> None:
    page = opened("wrong").page
    assert seen_steps(page) == [numbers_to(PARTING), numbers_to(PARTING)]
    page.locator(COMPARED + " .player input").focus()
    page.keyboard.press("Home")
    assert seen_steps(page) == [[], []]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert seen_steps(page) == [numbers_to(2), numbers_to(2)]
    told = page.locator(COMPARED + " .now-at").inner_text().splitlines()
    assert told == [
        "Step 2 of 9",
        "Expected: (1, 2); pending: (1, 1) (2, 1) (2, 3)",
        "Yours: (2, 1); pending: (1, 2) (2, 3) (3, 1)",
    ]
    page.keyboard.press("ArrowLeft")
    assert seen_steps(page) == [numbers_to(1), numbers_to(1)]
    page.keyboard.press("End")
    assert seen_steps(page) == [numbers_to(9), numbers_to(4)]
    assert "Yours: no further cell" in page.locator(COMPARED + " .now-at").inner_text()


def test_the_step_through_plays_pauses_and_steps(opened: Any) -> None:
    page = opened("wrong").page
    page.clock.install(time=0)
    page.clock.pause_at(3600)
    play = page.locator(COMPARED + " .play")
    page.locator(COMPARED + " .player input").focus()
    page.keyboard.press("Home")
    play.focus()
    page.keyboard.press("Enter")
    assert play.inner_text().strip() == "Pause"
    page.clock.run_for(1500)
    assert seen_steps(page) == [numbers_to(2), numbers_to(2)]
    page.keyboard.press("Enter")
    assert play.inner_text().strip() == "Play"
    page.clock.run_for(5000)
    assert seen_steps(page) == [numbers_to(2), numbers_to(2)]
    page.locator(COMPARED + " .forward").click()
    assert seen_steps(page) == [numbers_to(3), numbers_to(3)]
    page.locator(COMPARED + " .back").click()
    assert seen_steps(page) == [numbers_to(2), numbers_to(2)]
    play.click()
    page.clock.run_for(60_000)
    assert seen_steps(page) == [numbers_to(9), numbers_to(4)]
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
    unfold(page, "search")
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
    unfold(page, "search")
    assert _script(page) == ("", ["0", "1", "1"], ["(1, 1)", "(1, 2)", "(2, 2)"])
    assert page.locator(SCRIPT + " .calls li").count() == 6
    assert page.locator("#search-2 .differs dd").all_inner_texts() == ["1", "2"]


def _source(page: Page) -> tuple[list[str], str]:
    """The numbers of the student's lines that are shown to run, and the one of the visit."""
    source = page.locator(LOOKED + " .source")
    at = "".join(source.locator(".at .number").all_inner_texts())
    return source.locator(".ran .number").all_inner_texts(), at


def test_the_students_own_source_steps_along_with_the_maze(opened: Any) -> None:
    page = opened("wrong").page
    unfold(page, "bfs")
    assert page.locator(LOOKED + " .source").get_attribute("open") is None
    told = page.locator(LOOKED + " .now-at")
    page.locator(LOOKED + " .player input").focus()
    page.keyboard.press("Home")
    assert page.locator(LOOKED + " mark .number").all_inner_texts() == ["11", "14"]
    assert page.locator(LOOKED + " .follows").is_visible()
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
    assert told.inner_text().splitlines()[-1].startswith("Yours: (1, 1)")
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


def test_the_next_step_is_guessed_by_keyboard(opened: Any) -> None:
    page = opened("wrong").page
    player = page.locator(COMPARED + " .player")
    asked, choices = player.locator(".asked"), player.locator(".choices button")
    assert asked.is_hidden()
    player.locator("input").focus()
    page.keyboard.press("Home")
    player.locator(".predict").focus()
    page.keyboard.press("Enter")
    assert seen_steps(page) == [numbers_to(1), numbers_to(1)]
    assert asked.inner_text() == "Which cell comes next? Click it in the first picture, or choose:"
    assert choices.all_inner_texts() == ["(1, 2)", "(2, 1)", "(2, 3)"]
    assert page.locator(COMPARED + " .sides code").first.is_hidden()  # the way stands there
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert asked.inner_text().startswith("No, not (2, 1). Which cell comes next?")
    assert seen_steps(page) == [numbers_to(1), numbers_to(1)]
    assert page.evaluate("document.activeElement.textContent") == "(1, 2)"
    page.keyboard.press("Enter")
    assert asked.inner_text().startswith("Yes, (1, 2). Which cell comes next?")
    assert seen_steps(page) == [numbers_to(2), numbers_to(2)]
    assert page.evaluate("document.activeElement.parentElement.className") == "choices"
    player.locator("input").focus()
    page.keyboard.press("End")
    assert asked.inner_text() == "The search is over."
    assert choices.count() == 0
    player.locator(".predict").click()
    assert asked.is_hidden()
    assert page.locator(COMPARED + " .sides code").first.is_visible()


def test_the_next_step_is_guessed_with_a_click(opened: Any) -> None:
    page = opened("wrong").page
    player, board = page.locator(COMPARED + " .player"), page.locator(COMPARED + " svg[data-side=expected]")

    def click(row: int, column: int) -> None:
        scale = board.evaluate("svg => svg.getScreenCTM().a")
        place = {"x": (24 + 40 * (column - 0.5)) * scale, "y": (24 + 40 * (row - 0.5)) * scale}
        board.click(position=place)

    click(1, 2)
    assert seen_steps(page) == [numbers_to(PARTING), numbers_to(PARTING)]  # nothing is asked yet
    player.locator("input").focus()
    page.keyboard.press("Home")
    player.locator(".predict").click()
    click(2, 1)
    assert seen_steps(page) == [numbers_to(1), numbers_to(1)]
    click(0, 1)  # beside the maze
    assert player.locator(".asked").inner_text().startswith("No, not (2, 1).")
    click(1, 2)
    assert seen_steps(page) == [numbers_to(2), numbers_to(2)]


def test_playing_ends_the_guessing(opened: Any) -> None:
    page = opened("wrong").page
    player = page.locator(COMPARED + " .player")
    player.locator(".predict").click()
    player.locator(".play").click()
    assert player.locator(".predict").get_attribute("aria-pressed") == "false"
    assert player.locator(".asked").is_hidden()


def test_a_script_of_calls_has_no_cell_to_guess(opened: Any) -> None:
    assert opened("wrong").page.locator(SCRIPT + " .predict").count() == 0
