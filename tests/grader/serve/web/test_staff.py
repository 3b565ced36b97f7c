"""What staff see and do; every act is in the log."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from grader.batch.changes.review import review
from grader.batch.journal import Journal, JournalRow
from grader.batch.lock import Busy
from grader.batch.report.class_facts import ClassFacts, save
from grader.course.rubric import Rubric
from grader.feedback import render_html
from grader.intake.class_listing import ClassListing, HandIn
from grader.serve.lti import platforms
from grader.serve.lti.platform_requests import PlatformAnswer
from grader.serve.service import register_courses
from grader.serve.store import attempts, courses, credentials, marks, outbox, people, queue
from grader.serve.store.people import Newcomer
from grader.serve.web.site import Site
from grader.serve.web.staff import actions
from tests.grader.serve.lti.gradebook_line import Line, scores_over, send_one
from tests.grader.serve.lti.world import registration
from tests.grader.serve.made import COURSE, taken
from tests.grader.serve.web.conftest import Enter
from tests.grader.serve.web.made import DEADLINE, Clock, Visitor, graded, newest, person, results


@pytest.fixture
def class_folder(ada: Visitor, site: Site) -> Path:
    """Where Ada's result counts, as the dispatcher would have it."""
    ada.gets()
    folder = site.data.course(COURSE)
    folder.mkdir()
    made = json.dumps(results(), indent=1, ensure_ascii=False) + "\n"
    page = render_html(results()).encode()
    with Journal(folder) as journal:
        journal.record(JournalRow("Ada", "key", "graded", 1.0, ""), made.encode(), page)
    exercises = (("dfs", "DFS"), ("bfs", "BFS"))
    save(folder, ClassFacts("Mazes", "fake", exercises, 300.0, ClassListing("", (HandIn("Ada", ()),), ())))
    return folder


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("grades.csv", "text/csv; charset=utf-8"),
        ("scores.svg", "image/svg+xml"),
        ("first_pass.png", "image/png"),
    ],
)
def test_what_the_class_page_links_to(
    staff: Visitor, ada: Visitor, class_folder: Path, name: str, kind: str
) -> None:
    assert staff.get(f"/staff/class/{name}").status_code == 404
    (class_folder / name).write_bytes(b"content")
    answer = staff.get(f"/staff/class/{name}")
    assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, b"content", kind)
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert ada.get(f"/staff/class/{name}").status_code == 404


def test_what_a_platform_said_stands_beside_the_score(
    staff: Visitor, ada: Visitor, site: Site, clock: Clock
) -> None:
    ada.gets()
    platform = platforms.add(site.store, registration())
    outbox.put_lineitem(site.store, ada.person.id, platform=platform.id, url="https://p.org/line")
    outbox.add_changed_marks(site.store, clock.now)
    refused = PlatformAnswer(409, {}, b'{"reason": "Refusing score with an earlier timestamp <b>"}')
    send_one(site.store, scores_over(Line([refused])), clock.now)
    page = staff.get("/staff/scores").text
    assert "try 1 failed: the platform answered 409:" in page
    assert "Refusing score with an earlier timestamp &lt;b&gt;" in page


def acts(site: Site) -> list[tuple[str, str, str]]:
    return [(act.actor, act.what, act.whom) for act in courses.list_log(site.store, COURSE)]


def test_the_class_as_it_stands(staff: Visitor, ada: Visitor, enter: Enter) -> None:
    ada.gets()
    enter("Bob").hand_in()
    page = staff.get("/staff/").text
    assert "40 / 40" in page
    assert "attempt 1" in page
    assert "Bob" in page
    assert "Staff: Grace" in page


def test_scores_that_wait_for_the_deadline(staff: Visitor, ada: Visitor, site: Site, clock: Clock) -> None:
    hidden = replace(site.courses[COURSE], hidden_feedback="after_deadline")
    cast(dict[str, Rubric], site.courses)[COURSE] = hidden
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


def test_the_queue_says_why_a_job_waits(staff: Visitor, ada: Visitor, enter: Enter, site: Site) -> None:
    for visitor in (enter("Bob"), ada):
        visitor.hand_in()
    claimed = taken(site.store, site.clock(), "test")
    queue.put_back(site.store, "test", claimed.id, "no engine", site.clock())
    page = staff.get("/staff/queue").text
    assert "retried after a machine fault: no engine" in page
    assert "1 ahead of it" in page
    again = taken(site.store, site.clock(), "test")
    queue.fail(site.store, "test", again.id, "no engine at all", site.clock())
    assert "no engine at all" in staff.get("/staff/queue").text


