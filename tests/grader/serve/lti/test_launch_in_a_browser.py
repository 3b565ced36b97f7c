"""From the page of a course to a score in the gradebook: a real browser, and a platform that is not ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from urllib.parse import parse_qsl

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, FilePayload, Locator, Page, expect

from grader.course.late_work import LatePolicy
from grader.course.rubric import load_rubric
from grader.exercises import registry
from grader.serve.data_folder import DataFolder
from grader.serve.lti import platforms
from grader.serve.lti.claims import load_own_key
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.score_sender import ScoreClient
from grader.serve.store import attempts, outbox, people
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.lti.gradebook_line import send_one
from tests.grader.serve.lti.platform import Platform, platform_for
from tests.grader.serve.made import COURSE
from tests.grader.serve.running import running
from tests.grader.serve.web.made import FILES, graded

FOR_EVER = 4e9
PATIENCE = 120_000
"""Milliseconds, on a machine that has more to do."""


@dataclass
class _There:
    """The service, and the platform that launches it: two sites for a browser, localhost and 127.0.0.1."""

    site: Site
    lti: LaunchService
    platform: Platform

    def send(self) -> bool:
        scores = ScoreClient(self.lti.key)
        return send_one(self.site.store, scores, self.site.clock())


@pytest.fixture
def there(data: DataFolder, store: Store) -> Iterator[_There]:
    rubric = replace(
        load_rubric(checks=registry.titles()),
        late=LatePolicy(datetime.fromtimestamp(FOR_EVER, UTC), per_day=0),
    )
    with running("localhost") as (url, serve), platform_for(url) as platform:
        site = Site(data, store, {COURSE: rubric}, url=url)
        lti = LaunchService(store, url, load_own_key(data.lti), [COURSE])
        platforms.add(store, platform.told())
        serve(create_app(site, launch_routes(lti)))
        yield _There(site, lti, platform)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of somebody's own."""
    with browser.new_context(viewport={"width": 1200, "height": 800}) as opened:
        opened.set_default_timeout(PATIENCE)
        yield opened


def _launched(there: _There, context: BrowserContext, user: str) -> Page:
    """The window that the link in the frame opens."""
    course = context.new_page()
    course.goto(f"{there.platform.url}/course/{user}")
    with context.expect_page() as opened:
        _link(course).click()
    return opened.value


def _link(course: Page) -> Locator:
    return course.frame_locator("iframe").get_by_role("link", name="in a new window")


def test_from_the_course_to_the_gradebook(there: _There, context: BrowserContext) -> None:
    page = _launched(there, context, "ada")
    expect(page).to_have_url(f"{there.site.url}/", timeout=PATIENCE)
    (ada,) = people.list_for_course(there.site.store, COURSE)
    assert (ada.name, ada.email, ada.role) == ("Ada", "ada@example.org", "student")
    files = [FilePayload(name=name, mimeType="text/x-python", buffer=content) for name, content in FILES]
    page.locator("input[type=file]").first.set_input_files(files)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("main form button[type=submit]").first.click()
    (attempt,) = attempts.list_for_person(there.site.store, ada.id)
    graded(there.site, attempt)
    page.goto(f"{there.site.url}/feedback/{attempt.id}/")
    expect(page.locator("body")).to_contain_text("Mazes", timeout=PATIENCE)
    assert there.send()
    (item,) = outbox.list_for_course(there.site.store, COURSE)
    assert item.error == ""
    score = there.platform.book["ada"]
    assert (score["scoreGiven"], score["scoreMaximum"]) == (item.score, item.max_score)
    assert score["gradingProgress"] == "FullyGraded"
    assert not there.send()


def test_the_frame_keeps_no_cookie_and_begins_no_login(there: _There, context: BrowserContext) -> None:
    course = context.new_page()
    course.goto(f"{there.platform.url}/course/ada")
    expect(_link(course)).to_have_attribute("target", "_blank", timeout=PATIENCE)
    assert Axe().run(course.frames[1]).response["violations"] == []
    assert [cookie["name"] for cookie in context.cookies()] == ["user"]
    assert there.site.store.value("select count(*) from lti_states") == 0


def test_nobody_is_signed_in_by_what_an_attacker_overheard_of_himself(
    there: _There, context: BrowserContext, browser: Browser
) -> None:
    """Login CSRF: the attacker stops before his launch arrives, and has the browser of another send it."""
    context.route("**/lti/launch", lambda route: route.abort())
    with context.expect_event("request", lambda request: request.url == there.lti.launch_url) as stopped:
        _launched(there, context, "mallory")
    overheard = parse_qsl(stopped.value.post_data)
    with browser.new_context() as other:
        other.set_default_timeout(PATIENCE)
        page = other.new_page()
        page.goto(f"{there.platform.url}/course/ada")
        fields = "".join(f'<input name="{name}" value="{value}">' for name, value in overheard)
        form = f'<form method="post" action="{there.lti.launch_url}">{fields}<button>Win</button></form>'
        page.set_content(form)
        page.get_by_role("button").click()
        expect(page.locator("main")).to_contain_text("another browser", timeout=PATIENCE)
    assert people.list_for_course(there.site.store, COURSE) == []
