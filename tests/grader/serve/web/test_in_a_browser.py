"""The way of a student and that of staff, in a real browser against a real server."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, Page, Route, expect

from grader.languages import catalogue
from grader.serve.web.visits import Site
from tests.grader.serve.web.browsing import PATIENCE, UPLOAD
from tests.grader.serve.web.browsing import address as address
from tests.grader.serve.web.browsing import open_ as open_
from tests.grader.serve.web.made import graded, newest, person, results

PRESSES = 20
"""A page that is just being made anew takes a press along with it."""
OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true })"
FOCUSED = "document.activeElement.id || document.activeElement.textContent.trim()"
HEARS = """
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (name, act) {
  listen.call(this, name, (event) => {
    act(event);
    if (name === "ended" || name === "changed") heard();
  });
};
"""
"""Notes that a page was told to make itself anew, after it did what it does then."""


def test_without_scripts_it_is_a_form_and_a_page_that_reloads(open_: Any, site: Site) -> None:
    page = open_("Ada", java_script_enabled=False)
    page.set_input_files("#files", UPLOAD)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("[data-live=sentence]")).to_contain_text("next in the queue")
    graded(site, newest(site, person(site, "Ada")))
    expect(page.locator(".mark")).to_have_text("40 / 40")  # the page asks again by itself


def test_it_all_goes_by_keyboard(open_: Any) -> None:
    page = open_()
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    page.wait_for_url("**/")
    expect(page.locator("#files")).to_be_attached()
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()")
        )
    assert reached[0] == "Skip to the content"
    for wanted in ("Sign out", "files", "Hand in", "token", "Norsk bokmål"):
        assert any(wanted in text for text in reached), (wanted, reached)
    page.locator("#files").focus()
    assert page.locator(".drop").evaluate("zone => getComputedStyle(zone).outlineStyle") == "solid"


def test_staff_follow_the_class_and_adjust(open_: Any, site: Site) -> None:
    student, page = open_("Ada"), open_("Grace", "staff")
    expect(page.locator("tbody")).to_contain_text("nothing yet")
    student.set_input_files("#files", UPLOAD)
    student.get_by_role("button", name="Hand in").click()
    expect(page.locator("tbody")).to_contain_text("waiting")  # by itself
    graded(site, newest(site, person(site, "Ada")))
    expect(page.locator("tbody")).to_contain_text("graded")  # what is written last
    expect(page.locator("tbody")).to_contain_text("40 / 40")
    is_sorted = page.locator("th[aria-sort=ascending]").get_by_text("Mark")
    for _ in range(PRESSES):
        page.get_by_role("button", name="Mark").click()
        if is_sorted.is_visible():
            break
    else:
        pytest.fail("the students are not sorted by their marks")
    page.get_by_role("link", name="Ada").click()
    page.get_by_label("Another deadline").fill("2027-02-01T12:00")
    page.get_by_role("button", name="Set the deadline").click()
    expect(page.get_by_text("2027-02-01 12:00, this student's own")).to_be_visible()
    page.get_by_role("button", name="Rerun attempt 1").click()
    page.get_by_role("link", name="Log").click()
    expect(page.locator("tbody tr")).to_have_count(2)


def load_again(page: Page) -> None:
    """Load a page again, which may do so by itself in the same moment and call off what was asked of it."""
    for _ in range(PRESSES):
        try:
            page.reload()
        except Error:
            continue
        return
    pytest.fail("the page goes on making itself anew")


@pytest.mark.parametrize("role", ["student", "staff"])
def test_a_page_that_is_made_anew_calls_off_no_link(open_: Any, site: Site, role: str) -> None:
    student, staff = open_("Ada"), open_("Grace", "staff")
    student.set_input_files("#files", UPLOAD)
    student.get_by_role("button", name="Hand in").click()
    student.wait_for_url("**/attempts/*")
    page, link, path = (
        (student, "Back to Mazes", "/") if role == "student" else (staff, "Scores", "/staff/scores")
    )
    heard: list[bool] = []
    page.expose_function("heard", lambda: heard.append(True))
    page.add_init_script(HEARS)
    load_again(page)
    address = address_of(page)
    held: list[Route] = []
    page.route(f"{address}{path}", lambda route: held.append(route))  # held until it was heard
    page.get_by_role("link", name=link).click(no_wait_after=True)
    heard.clear()
    graded(site, newest(site, person(site, "Ada")))
    for _ in range(PATIENCE // 50):
        if heard and held:
            break
        page.wait_for_timeout(50)
    held[0].continue_()
    page.wait_for_url(f"{address}{path}")


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_is_cut_off(open_: Any, site: Site, width: int, scheme: str) -> None:
    options = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    student, staff = open_("Ada", **options), open_("Grace", "staff", **options)
    look(student)
    for made in (results(lost=("bfs.valid-path",)), results(lost=("dfs.valid-path",))):
        student.set_input_files("#files", UPLOAD)
        student.get_by_role("button", name="Hand in").click()
        student.wait_for_url("**/attempts/*")
        look(student)
        graded(site, newest(site, person(site, "Ada")), made)
        expect(student.locator(".mark")).to_be_visible()
        student.goto(address_of(student))
    look(student)
    student.goto(f"{address_of(student)}/attempts/{newest(site, person(site, 'Ada')).id}?lang=nb")
    expect(student.get_by_text(catalogue("nb")("serve.result.feedback"))).to_be_visible()
    look(student)
    id_ = person(site, "Ada").id
    for path in ("/staff/", f"/staff/people/{id_}", "/staff/review", "/staff/queue", "/staff/audit"):
        staff.goto(f"{address_of(staff)}{path}")
        look(staff)
    staff.goto(f"{address_of(staff)}/staff/export")
    look(staff)


def look(page: Page) -> None:
    """See that a page is for everybody, and fits."""
    page.evaluate(OPEN_ALL)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def address_of(page: Page) -> str:
    return "/".join(page.url.split("/")[:3])