def test_rerun_and_withdraw(staff: Visitor, ada: Visitor, site: Site) -> None:
    ada.hand_in()
    attempt = newest(site, ada.person)
    assert "already waiting or running" in staff.post(f"/staff/attempts/{attempt.id}/rerun").text
    graded(site, attempt)
    assert staff.post(f"/staff/attempts/{attempt.id}/rerun").status_code == 303
    assert newest(site, ada.person).state == "waiting"
    assert "it is graded again" in staff.get("/staff/queue").text
    assert "40 / 40" in ada.get("/").text  # what it has counts meanwhile
    staff.post(f"/staff/attempts/{attempt.id}/withdraw")
    assert newest(site, ada.person).state == "withdrawn"
    assert acts(site) == [("Grace", "withdraw attempt", "Ada"), ("Grace", "rerun", "Ada")]


def test_a_deadline_for_one(staff: Visitor, ada: Visitor, site: Site) -> None:
    id_ = ada.person.id
    path = f"/staff/people/{id_}/deadline"
    assert staff.post(path, {"deadline": "2027-02-01T12:00"}).status_code == 303
    assert marks.own_deadline(site.store, id_) == DEADLINE + (17 * 24 + 4) * 3600
    assert "2027-02-01 12:00" in ada.get("/").text
    assert "Expected a date" in staff.post(path, {"deadline": "tomorrow"}).text
    assert "there is no day 2027-02-30" in staff.post(path, {"deadline": "2027-02-30T12.00"}).text
    assert staff.post(path, {"deadline": "2027-02-01T12:00", "back": "1"}).status_code == 303
    assert marks.own_deadline(site.store, id_) is None
    assert [what for _, what, _ in acts(site)] == ["deadline", "deadline"]


def test_adjusting_writes_the_ledger_of_grader_adjust(staff: Visitor, site: Site, class_folder: Path) -> None:
    path = f"/staff/people/{person(site, 'Ada').id}/adjust"
    change = {"action": "check", "check": "bfs.valid-path", "points": "-2,5", "reason": "talked about it"}
    answer = staff.post(path, change)
    assert answer.status_code == 303, answer.text
    decision = json.loads((class_folder / "ledger.jsonl").read_text())
    assert (decision["who"], decision["points"], decision["reason"]) == ("Grace", -2.5, "talked about it")
    assert json.loads((class_folder / "Ada" / "results.json").read_text())["score"] == 37.5
    page = staff.get(f"/staff/people/{person(site, 'Ada').id}").text
    assert "talked about it" in page
    assert acts(site) == [("Grace", "adjust check", "Ada")]
    staff.post(path, {"action": "undo"})
    assert json.loads((class_folder / "Ada" / "results.json").read_text())["score"] == 40.0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"action": "score", "points": "5"}, "expected a reason"),
        ({"action": "score", "points": "lots", "reason": "r"}, "expected points"),
        ({"action": "score", "points": "1,000", "reason": "r"}, "1000 for a thousand, got &#39;1,000&#39;"),
        ({"action": "score", "points": "1000", "reason": "r"}, "expected a score from 0 to 40"),
        (
            {"action": "check", "check": "bfs.valid-path", "points": "0", "reason": "r"},
            "points to add",
        ),
        ({"action": "check", "check": "no.such", "points": "1", "reason": "r"}, "expected a check"),
        ({"action": "undo"}, "nothing was decided"),
    ],
    ids=str,
)
def test_what_cannot_be_adjusted_is_said_and_changes_nothing(
    staff: Visitor, site: Site, class_folder: Path, change: dict[str, str], told: str
) -> None:
    page = staff.post(f"/staff/people/{person(site, 'Ada').id}/adjust", change).text
    assert told in page
    assert str(class_folder) not in page
    assert not (class_folder / "ledger.jsonl").exists()
    assert acts(site) == []


def test_who_comes_while_the_class_is_brought_up_to_date_is_told(
    staff: Visitor, site: Site, class_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_folder: Path) -> object:
        raise Busy("somebody is at work")

    monkeypatch.setattr("grader.batch.open_results.hold", busy)
    monkeypatch.setattr(actions, "_PAUSE_SECONDS", 0.0)
    change = {"action": "score", "points": "5", "reason": "r"}
    assert (
        "try again in a minute" in staff.post(f"/staff/people/{person(site, 'Ada').id}/adjust", change).text
    )
    assert not (class_folder / "ledger.jsonl").exists()
    assert acts(site) == []


