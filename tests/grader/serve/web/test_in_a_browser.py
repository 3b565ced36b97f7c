"""From the sign-in to the mark, in a real browser against a real server, and what axe says of the pages."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, FilePayload, Page, expect

from grader.batch.job import ExerciseDone
from grader.batch.review import review
from grader.serve.store import attempts, credentials
from grader.serve.web.app import create_app
from grader.serve.web.visits import Site
from tests.grader.release.served import write_page_without_python
from tests.grader.serve.made import Clock, taken
from tests.grader.serve.running import running
from tests.grader.serve.web.made import FILES, finish, graded, newest, person, results

PATIENCE = 60_000
UPLOAD = [FilePayload(name=name, mimeType="text/x-python", buffer=content) for name, content in FILES]
OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true })"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    write_page_without_python(folder)
    return folder


@pytest.fixture
def site(site: Site, lab: Path) -> Site:
    return replace(site, lab=lab)


@pytest.fixture
def open_(browser: Browser, site: Site) -> Iterator[Any]:
    """Opens a browser of somebody's own; whatever a page complains of fails the test."""
    contexts, trouble = [], []

    def note(message: ConsoleMessage) -> None:
        is_of_lab = "/lab/" in message.location["url"]  # which finds no Python here
        if not is_of_lab and message.type != "info":
            trouble.append(message.text)

    def opened(name: str = "", role: str = "student", **options: Any) -> Page:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", note)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(address)
        sign_in(page, name, role)
        page.wait_for_url(f"{address}/staff/" if role == "staff" else f"{address}/")
        return page

    with running() as (address, serve):
        serve(create_app(site))
        yield opened
        for context in contexts:
            context.close()
    assert trouble == []


def sign_in(page: Page, name: str, role: str = "student") -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Student" if role == "student" else "Staff").check()
    page.get_by_role("button", name="Sign in").click()


def hand_in(page: Page) -> None:
    page.set_input_files("#files", UPLOAD)
    page.get_by_role("button", name="Hand in").click()


def to_the_lab(page: Page) -> None:
    page.get_by_role("link", name="Work in the browser").click()


def write(page: Page, text: str) -> None:
    """Put a text in place of the file that is open in the lab."""
    page.locator(".cm-content[contenteditable=true]").click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def write_on_a_full_disk(page: Page, text: str) -> None:
    page.evaluate("() => { IDBObjectStore.prototype.put = () => { throw new Error('the disk is full'); }; }")
    write(page, text)
    expect(page.locator("#saved")).to_have_text("Not saved")


def sign_out(page: Page) -> None:
    """Sign out from the lab, as soon as what was typed there is kept or cannot be."""
    expect(page.locator("#saved")).to_have_text(re.compile("Saved|Not saved"))
    page.locator("#service").click()
    page.get_by_role("button", name="Sign out").click()


def test_a_student_hands_in_and_sees_why(open_: Any, site: Site) -> None:
    page, staff = open_("Ada"), open_("Grace", "staff")
    hand_in(page)
    sentence = page.locator("[data-live=sentence]")
    expect(sentence).to_contain_text("next in the queue")
    expect(staff.locator("tbody")).to_contain_text("waiting")  # by itself
    attempt = taken(site.store, site.clock(), "test")
    expect(sentence).to_contain_text("0 of 6 exercises")
    attempts.add_step(site.store, attempt.id, ExerciseDone("search", 10.0, 15.0), site.clock())
    expect(sentence).to_contain_text("1 of 6 exercises")
    expect(page.locator("li.done")).to_contain_text("10 / 15 points")
    finish(site, attempt, results(lost=("bfs.valid-path",)))
    expect(page.locator(".mark")).to_have_text("30 / 40")
    page.get_by_role("link", name="Open the feedback").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Feedback for Ada")
    assert page.evaluate("origin") == "null"
    page.go_back()
    page.get_by_role("link", name="Back to Mazes").click()
    expect(page.locator("tr.counts")).to_contain_text("30 / 40")


def test_from_the_lab_it_is_handed_in_by_the_sign_in(open_: Any, site: Site, clock: Clock) -> None:
    """And where that has ended, signing in again brings it back with nothing lost."""
    page = open_("Ada")
    to_the_lab(page)
    write(page, "# mine")
    page.get_by_role("button", name="Hand in as Ada").click()
    expect(page.locator("#attempt-told")).to_contain_text("next in the queue")
    attempt = newest(site, person(site, "Ada"))
    [stored] = site.data.upload(attempt.id).iterdir()
    assert zipfile.ZipFile(stored).read("solvers/search.py") == b"# mine"
    graded(site, attempt, results(lost=("bfs.valid-path",)))
    expect(page.locator("#attempt")).to_have_text("Attempt 1: 30 of 40 points")
    expect(page.locator("#causes li")).to_have_count(1)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="The feedback").click()
    expect(opened.value.get_by_role("heading", level=1)).to_contain_text("Feedback for Ada")
    opened.value.close()

    clock.now += credentials.sign_in_seconds(site.store, attempt.person) + 1
    page.get_by_role("button", name="Hand in as Ada").click()
    page.get_by_role("button", name="OK").click()
    sign_in(page, "Ada")
    to_the_lab(page)
    expect(page.locator(".cm-content")).to_have_text("# mine")
    page.locator("#service").click()
    expect(page.locator("tr.counts")).to_contain_text("30 / 40")


