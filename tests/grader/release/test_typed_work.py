"""What is typed in the browser tab is kept, however the page goes; no window overwrites another unseen."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random

import psutil
import pytest
from playwright.sync_api import BrowserContext, Error, Page, Playwright, expect, sync_playwright

from tests.grader.release.served import served, write_page_without_python

TIMES = 10
LONGEST = 0.4
"""Seconds after the last key at which a page goes, at most."""
KEPT_AFTER = 0.5
"""Seconds after which what was typed outlasts the end of the browser by force."""
SAVED = "#saved:text-is('Saved')"
NUMBERS = count()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("browser")
    write_page_without_python(folder)
    with served(folder) as found:
        yield found


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


class Student:
    """A browser with a profile on the disk, and the page of its student."""

    def __init__(self, playwright: Playwright, profile: Path, address: str) -> None:
        self._playwright, self._profile, self._address = playwright, profile, address
        self.context = self._launched()
        self.page = self.another()

    def _launched(self) -> BrowserContext:
        path = shutil.which("chromium")
        return self._playwright.chromium.launch_persistent_context(
            self._profile, executable_path=path, args=["--no-sandbox"]
        )

    def another(self) -> Page:
        page = self.context.new_page()
        page.goto(self._address)
        return page

    def reload(self) -> None:
        self.page.reload()

    def go_elsewhere(self) -> None:
        self.page.goto("about:blank")
        self.page.goto(self._address)

    def close_the_window(self) -> None:
        self.page.close()
        self.page = self.another()

    def end_the_browser(self) -> None:
        self.context.close()
        self._start_again()

    def kill_the_browser(self) -> None:
        own = [each for each in psutil.process_iter(["cmdline"]) if self._is_own(each.info["cmdline"] or [])]
        for process in [*own, *(child for each in own for child in each.children(recursive=True))]:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(own)
        with suppress(Error):
            self.context.close()
        for lock in self._profile.glob("Singleton*"):
            lock.unlink()
        self._start_again()

    def _is_own(self, command: list[str]) -> bool:
        return f"--user-data-dir={self._profile}" in command

    def _start_again(self) -> None:
        self.context = self._launched()
        self.page = self.another()


@pytest.fixture
def student(playwright: Playwright, tmp_path: Path, address: str) -> Iterator[Student]:
    found = Student(playwright, tmp_path, address)
    yield found
    found.context.close()


def write(page: Page, text: str) -> None:
    """Put a text in place of the file that is open, key by key."""
    page.locator(".cm-content[contenteditable=true]").click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def shows(page: Page, text: str) -> None:
    expect(page.locator(".cm-content")).to_have_text(text)


@pytest.mark.parametrize(
    "leave",
    [Student.reload, Student.go_elsewhere, Student.close_the_window, Student.end_the_browser],
    ids=lambda leave: leave.__name__,
)
def test_what_is_typed_is_kept_at_any_moment(student: Student, leave: Callable[[Student], None]) -> None:
    luck = Random(leave.__name__)
    for _ in range(TIMES):
        text = f"x = {next(NUMBERS)}"
        write(student.page, text)
        student.page.wait_for_timeout(1000 * luck.uniform(0, LONGEST))
        leave(student)
        shows(student.page, text)


def test_what_was_typed_before_the_last_moment_outlasts_an_end_by_force(student: Student) -> None:
    for _ in range(TIMES):
        text = f"x = {next(NUMBERS)}"
        write(student.page, text)
        student.page.wait_for_timeout(1000 * KEPT_AFTER)
        student.page.keyboard.type("#")
        student.kill_the_browser()
        expect(student.page.locator(".cm-content")).to_contain_text(text)


def test_saved_stands_there_only_when_it_is_so(student: Student) -> None:
    """A database that takes nothing more is told, and what is typed is kept as soon as it does again."""
    page = student.page
    page.wait_for_selector(SAVED)
    page.evaluate(
        "() => { window.put = IDBObjectStore.prototype.put;"
        " IDBObjectStore.prototype.put = () => { throw new Error('the disk is full'); }; }"
    )
    write(page, "x = 1")
    expect(page.locator("#saved")).to_have_text("Not saved")
    expect(page.locator("#notice")).to_contain_text("cannot be kept in this browser: the disk is full")
    page.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    page.keyboard.type("0")
    page.wait_for_selector(SAVED)
    page.reload()
    shows(page, "x = 10")


def test_the_export_needs_no_python(student: Student, tmp_path: Path) -> None:
    write(student.page, "x = 'größer'")
    with student.page.expect_download() as download:
        student.page.locator("#export").click()
    download.value.save_as(tmp_path / "submission.zip")
    with zipfile.ZipFile(tmp_path / "submission.zip") as archive:
        assert archive.testzip() is None
        assert archive.read("solvers/search.py").decode() == "x = 'größer'"
        assert {"solvers/bfs.py", "solvers/__init__.py", "perfection_checker.py"} < {*archive.namelist()}


def test_a_window_takes_over_what_another_wrote(student: Student) -> None:
    first, second = student.page, student.another()
    write(second, "x = 'second'")
    shows(first, "x = 'second'")
    write(first, "x = 'first'")
    shows(second, "x = 'first'")
    expect(first.locator("#notice")).to_be_hidden()


def test_the_later_of_two_windows_overwrites_nothing_silently(student: Student) -> None:
    """Also where one has heard nothing of the other."""
    first, second = student.page, student.another()
    for page in (first, second):
        page.wait_for_selector(SAVED)
    second.evaluate("() => { BroadcastChannel.prototype.postMessage = () => {}; }")
    write(second, "x = 'second'")
    second.wait_for_selector(SAVED)
    write(first, "x = 'first'")
    first.wait_for_selector(SAVED)
    expect(first.locator("#notice")).to_contain_text("solvers/search.py was written in two windows at once")
    expect(second.locator("#notice")).to_contain_text("solvers/search.py was written in two windows at once")
    shows(second, "x = 'first'")
    first.locator("#versions").select_option(index=1)
    shows(first, "x = 'second'")
    shows(second, "x = 'second'")


def test_the_last_ten_versions_and_the_skeleton_are_there(student: Student) -> None:
    page, written = student.page, []
    for _ in range(TIMES + 3):
        written.append(f"x = {next(NUMBERS)}")
        write(page, written[-1])
        page.wait_for_selector(SAVED)
        page.locator("#versions").select_option("as it was given")
        expect(page.locator(".cm-content")).to_contain_text("class Search")
        page.wait_for_selector(SAVED)
    page.reload()
    expect(page.locator("#versions option")).to_have_count(1 + TIMES + 1)
    texts = page.locator("#versions option").evaluate_all("all => all.map(each => each.text_)")
    assert texts[1:-1] == written[: -TIMES - 1 : -1]
    assert texts[-1].startswith('"""')
