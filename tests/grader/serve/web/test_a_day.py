"""A day of marks that are talked about, played in a real browser by keyboard, up to the platform's gradebook.

An essay is marked by two, a comment is written at a line, and a student asks for another look, which is
answered. What the dispatcher would do in between, the test does. The same day by the commands of ``batch`` is
a golden input.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from grader.batch.job import CODE_FILE, Course
from grader.course.request_terms import RequestTerms
from grader.course.rules import CourseRules
from grader.serve.data_folder import DataFolder
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.platform_pages import platform_routes
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.lti.gradebook_line import send_one
from tests.grader.serve.lti.school import register
from tests.grader.serve.lti.test_launch_in_a_browser import Platform
from tests.grader.serve.lti.world import key
from tests.grader.serve.made import COURSE, UpToDate, taken
from tests.grader.serve.running import running
from tests.grader.serve.web.conftest import CODE
from tests.grader.serve.web.made import finish, newest, person, results
from tests.grader.serve.web.test_in_a_browser import hand_in, look, sign_in, tab_to

PATIENCE = 30_000
pytestmark = [pytest.mark.processes, pytest.mark.ci]

LINE = "Line, such as solvers/dfs.py:12"
MORE = "Points to add or take off: the mark may fall as well as rise"


def with_an_essay() -> dict[str, Any]:
    """Results with 30 of 40 points, and a question of 5 that two persons mark."""
    made = results(lost=("dfs.valid-path",))
    exercise = made["exercises"][0]
    criteria = [{"text": "Names a claim", "points": 2.0}, {"text": "Gives a reason", "points": 3.0}]
    check = exercise["checks"][1] | {"id": "dfs.why", "title": "Why it ends", "visibility": "public"}
    check |= {"status": "unmarked", "score": 0.0, "max_score": 5.0, "criteria": criteria, "differ": 2.0}
    exercise["checks"].append(check)
    exercise["handed_in"] = {"file": "why.md", "digest": "0", "text": "It ends.", "html": "<p>It ends.</p>"}
    exercise["max_score"] += 5.0
    made["max_score"] += 5.0
    return made


@dataclass
class Day:
    """The service, a platform, and who sits at which browser."""

    browser: Browser
    site: Site
    scores: PlatformClient
    platform: Platform
    course: Course
    up_to_date: UpToDate
    width: int

    def page(self) -> Page:
        context = self.browser.new_context(viewport={"width": self.width, "height": 900})
        context.set_default_timeout(PATIENCE)
        return context.new_page()

    def student(self) -> Page:
        """Come from a course of the platform."""
        course = self.page()
        course.goto(f"{self.platform.url}/course/ada")
        with course.expect_popup() as opened:
            course.frame_locator("iframe").get_by_role("link", name="in a new window").click()
        expect(opened.value).to_have_url(f"{self.site.url}/", timeout=PATIENCE)
        opened.value.set_viewport_size({"width": self.width, "height": 900})
        return opened.value

    def staff(self, name: str) -> Page:
        page = self.page()
        page.goto(self.site.url)
        sign_in(page, name, "staff")
        page.wait_for_url(f"{self.site.url}/staff/")
        page.goto(f"{self.site.url}/staff/export")  # which is not made anew by itself
        return page

    def arrives(self) -> float | None:
        """Do what the dispatcher does of what was decided; return the score that the platform gets of it."""
        self.up_to_date(self.course)
        if not send_one(self.site.store, self.scores, self.site.clock()):
            return None
        score: float = self.platform.book["ada"]["scoreGiven"]
        return score


@pytest.fixture(params=[1200, 390])
def day(
    browser: Browser,
    data: DataFolder,
    store: Store,
    course: Course,
    up_to_date: UpToDate,
    request: pytest.FixtureRequest,
) -> Iterator[Day]:
    rubric = replace(course.plan.rubric, title="Mazes", requests=RequestTerms())
    course = replace(course, plan=replace(course.plan, rubric=rubric))
    with running("localhost") as (url, serve), running() as (there, serve_platform):
        platform = Platform(there, url)
        serve_platform(platform.app())
        register(store, there)
        site = Site(data, store, {COURSE: CourseRules(rubric)}, url=url, demo=True)
        lti = LaunchService(store, url, key("own"), [COURSE])
        scores = PlatformClient(lti.key)
        serve(create_app(site, [*launch_routes(lti), *platform_routes(lti, PlatformClient(lti.key))]))
        yield Day(browser, site, scores, platform, course, up_to_date, request.param)
        for context in browser.contexts:
            context.close()


def go(page: Page, name: str, then: str) -> None:
    """Follow a link, or press a button, by keyboard alone."""
    tab_to(page, name)
    page.keyboard.press("Enter")
    page.wait_for_url(then)


def write(page: Page, name: str, text: str) -> None:
    tab_to(page, name)
    page.keyboard.type(text)


def mark(page: Page, *criteria: str) -> None:
    """Mark the only answer to the only question."""
    go(page, "Marking", "**/staff/marking")
    go(page, "DFS: Why it ends", "**/staff/marking?check=dfs.why")
    expect(page.locator(".handed-in")).to_have_text("It ends.")
    expect(page.locator("main")).not_to_contain_text("Ada")
    for each in criteria:
        tab_to(page, each)
        page.keyboard.press("Space")
    look(page)
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Nothing is to be marked")


def score(page: Page) -> Locator:
    return page.locator(".mark")


def test_a_day(day: Day) -> None:
    ada = day.student()
    hand_in(ada)
    ada.wait_for_url("**/attempts/*")
    attempt = taken(day.site.store, day.site.clock(), "test")
    finish(day.site, attempt, with_an_essay(), "key 0fae575d")
    attempt = newest(day.site, person(day.site, "Ada"))
    day.site.data.result(attempt).joinpath(CODE_FILE).write_bytes(CODE)
    assert day.arrives() is None  # persons have points to give

    grace = day.staff("Grace")
    mark(grace, "Names a claim (2)", "Gives a reason (3)")
    assert day.arrives() is None
    bo = day.staff("Bo")
    mark(bo, "Gives a reason (3)")
    assert day.arrives() == 34.0
    ada.reload()
    expect(score(ada)).to_have_text("34 / 45")

    tab_to(ada, "The check dfs.valid-path 0 / 10 points")
    ada.keyboard.press("Enter")
    write(ada, "What is right about your work, in 10 to 2000 characters?", "It is a way, look again.")
    look(ada)
    tab_to(ada, "Ask for another look: The check dfs.valid-path")
    ada.keyboard.press("Enter")
    expect(ada.locator("main")).to_contain_text("You wrote: It is a way, look again.")
    look(ada)

    go(grace, "Review", "**/staff/review")
    look(grace)
    go(grace, "Ada: dfs.valid-path", "**/staff/requests/*")
    expect(grace.locator("main")).to_contain_text("It is a way, look again.")
    expect(grace.locator("main")).to_contain_text("Bo decided: dfs.why, by its criteria")
    tab_to(grace, "the mark is kept")
    grace.keyboard.press("ArrowDown")
    write(grace, MORE, "2.5")
    write(grace, "Your answer; the student reads it, with your name", "You are right about one maze.")
    look(grace)
    go(grace, "Answer", "**/staff/review")
    assert day.arrives() == 36.5

    bo.goto(f"{day.site.url}/staff/attempts/{attempt.id}/code")
    write(bo, LINE, "dfs.py:2")
    write(bo, "Comment", "Which cells have you seen?")
    tab_to(bo, "Write the comment")
    bo.keyboard.press("Enter")
    expect(bo.locator(".at-line")).to_contain_text("Which cells have you seen?")
    look(bo)
    assert day.arrives() is None  # a comment moves no mark

    ada.goto(day.site.url)
    look(ada)
    go(ada, "There is news about your request about dfs.valid-path", "**/attempts/*")
    expect(score(ada)).to_have_text("36.5 / 45")
    expect(ada.locator("main")).to_contain_text("You are right about one maze.")
    look(ada)
    go(ada, "Open the feedback", "**/feedback/**")
    for told in ("Grace & Bo marked this: 4 of 5 points.", "Which cells have you seen?"):
        expect(ada.locator("body")).to_contain_text(told)
    look(ada)
