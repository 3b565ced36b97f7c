"""What students and staff see and do, beside what inputs of the service tell of their pages."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import re
import zipfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import pytest
from starlette.requests import Request

from grader.api import ReleaseFolder
from grader.batch import class_folder
from grader.batch.code_text import code_with
from grader.batch.job import CODE_FILE
from grader.batch.report.class_page import update_reports
from grader.batch.review import review
from grader.course.late_work import LatePolicy
from grader.course.rules import CourseRules
from grader.disk import disk_error
from grader.languages import catalogue
from grader.serve import uploads
from grader.serve.data_folder import DataFolder
from grader.serve.lti import platforms
from grader.serve.service import LAB_CONFIG, find_releases, register_courses
from grader.serve.store import attempts, courses, marks, outbox, people
from grader.serve.store.attempts import Attempt, Upload
from grader.serve.store.database import Store, Values
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Newcomer
from grader.serve.web.api import ChangeWatcher
from grader.serve.web.guard import FORM_BYTES
from grader.serve.web.student_pages import AttemptState, UploadRejected, accept_upload
from grader.serve.web.visits import Site
from tests.grader.serve.lti.world import registration
from tests.grader.serve.made import COURSE, Clock, Graded, UpToDate, a_person, an_attempt
from tests.grader.serve.web.made import DEADLINE, FILES, Visitor, graded, newest, results

EN = catalogue("en")


def test_two_uploads_at_once_cost_two(ada: Visitor, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one is taken, and graded, between the first look at what is left and the last."""
    for _ in range(2):
        ada.gets()
    kept = uploads.store_upload

    def keep(data: DataFolder, files: Sequence[tuple[str, bytes]]) -> Upload:
        monkeypatch.setattr(uploads, "store_upload", kept)
        assert ada.hand_in().status_code == 303
        graded(site, newest(site, ada.person))
        return kept(data, files)

    monkeypatch.setattr(uploads, "store_upload", keep)
    with pytest.raises(UploadRejected) as refused:
        accept_upload(site, ada.person, FILES, site.clock())
    assert refused.value.key == "hand_in.none_left"
    assert len(attempts.list_for_person(site.store, ada.person.id)) == 3


def _numbers(page: str) -> list[str]:
    """Those that are read on a page, but for times; tokens and ids in its tags may hold any."""
    return re.findall(r"\d+", re.sub(r"(?s)<(style|script)\b.*?</\1>|<[^>]*>|\d+:\d+", " ", page))


def test_hidden_checks_are_told_after_the_deadline(ada: Visitor, site: Site, clock: Clock) -> None:
    _hide(site)
    for lost in (("dfs.hidden-mazes", "bfs.valid-path"), ("bfs.hidden-mazes",)):
        ada.gets(results(lost=lost))
    id_ = newest(site, ada.person).id
    pages = [ada.get(path).text for path in ("/", f"/attempts/{id_}", f"/feedback/{id_}/")]
    for page in pages:
        assert "hidden-mazes" not in page
        numbers = _numbers(page)
        assert "20" in numbers
        assert "30" not in numbers
    assert "fixed 1" in pages[0]
    assert "new 1" not in pages[0]
    counts = f'good">{EN("serve.attempts.counts")}<'
    assert counts not in pages[0] + pages[1], "it would tell which is the better one"
    assert EN("serve.partly") in pages[0]
    assert EN("said.hidden_later") in pages[2]
    clock.now = DEADLINE + 1
    after = ada.get(f"/feedback/{id_}/").text
    assert "lost bfs.hidden-mazes" in after
    assert "30" in _numbers(after)
    assert "new 1" in ada.get("/").text
    assert counts in ada.get("/").text