def test_each_who_signs_in_finds_their_own_work(open_: Any) -> None:
    """In one browser, on a computer that they share; a window that is open goes on with its person's work."""
    page = open_("Ada")
    text = page.locator(".cm-content")
    to_the_lab(page)
    write(page, "# by Ada")
    left_open = page.context.new_page()
    left_open.goto(page.url)
    sign_out(page)
    write(left_open, "# by Ada, later")
    sign_in(page, "Bob")
    to_the_lab(page)
    expect(text).to_contain_text("class Search")
    write_on_a_full_disk(page, "# by Bob")
    sign_out(page)
    expect(left_open.locator(".cm-content")).to_have_text("# by Ada, later")
    for name, wrote in (("Ada", "# by Ada, later"), ("Bob", "# by Bob")):
        sign_in(page, name)
        to_the_lab(page)
        expect(text).to_have_text(wrote)
        expect(page.locator("#notice")).to_be_hidden()
        sign_out(page)


def test_who_signs_in_takes_over_what_was_typed_before(open_: Any) -> None:
    """As it is, or as a version where there is another text; the next person finds none of it."""
    page = open_("Ada")
    text = page.locator(".cm-content")
    to_the_lab(page)
    write(page, "# by Ada")
    lab = page.url
    sign_out(page)
    page.goto(lab)
    expect(text).to_contain_text("class Search")
    write(page, "# by whom?")
    page.wait_for_selector("#saved:text-is('Saved')")
    page.get_by_role("tab", name="bfs.py").click()
    write_on_a_full_disk(page, "# by whom, too?")
    elsewhere = page.context.new_page()
    elsewhere.goto(lab.removesuffix("lab/"))
    sign_in(elsewhere, "Ada")
    to_the_lab(elsewhere)
    expect(elsewhere.locator("#notice")).to_contain_text(
        "before you signed in is among the versions of solvers/search.py."
    )
    expect(page.locator("#hand-in")).to_have_text("Hand in as Ada")  # by itself
    expect(text).to_have_text("# by Ada")
    page.locator("#versions").select_option(index=1)
    expect(text).to_have_text("# by whom?")
    page.get_by_role("tab", name="bfs.py").click()
    expect(text).to_have_text("# by whom, too?")
    sign_out(page)
    sign_in(page, "Bob")
    to_the_lab(page)
    for name in ("search.py", "bfs.py"):
        page.get_by_role("tab", name=name).click()
        expect(text).to_contain_text("class ")


@pytest.mark.ci
def test_without_scripts_it_is_a_form_and_a_page_that_reloads(open_: Any, site: Site) -> None:
    page = open_("Ada", java_script_enabled=False)
    hand_in(page)
    expect(page.locator("[data-live=sentence]")).to_contain_text("next in the queue")
    graded(site, newest(site, person(site, "Ada")))
    expect(page.locator(".mark")).to_have_text("40 / 40")  # the page asks again by itself


@pytest.mark.ci
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_is_cut_off(open_: Any, site: Site, width: int, scheme: str) -> None:
    options = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    student, staff = open_("Ada", **options), open_("Grace", "staff", **options)
    look(student)
    hand_in(student)
    student.wait_for_url("**/attempts/*")
    look(student)
    graded(site, newest(site, person(site, "Ada")), results(lost=("bfs.valid-path",)))
    expect(student.locator(".mark")).to_be_visible()
    look(student)
    ada, grace = person(site, "Ada"), person(site, "Grace")
    code, pages = (
        f"attempts/{newest(site, ada).id}/code",
        ("review", "queue", "regrade", "audit", "export", ""),
    )
    for path in (f"people/{ada.id}", f"people/{grace.id}", code, *pages):
        staff.goto(f"{staff.url.partition('/staff/')[0]}/staff/{path}")
        look(staff)


@pytest.mark.ci
@pytest.mark.parametrize("width", [1200, 390])
def test_staff_take_an_item_and_write_at_a_line_by_keyboard_alone(
    open_: Any, folder: Path, width: int
) -> None:
    (folder / "comments.yaml").write_text("loop: This never ends on a cycle.\n", encoding="utf-8")
    bo, cy = (open_(name, "staff", viewport={"width": width, "height": 900}) for name in ("Bo", "Cy"))
    review(folder, [], [], "Bo")
    tab_to(bo, "Review")
    bo.keyboard.press("Enter")
    bo.wait_for_url("**/staff/review")
    tab_to(bo, "Open: Ada")
    bo.keyboard.press("Enter")
    bo.wait_for_url("**/staff/review/*")
    expect(bo.get_by_text("You have taken it")).to_be_visible()
    look(bo)
    cy.goto(bo.url)
    expect(cy.get_by_text("Bo has taken it")).to_be_visible()
    tab_to(bo, "Code, with comments at lines")
    bo.keyboard.press("Enter")
    bo.wait_for_url("**/code")
    tab_to(bo, "Line, such as solvers/dfs.py:12")
    bo.keyboard.type("dfs.py:2")
    bo.keyboard.press("Tab")
    bo.keyboard.type("Which cells have you seen?")
    tab_to(bo, "Write the comment")
    bo.keyboard.press("Enter")
    expect(bo.locator(".at-line")).to_contain_text("Which cells have you seen?")
    look(bo)
    tab_to(bo, "Change comment 1")
    bo.keyboard.press("Enter")
    bo.wait_for_url("**/code?number=1*")
    expect(bo.get_by_label("Comment", exact=True)).to_have_value("Which cells have you seen?")


NAME_OF_FOCUS = """() => {
  const at = document.activeElement;
  return at.ariaLabel || (at.labels && at.labels.length ? at.labels[0] : at).textContent.trim();
}"""


def tab_to(page: Page, name: str) -> None:
    """Go to what is called so, as somebody without a mouse does."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(NAME_OF_FOCUS) == name:
            return
    raise AssertionError(f"no way by keyboard to {name}: {page.url}")


def look(page: Page) -> None:
    """See that a page is for everybody, and fits."""
    page.evaluate(OPEN_ALL)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
