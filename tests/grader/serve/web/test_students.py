"""What students do, page by page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from grader.batch.decisions import MarkChange, adjust_mark
from grader.batch.job import Course, choice_data
from grader.course.rubric import Rubric
from grader.errors import Candidate, Undecided
from grader.languages import catalogue, languages
from grader.serve import dispatcher, uploads
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import ClassFolderUpdater
from grader.serve.store import attempts, marks
from grader.serve.store.attempts import Attempt, Upload
from grader.serve.web.student_pages import UploadRejected, accept_upload
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE, Graded, UpToDate
from tests.grader.serve.web.made import DEADLINE, FILES, Clock, Visitor, graded, newest, results

EN = catalogue("en")


def test_what_waits_gives_its_place_to_the_next_though_nothing_is_left(ada: Visitor, site: Site) -> None:
    for _ in range(2):
        ada.gets()
    ada.hand_in()
    page = ada.get("/").text
    assert EN("serve.tickets.none", when="07:30") in page
    assert 'type="file"' in page
    assert ada.hand_in().status_code == 303
    states = [each.state for each in attempts.list_for_person(site.store, ada.person.id)]
    assert states == ["waiting", "replaced", "graded", "graded"]
    graded(site, newest(site, ada.person))
    assert ada.hand_in().status_code == 429


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


def test_who_handed_in_several_attempts_in_one_chooses_by_one_click(ada: Visitor, site: Site) -> None:
    ada.hand_in()
    attempt, reason = newest(site, ada.person), str(Undecided("found several"))
    statement = "update attempts set state = 'fault', reason = ?, counts_against_bucket = 0 where id = ?"
    site.store.rows(statement, (reason, attempt.id))
    found = Candidate("<b>/", "2026-11-01T10:00:00+00:00", {"solvers/dfs.py": "a"}), Candidate("b/", None, {})
    uploads.put_choice(site.data, attempt, choice_data("q", found))
    page = ada.get(f"/attempts/{attempt.id}").text
    assert '<button type="submit" name="which" value="1">&lt;b&gt;/</button>' in page
    assert "solvers/dfs.py" in page
    for wrong in ("", "0", "3", "b/"):
        assert ada.post(f"/attempts/{attempt.id}/choose", {"which": wrong}).status_code == 400
    ada.post(f"/attempts/{attempt.id}/choose", {"which": "2"})
    assert uploads.choices_of(site.data, attempt) == {"q": 2}
    assert newest(site, ada.person).state == "waiting"
    assert len(attempts.counted_times(site.store, ada.person.id)) == 1
    assert ada.post(f"/attempts/{attempt.id}/choose", {"which": "2"}).status_code == 400


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
    token = ada.post("/token").text.split("MAZE_TOKEN=")[1].split()[0]
    ada.hand_in()
    lost = ("dfs.hidden-mazes", "bfs.valid-path", "bfs.hidden-mazes")
    graded(site, newest(site, ada.person), results(lost=lost))
    address = f"/api/attempts/{newest(site, ada.person).id}"

    def causes() -> list[str]:
        told = ada.client.get(address, headers={"Authorization": f"Bearer {token}"}).json()["causes"]
        return [str(cause) for cause in told]

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


@pytest.mark.parametrize("code", languages())
def test_pages_speak_the_language_that_was_chosen(ada: Visitor, site: Site, code: str) -> None:
    ada.gets()
    t, id_ = catalogue(code), newest(site, ada.person).id
    assert t("serve.hand_in.what") in ada.get(f"/?lang={code}").text
    for path in ("/", f"/attempts/{id_}", f"/feedback/{id_}/"):
        page = ada.get(path).text
        assert f'<html lang="{code}">' in page
        assert "serve." not in page.replace("/static/", "")


def test_signing_out_ends_the_sign_in(ada: Visitor) -> None:
    cookie = ada.client.cookies["session"]
    ada.post("/sign-out")
    ada.client.cookies.set("session", cookie)
    assert ada.get("/").headers["location"] == "/sign-in"


def _hide(site: Site) -> None:
    """Have the rubric tell of hidden checks after the deadline only."""
    courses = cast(dict[str, Rubric], site.courses)
    courses[COURSE] = replace(courses[COURSE], hidden_feedback="after_deadline")


def mark_of(visitor: Visitor, attempt: Attempt) -> str:
    """The mark on the feedback page of an attempt."""
    page = visitor.get(f"/attempts/{attempt.id}").text
    (mark,) = re.findall("<strong>([0-9]+)</strong> / 100", page)
    return str(mark)


def test_no_attempt_shows_the_result_of_another_while_reports_are_written(
    ada: Visitor, graded: Graded, up_to_date: UpToDate, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = graded(ada.person, 60.0, 1.0)
    up_to_date()
    second, report, seen = graded(ada.person, 90.0, 2.0), dispatcher._report, []

    def look(*given: Any) -> None:
        seen.append((mark_of(ada, first), mark_of(ada, second)))
        report(*given)
        seen.append((mark_of(ada, first), mark_of(ada, second)))

    monkeypatch.setattr(dispatcher, "_report", look)
    up_to_date()
    assert [*seen, (mark_of(ada, first), mark_of(ada, second))] == [("60", "90")] * 3


def test_what_a_command_decides_is_published_too(
    ada: Visitor, site: Site, course: Course, graded: Graded, up_to_date: UpToDate
) -> None:
    attempt = graded(ada.person, 60.0, 1.0)
    folder = up_to_date()
    adjust_mark(folder, "Ada", MarkChange("score", "Grace", "talked about it", points=75.0))
    updater = ClassFolderUpdater(site.data, site.store, {COURSE: course})
    assert updater.outdated_courses() == [COURSE]
    updater.close()
    assert mark_of(ada, attempt) == "75"
    assert updater.outdated_courses() == []