def test_the_first_cause_of_each_exercise_is_told_as_the_page_tells_it(
    ada: Visitor, site: Site, clock: Clock
) -> None:
    _hide(site)
    headers = ada.bearer()
    ada.hand_in()
    lost = ("dfs.hidden-mazes", "bfs.valid-path", "bfs.hidden-mazes")
    graded(site, newest(site, ada.person), results(lost=lost))
    address = f"/api/attempts/{newest(site, ada.person).id}"

    def causes() -> list[str]:
        return [str(cause) for cause in ada.client.get(address, headers=headers).json()["causes"]]

    public = "lost bfs.valid-path"
    assert causes() == [f"BFS (0 of 10 points): The check bfs.valid-path: {public}"]
    clock.now = DEADLINE + 1
    assert [each.split(":")[0] for each in causes()] == ["DFS (10 of 20 points)", "BFS (0 of 20 points)"]


def test_a_deadline_of_ones_own_holds_for_what_is_hidden_too(ada: Visitor, site: Site, clock: Clock) -> None:
    _hide(site)
    ada.gets(results(lost=("bfs.hidden-mazes",)))
    marks.put_deadline(site.store, ada.person.id, DEADLINE + 7200)
    clock.now = DEADLINE + 3600
    assert "hidden-mazes" not in ada.get(f"/feedback/{newest(site, ada.person).id}/").text
    assert EN("serve.deadline_own") in ada.get("/").text


def test_signing_out_ends_the_sign_in(ada: Visitor) -> None:
    cookie = ada.client.cookies["session"]
    ada.post("/sign-out")
    ada.client.cookies.set("session", cookie)
    assert ada.get("/").headers["location"] == "/sign-in"


def _hide(site: Site) -> None:
    """Have the rubric tell of hidden checks after the deadline only."""
    courses = cast(dict[str, CourseRules], site.courses)
    courses[COURSE] = CourseRules(replace(courses[COURSE].rubric, hidden_feedback="after_deadline"))


def mark_of(visitor: Visitor, attempt: Attempt) -> str:
    """The mark on the feedback page of an attempt."""
    page = visitor.get(f"/attempts/{attempt.id}").text
    (mark,) = re.findall("<strong>([0-9]+)</strong> / 100", page)
    return str(mark)