def test_the_review_inbox(staff: Visitor, site: Site, class_folder: Path) -> None:
    made = results()
    made["exercises"][0]["checks"][0]["status"] = "violation"
    with Journal(class_folder) as journal:
        content = json.dumps(made, indent=1, ensure_ascii=False).encode() + b"\n"
        journal.record(JournalRow("Ada", "key", "graded", 1.0, ""), content, render_html(made).encode())
    item = next(each for each in review(class_folder, [], [], "Grace") if each.kind == "violation")
    page = staff.get("/staff/review").text
    assert "Broke the protocol of the sandbox" in page
    assert item.id in page
    assert staff.post("/staff/review", {"item": item.id, "about": "Ada"}).status_code == 303
    assert item.id not in staff.get("/staff/review").text
    assert staff.post("/staff/review", {"item": item.id, "about": "Ada", "again": "1"}).status_code == 303
    assert item.id in staff.get("/staff/review").text
    assert "expected an item" in staff.post("/staff/review", {"item": "none", "about": "Ada"}).text
    assert acts(site) == [("Grace", "reopen", "Ada"), ("Grace", "looked at", "Ada")]


def test_exports_are_those_of_the_command_line(staff: Visitor, site: Site, class_folder: Path) -> None:
    review(class_folder, [], [], "Grace")
    answer = staff.post("/staff/export", {"what": "grades.csv"})
    assert answer.content == (class_folder / "grades.csv").read_bytes()
    assert answer.headers["content-disposition"] == 'attachment; filename="grades.csv"'
    answer = staff.post("/staff/export", {"what": "canvas", "anyway": "1", "assignment": "Lab 3"})
    assert "Lab 3" in answer.text
    assert answer.headers["content-disposition"] == 'attachment; filename="mazes-canvas.csv"'
    assert staff.post("/staff/export", {"what": "../secret"}).status_code == 400
    assert acts(site) == [("Grace", "export", "mazes-canvas.csv"), ("Grace", "export", "grades.csv")]


def test_a_new_link_voids_the_one_before(staff: Visitor, site: Site) -> None:
    bob = people.put(site.store, Newcomer(COURSE, "Bob", "student", "invite", "1"), 1.0)
    before = credentials.create_invitation(site.store, bob.id, 1.0)
    page = staff.post(f"/staff/people/{bob.id}/invite").text
    token = page.split("/invite/")[1].split("<")[0]
    assert credentials.find_invited(site.store, before) is None
    assert credentials.find_invited(site.store, token) == bob.id
    assert acts(site) == [("Grace", "sign-in link", "Bob")]


def test_the_log_tells_who_used_a_link_that_staff_made(staff: Visitor, enter: Enter, site: Site) -> None:
    bob = people.put(site.store, Newcomer(COURSE, "Bob", "student", "invite", "1"), 1.0)
    link = staff.post(f"/staff/people/{bob.id}/invite").text.split("/invite/")[1].split("<")[0]
    assert enter("").post(f"/invite/{link}").status_code == 303
    assert acts(site) == [("Grace", "sign-in link used", "Bob"), ("Grace", "sign-in link", "Bob")]
    own = credentials.create_invitation(site.store, bob.id, 1.0)
    assert enter("").post(f"/invite/{own}").status_code == 303
    assert len(acts(site)) == 2, "of a link by whoever runs the service, there is nothing to log"


def test_students_of_one_name_are_told_apart(staff: Visitor, site: Site) -> None:
    for number, email in enumerate(("kim@x.org", "")):
        people.put(site.store, Newcomer(COURSE, "Kim Li", "student", "invite", f"{number}", email), 1.0)
    page = staff.get("/staff/").text
    assert "kim@x.org" in page
    assert "Kim Li-2" in page


def test_staff_make_no_link_for_staff(staff: Visitor, site: Site) -> None:
    tea = people.put(site.store, Newcomer(COURSE, "Tea", "staff", "invite", "1"), 1.0)
    assert "Make a new link" not in staff.get(f"/staff/people/{tea.id}").text
    assert staff.post(f"/staff/people/{tea.id}/invite").status_code == 403
    assert acts(site) == []


def test_pages_of_the_class_are_shown_in_a_sandbox(staff: Visitor, class_folder: Path) -> None:
    (class_folder / "index.html").write_text("the class")
    answer = staff.get("/staff/class/index.html")
    assert answer.text == "the class"
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert staff.get("/staff/class/Ada/feedback.html").status_code == 200
    for path in (".journal.sqlite", "ledger.jsonl", "Ada/results.json", ".items.json"):
        assert staff.get(f"/staff/class/{path}").status_code == 404, path


def test_the_pages_of_an_attempt_for_staff(staff: Visitor, ada: Visitor, site: Site) -> None:
    ada.hand_in()
    attempt = newest(site, ada.person)
    assert staff.get(f"/staff/attempts/{attempt.id}/staff").status_code == 404
    graded(site, attempt)
    for page in ("staff", "feedback"):
        assert staff.get(f"/staff/attempts/{attempt.id}/{page}").status_code == 200
    assert attempts.get(site.store, attempt.id) is not None
