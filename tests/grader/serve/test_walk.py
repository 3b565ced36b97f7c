"""One walk through the service, in a real browser against a real server: sign in, hand in, see the mark."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from grader.batch.job import ExerciseDone
from grader.serve.store import attempts
from grader.serve.web.visits import Site
from tests.grader.serve.made import taken
from tests.grader.serve.web.browsing import UPLOAD
from tests.grader.serve.web.browsing import address as address
from tests.grader.serve.web.browsing import open_ as open_
from tests.grader.serve.web.conftest import clock as clock
from tests.grader.serve.web.conftest import site as site
from tests.grader.serve.web.made import finish, results


def test_a_student_hands_in_and_sees_why(open_: Any, site: Site) -> None:
    page = open_("Ada")
    page.set_input_files("#files", UPLOAD)
    expect(page.locator("#chosen li")).to_have_text(["bfs.py", "dfs.py"])
    page.get_by_role("button", name="Hand in").click()
    sentence = page.locator("[data-live=sentence]")
    expect(sentence).to_contain_text("next in the queue")
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