@pytest.mark.processes
def test_no_attempt_shows_the_result_of_another_while_reports_are_written(
    ada: Visitor, graded: Graded, up_to_date: UpToDate, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = graded(ada.person, 60.0, 1.0)
    up_to_date()
    second, report, seen = graded(ada.person, 90.0, 2.0), update_reports, []

    def look(*given: Any) -> object:
        seen.append((mark_of(ada, first), mark_of(ada, second)))
        standing = report(*given)
        seen.append((mark_of(ada, first), mark_of(ada, second)))
        return standing

    monkeypatch.setattr(class_folder, "update_reports", look)
    up_to_date()
    assert [*seen, (mark_of(ada, first), mark_of(ada, second))] == [("60", "90")] * 3


def test_scores_that_wait_for_the_deadline(staff: Visitor, ada: Visitor, site: Site, clock: Clock) -> None:
    _hide(site)
    register_courses(site.store, site.courses)
    ada.gets()
    platform = platforms.add(site.store, registration())
    outbox.put_lineitem(site.store, ada.person.id, platform=platform.id, url="https://p.org/line")
    assert "sent after the deadline" in staff.get("/staff/scores").text
    assert outbox.take(site.store, clock.now) is None
    clock.now = DEADLINE
    assert "on its way" in staff.get("/staff/scores").text
    assert outbox.take(site.store, clock.now) is not None
    marks.put(site.store, ada.person.id, None)
    assert "no attempt counts any more" in staff.get("/staff/scores").text


def acts(site: Site) -> list[tuple[str, str, str]]:
    return [(act.actor, act.what, act.whom) for act in courses.list_log(site.store, COURSE)]


@pytest.mark.processes
def test_the_review_inbox(staff: Visitor, site: Site, folder: Path) -> None:
    item = next(each for each in review(folder, [], [], "Grace") if each.kind == "violation")
    assert item.id in staff.get("/staff/review").text
    assert staff.post("/staff/review", {"item": item.id, "about": "Ada"}).status_code == 303
    assert item.id not in staff.get("/staff/review").text
    assert staff.post("/staff/review", {"item": item.id, "about": "Ada", "again": "1"}).status_code == 303
    assert item.id in staff.get("/staff/review").text
    assert acts(site) == [("Grace", "reopen", "Ada"), ("Grace", "looked at", "Ada")]


def test_staff_make_no_link_for_staff(staff: Visitor, site: Site) -> None:
    tea = people.put(site.store, Newcomer(COURSE, "Tea", "staff", "invite", "1"), 1.0)
    assert "Make a new link" not in staff.get(f"/staff/people/{tea.id}").text
    assert staff.post(f"/staff/people/{tea.id}/invite").status_code == 403
    assert acts(site) == []


def test_an_assistant_does_what_the_course_leaves_to_assistants(
    staff: Visitor, enter: Any, ada: Visitor, site: Site
) -> None:
    attempt, lin = ada.gets(), people.put(site.store, Newcomer(COURSE, "Lin", "student", "invite", "1"), 1.0)
    tea = enter("Tea", "staff")
    assert staff.post(f"/staff/people/{tea.person.id}/rank", {"rank": "assistant"}).status_code == 303
    asked = {
        "withdraw": (f"/staff/attempts/{attempt.id}/withdraw", {"sure": "1"}, 303),
        "exempt": (f"/staff/people/{ada.person.id}/adjust", {"action": "exempt", "reason": "ill"}, 200),
        "links": (f"/staff/people/{lin.id}/invite", {}, 200),
    }
    rules = cast(dict[str, CourseRules], site.courses)
    for allowed in ("", *asked):
        rules[COURSE] = CourseRules(replace(rules[COURSE].rubric, assistants=(allowed,)))
        for act, (path, form, status) in asked.items():
            assert tea.post(path, form).status_code == (status if act == allowed else 403), (act, allowed)
    assert EN("serve.problem.rank.title") in tea.post("/staff/regrade", {"action": "begin"}).text
    assert tea.post(f"/staff/people/{tea.person.id}/rank", {"rank": "teacher"}).status_code == 403
    assert attempts.list_for_person(site.store, ada.person.id)[0].state == "withdrawn"


def test_staff_get_what_came_and_hand_in_for_a_student(staff: Visitor, ada: Visitor, site: Site) -> None:
    attempt = ada.gets()
    site.data.result(attempt).joinpath(CODE_FILE).write_bytes(code_with({"bfs.py": b"class <BFS>:\n  ..."}))
    page = staff.get(f"/staff/attempts/{attempt.id}/code").text
    assert "<code>class &lt;BFS&gt;:</code>" in page
    assert "<code>  ...</code>" in page
    packed = zipfile.ZipFile(io.BytesIO(staff.get(f"/staff/attempts/{attempt.id}/download").content))
    assert [packed.read(name) for name in packed.namelist()] == [content for _, content in FILES]

    path, large = f"/staff/people/{ada.person.id}/submit", b"# " * FORM_BYTES
    assert staff.post(path, files=[("files", ("dfs.py", large))]).status_code == 303
    given = newest(site, ada.person)
    found = staff.get(f"/staff/attempts/{given.id}/download")
    assert (found.content, found.headers["content-type"]) == (large, "application/octet-stream")
    assert "dfs.py" in found.headers["content-disposition"]
    assert (given.number, attempts.counted_times(site.store, ada.person.id)) == (2, [attempt.at])
    assert EN("serve.hand_in.nothing") in staff.post(path, files=[("other", ("x", b""))]).text
    assert acts(site) == [("Grace", "hand in", "Ada")]
    assert ada.post(path, files=[("files", FILES[0])]).status_code == 404
    assert ada.get(f"/staff/attempts/{attempt.id}/download").status_code == 404


def test_the_class_is_searched_filtered_and_sorted_fifty_at_a_time(staff: Visitor, site: Site) -> None:
    for number in range(60):
        who = a_person(site.store, f"S{number:02}")
        if number % 2:
            mark = PersonMark(
                an_attempt(site.store, who).id, 50.0, 100.0, points={"dfs.no-way": number % 7 / 2}
            )
            marks.put(site.store, who.id, mark)

    def names(query: str) -> list[str]:
        return re.findall(r">(S\d\d)</a>", staff.get(f"/staff/?{query}").text)

    everybody = [f"S{number:02}" for number in range(60)]
    assert (names(""), names("page=2"), names("page=9")) == (everybody[:50], everybody[50:], everybody[50:])
    assert names("q=s1+7") == ["S17"]
    assert names("show=nothing+handed+in") == everybody[::2]
    assert names("by=mark&down=1")[:30] == everybody[1::2]
    lowest, highest = (names(f"by=dfs.no-way&show=with+a+mark{more}") for more in ("", "&down=1"))
    assert (set(lowest[:4]), set(highest[:4])) == ({"S07", "S21", "S35", "S49"}, {"S13", "S27", "S41", "S55"})
    assert set(names("by=dfs.no-way&show=lost+points+there")) == set(everybody[1::2]) - set(highest[:4])
    assert "?by=mark&amp;page=2" in staff.get("/staff/?by=mark").text


def test_pages_of_the_class_are_shown_in_a_sandbox(staff: Visitor, folder: Path) -> None:
    (folder / "index.html").write_text("the class")
    answer = staff.get("/staff/class/index.html")
    assert answer.text == "the class"
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert staff.get("/staff/class/Ada/feedback.html").status_code == 200
    for path in (".journal.sqlite", "ledger.jsonl", "Ada/results.json", ".items.json"):
        assert staff.get(f"/staff/class/{path}").status_code == 404, path


def test_staff_are_told_what_was_written_and_not_who_looks_on(site: Site) -> None:
    attempt = an_attempt(site.store, a_person(site.store))

    async def told() -> list[bool]:
        watcher = ChangeWatcher(site)
        staff = watcher.follow_changes()
        student = cast("AsyncGenerator[AttemptState | None]", watcher.follow_attempt(attempt.id))
        at_first = [await anext(staff), await anext(staff)]  # before the first look at the file, and after it
        while await anext(student) is None:
            continue
        looks_on = await anext(staff)
        await student.aclose()
        is_gone = await anext(staff)
        other = watcher.follow_changes()
        await anext(other)
        an_attempt(site.store, a_person(site.store, "Bob"))
        while not await anext(other):
            continue
        written = await anext(staff)  # though it was seen before staff asked again
        await watcher.close()
        return [*at_first, looks_on, is_gone, written]

    assert asyncio.run(told()) == [False, False, False, False, True]


NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_only_reads_goes_on_though_the_disk_is_full(
    ada: Visitor, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, headers = Store.rows, ada.bearer()

    def fail(self: Store, statement: str, values: Values = ()) -> object:
        if statement.split()[0] in ("insert", "update", "delete"):
            raise disk_error(NO_SPACE, self.path)
        return rows(self, statement, values)

    monkeypatch.setattr(Store, "rows", fail)
    clock.now += 3600.0
    assert ada.get("/").status_code == 200
    assert ada.get("/api/attempts/none", headers=headers).status_code == 404


@pytest.mark.parametrize("what", ["database", "file", "form"])
def test_who_hands_in_is_told_of_a_full_disk(
    ada: Visitor, monkeypatch: pytest.MonkeyPatch, logged_errors: list[str], what: str
) -> None:
    person, csrf = ada.person, ada.csrf()
    with monkeypatch.context() as patch:
        patch.setattr(
            *{
                "database": (attempts, "add", Mock(side_effect=disk_error(NO_SPACE, "serve.sqlite"))),
                "file": (Path, "write_bytes", Mock(side_effect=NO_SPACE)),
                "form": (Request, "form", Mock(side_effect=NO_SPACE)),
            }[what]
        )
        answer = ada.post("/submit", {"csrf": csrf}, files=[("files", file) for file in FILES])
    assert answer.status_code == 507
    assert "is full" in answer.text
    assert "serve.sqlite" not in answer.text
    assert attempts.list_for_person(ada.site.store, person.id) == []
    assert list(ada.site.data.uploads.glob("*.partial")) == []
    assert len(logged_errors) == 1
    logged_errors.clear()
    assert ada.hand_in().status_code == 303, "the next may go in"


@pytest.fixture
def released(site: Site, tmp_path: Path) -> Site:
    """The site with what ``grader release`` wrote for its course."""
    folder = ReleaseFolder(tmp_path / "kit")
    folder.browser.mkdir(parents=True)
    folder.archive.write_bytes(b"zip")
    (folder.browser / LAB_CONFIG).write_text("{}")
    for language in ("en", "nb"):
        (folder.browser / f"handout.{language}.html").write_text(f"in {language}")
    return replace(site, releases=find_releases([f"{COURSE}={folder.path}"], [COURSE]))


def test_a_student_gets_the_kit_the_handout_and_the_lab_of_the_course(enter: Any, released: Site) -> None:
    ada = enter("Ada", site_=released)
    page = ada.get("/").text
    for link in (f"/lab/{COURSE}/", "/kit", "/handout"):
        assert f'href="{link}"' in page
    assert ada.get("/kit").content == b"zip"
    assert "mazes-lab.zip" in ada.get("/kit").headers["content-disposition"]
    handouts = [ada.get(f"/handout?lang={language}").text for language in ("en", "nb", "de")]
    assert handouts == ["in en", "in nb", "in en"]
    assert ada.get(f"/lab/{COURSE}").headers["location"] == f"/lab/{COURSE}/"
    assert ada.get(f"/lab/{COURSE}/{LAB_CONFIG}").json()["service"] == "../../"
    stranger = enter("", site_=released)
    assert [stranger.get(path).headers["location"] for path in ("/kit", "/handout")] == ["/sign-in"] * 2
    other = enter("Ada", site_=replace(released, releases={}))
    assert [other.get(path).status_code for path in ("/kit", "/handout")] == [404] * 2


@pytest.mark.parametrize(
    ("late", "costs"),
    [
        ({"per_day": 12.5}, "Late work loses 12.5 % of its points for each day that has begun."),
        ({"per_day": 0.0}, "Late work costs nothing."),
        ({"per_day": 0.0, "max_days": 0}, "Late work earns nothing."),
        (
            {"per_day": 0.0, "max_days": 2, "grace_minutes": 10.0},
            "More than 2 days late, it earns nothing. The first 10 minutes cost nothing.",
        ),
    ],
)
def test_the_deadline_is_told_with_its_zone_what_is_left_and_what_late_costs(
    ada: Visitor, site: Site, clock: Clock, late: dict[str, Any], costs: str
) -> None:
    told = {3 * 86400: "3 days", 2 * 86400 - 1: "47 hours", 7199: "119 minutes", 60: "less than two minutes"}
    rules = cast(dict[str, CourseRules], site.courses)
    policy = LatePolicy(datetime.fromtimestamp(DEADLINE, ZoneInfo("Europe/Oslo")), **late)
    rules[COURSE] = CourseRules(replace(rules[COURSE].rubric, late=policy))
    for left, words in told.items():
        clock.now = DEADLINE - left
        ada.sign_in("Ada")
        page = ada.get("/").text
        assert "2027-01-15 09:00 (Europe/Oslo)." in page
        assert words in page
        assert f">{costs}<" in page
    clock.now = DEADLINE + 1
    assert EN("serve.deadline_over") in ada.get("/").text
