"""The page in a browser: it plays, stops, and shows the moment that is asked for."""

from pathlib import Path
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from lab import Dimension, Maze
from lab.generators import AldousBroder
from lab.render.film import film_left_hand
from lab.render.gallery import exhibit, to_page
from lab.render.player import to_html

WALK = film_left_hand(Maze.from_text("+-+-+-+\n|S  | |\n+-+ + +\n|E    |\n+-+-+-+"), title="Walk")
VISIBLE = (
    "[...document.querySelectorAll('svg %s')]"
    ".flatMap((one, n) => getComputedStyle(one).opacity == 1 ? n : [])"
)
SHOWN, DOTS = VISIBLE % ".on", VISIBLE % ".now"


Motion = Literal["no-preference", "reduce"]


def opened(
    browser: Browser, folder: Path, text: str, *, motion: Motion = "no-preference", by_hand: bool = False
) -> Page:
    """Open the page, with a clock that a test moves ``by_hand``: also for the very first frame."""
    (folder / "page.html").write_text(text, encoding="utf-8")
    page = browser.new_page(reduced_motion=motion)
    if by_hand:
        page.clock.install(time=0)
    page.goto((folder / "page.html").as_uri())
    return page


def go_to(page: Page, moment: int) -> None:
    page.locator("#time").fill(str(moment))


def test_the_slider_shows_the_moment_that_is_asked_for(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, to_html(WALK))
    for moment, cells, dots in [(3, 4, [3]), (0, 1, [0]), (5, 5, [5]), (8, 6, [])]:
        go_to(page, moment)
        assert len(page.evaluate(SHOWN)) == cells
        assert page.evaluate(DOTS) == dots
        assert page.locator("#shown").inner_text() == f"{moment} of 8"
        assert page.locator("#play").inner_text() == "Play"
    page.close()


def test_it_plays_to_the_end_and_can_be_played_again(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, to_html(WALK, moment_seconds=0.5), by_hand=True)
    page.clock.pause_at(3600)
    shown = page.locator("#shown")
    page.clock.run_for(8 * 500)
    assert shown.inner_text() == "8 of 8"
    page.get_by_role("button", name="Play").click()
    assert shown.inner_text() == "0 of 8"
    page.clock.run_for(3 * 500 + 250)
    assert shown.inner_text() == "3 of 8"
    page.clock.run_for(8 * 500)
    assert shown.inner_text() == "8 of 8"
    page.close()


def test_the_pages_are_accessible(browser: Browser, tmp_path: Path) -> None:
    gallery = to_page(exhibit({"Given": AldousBroder}, Dimension(3, 3), seed=1, samples=2), samples=2)
    for text in (to_html(WALK), gallery):
        page = opened(browser, tmp_path, text)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.close()
