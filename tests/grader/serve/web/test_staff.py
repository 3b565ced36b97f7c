"""What staff see and do; every act is in the log."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from grader.batch.journal import Busy, Journal, JournalRow
from grader.batch.report.class_facts import ClassFacts, save
from grader.batch.review import review
from grader.course.rubric import Rubric
from grader.feedback import render_html
from grader.intake.class_listing import ClassListing, HandIn
from grader.serve.lti import platforms
from grader.serve.lti.platforms import PlatformAnswer
from grader.serve.service import register_courses
from grader.serve.store import courses, credentials, marks, outbox, people
from grader.serve.store.people import Newcomer
from grader.serve.web.visits import Site
from tests.grader.serve.lti.gradebook_line import Line, scores_over, send_one
from tests.grader.serve.lti.world import registration
from tests.grader.serve.made import COURSE
from tests.grader.serve.web.conftest import Enter
from tests.grader.serve.web.made import DEADLINE, Clock, Visitor, person, results


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


def test_who_comes_while_the_class_is_brought_up_to_date_is_told(
    staff: Visitor, site: Site, class_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_folder: Path) -> object:
        raise Busy("somebody is at work")

    monkeypatch.setattr("grader.batch.open_results.hold", busy)
    monkeypatch.setattr(staff, "_PAUSE_SECONDS", 0.0)
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


def test_the_log_tells_who_used_a_link_that_staff_made(staff: Visitor, enter: Enter, site: Site) -> None:
    bob = people.put(site.store, Newcomer(COURSE, "Bob", "student", "invite", "1"), 1.0)
    link = staff.post(f"/staff/people/{bob.id}/invite").text.split("/invite/")[1].split("<")[0]
    assert enter("").post(f"/invite/{link}").status_code == 303
    assert acts(site) == [("Grace", "sign-in link used", "Bob"), ("Grace", "sign-in link", "Bob")]
    own = credentials.create_invitation(site.store, bob.id, 1.0)
    assert enter("").post(f"/invite/{own}").status_code == 303
    assert len(acts(site)) == 2, "of a link by whoever runs the service, there is nothing to log"


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
