"""A class that is graded again: behind what students hand in, unseen, and published at once or dropped."""

from __future__ import annotations

import re

import pytest

from grader.batch.decisions import MarkChange
from grader.batch.job import RETRIES, ExerciseDone, MachineFault
from grader.serve import uploads
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts, courses, people, regrades, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.queue import Outcome
from tests.grader.serve.made import COURSE, Graded, UpToDate, a_person, now, standing, write_score
from tests.grader.serve.scripted import FILES, Desk, done
from tests.grader.serve.web.made import Visitor


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Ada's attempt is graded, and her class is to be graded again."""
    desk.answer(done(60.0))
    settings.put(desk.store, settings.STAMP + COURSE, "new")
    assert regrades.begin(desk.store, COURSE, 2.0)
    assert not regrades.begin(desk.store, COURSE, 2.0), "it is going on"
    return desk


def hand_in(desk: Desk, name: str) -> Attempt:
    return uploads.hand_in(desk.data, desk.store, a_person(desk.store, name).id, FILES, 3.0)


def second(desk: Desk) -> Attempt:
    [found] = regrades.with_second(desk.store, COURSE, [desk.now])
    return found


def progress(desk: Desk) -> tuple[int, int, int]:
    found = regrades.get(desk.store, COURSE)
    assert found is not None
    return found.count, found.waiting, found.failed


def test_it_comes_behind_all_that_students_hand_in_and_nothing_of_it_shows(desk: Desk) -> None:
    before, steps = desk.now, attempts.list_steps(desk.store, desk.attempt.id)
    bob = hand_in(desk, "Bob")
    desk.step()
    assert [job.name for job in desk.lane.given] == ["Bob"]
    desk.answer(done(30.0))
    assert (now(desk.store, bob).stamp, before.stamp) == ("new", "")
    desk.step()
    [job] = desk.lane.given
    desk.dispatcher.record_exercise(COURSE, job, ExerciseDone("bfs", 5.0, 10.0))
    desk.lane.answer(done(90.0))
    desk.step()
    assert (desk.now, attempts.list_steps(desk.store, desk.attempt.id)) == (before, steps)
    assert (second(desk).score, second(desk).stamp, progress(desk)) == (90.0, "new", (1, 0, 0))
    folders = {each.name for each in desk.data.attempts.iterdir()}
    assert folders == {desk.attempt.id, bob.id, desk.data.result(second(desk)).name}
    assert b"60" in (desk.data.attempt(desk.attempt.id) / "results.json").read_bytes()
    desk.step()
    assert desk.lane.given == []


def test_refused_work_is_graded_again_too_and_what_is_withdrawn_or_new_is_not(desk: Desk) -> None:
    assert regrades.drop(desk.store, COURSE)
    states = ("refused", "fault", "withdrawn", "replaced", "waiting")
    for state in states:
        desk.store.rows("update attempts set state = ? where id = ?", (state, hand_in(desk, state).id))
    regrades.begin(desk.store, COURSE, 4.0)
    assert progress(desk) == (3, 3, 0)
    attempts.withdraw(desk.store, desk.attempt.id)
    assert progress(desk) == (2, 2, 0)


def test_a_second_result_survives_a_restart_but_not_another_rubric(desk: Desk) -> None:
    desk.step()
    again = Desk(desk.data, desk.store, desk.attempt)
    again.answer(done(90.0))
    regrades.requeue_outdated(desk.store, COURSE, "new")
    assert (progress(desk), second(desk).score) == ((1, 0, 0), 90.0)
    regrades.requeue_outdated(desk.store, COURSE, "newer")
    assert (progress(desk), second(desk).score) == ((1, 1, 0), 60.0)


def test_what_the_machine_fails_on_keeps_what_it_has(desk: Desk) -> None:
    for _ in range(RETRIES + 1):
        desk.answer(MachineFault("the worker was ended (signal 9)"))
        desk.clock.now += 10.0
    assert (progress(desk), second(desk)) == ((1, 0, 1), desk.now)
    desk.step()
    assert desk.lane.given == []
    regrades.publish(desk.store, COURSE)
    assert (desk.now.state, desk.now.score, desk.now.edition) == ("graded", 60.0, 0)


@pytest.mark.parametrize("how", ["dropped", "forgotten"])
def test_what_nobody_wants_any_more_leaves_no_files(desk: Desk, how: str) -> None:
    desk.step()
    if how == "dropped":
        regrades.drop(desk.store, COURSE)
    else:
        people.remove(desk.store, desk.attempt.person)
    desk.lane.answer(done(90.0))
    desk.step()
    assert [each.name for each in desk.data.attempts.iterdir()] == [desk.attempt.id]


def test_files_are_swept_when_the_results_in_them_hold_no_more(desk: Desk) -> None:
    desk.answer(done(90.0))
    folder = desk.data.result(second(desk))
    uploads.sweep_orphans(desk.data, desk.store, older_than=1e12)
    assert folder.is_dir()
    regrades.drop(desk.store, COURSE)
    uploads.sweep_orphans(desk.data, desk.store, older_than=1e12)
    assert (folder.is_dir(), desk.data.attempt(desk.attempt.id).is_dir()) == (False, True)


# --- whose marks move -------------------------------------------------------------------------------


def grade_again(data: DataFolder, store: Store, scores: dict[str, float]) -> None:
    """Have the attempts of the class graded again, with these scores by id."""
    regrades.begin(store, COURSE, 50.0)
    while found := regrades.claim(store, [COURSE], [], 60.0):
        who = people.get(store, found.person)
        assert who is not None
        score = scores[found.id]
        write_score(data.result(found), who, score)
        outcome = Outcome("graded", f"{found.id} again", score, 100.0, 2.0, stamp="new")
        assert regrades.finish(store, found, outcome, [ExerciseDone("dfs", score, 100.0)], 61.0)


def row_of(page: str, name: str) -> str:
    """The texts in the row of a student."""
    [row] = [row for row in re.findall(r"(?s)<tr.*?</tr>", page) if f">{name}<" in row]
    return " ".join(re.sub(r"<[^>]+>", " ", row).split())


@pytest.mark.processes
def test_marks_move_all_at_once_when_a_teacher_says_so(
    staff: Visitor, ada: Visitor, data: DataFolder, store: Store, graded: Graded, up_to_date: UpToDate
) -> None:
    bob, cy = a_person(store, "Bob"), a_person(store, "Cy")
    first, better = graded(ada.person, 60.0, 1.0), graded(ada.person, 70.0, 2.0)
    his, same = graded(bob, 40.0, 3.0), graded(cy, 50.0, 4.0)
    up_to_date()
    data.course(COURSE).adjust("Bob", MarkChange("score", "Grace", "it was shown", points=45.0))
    folder = up_to_date()
    settings.put(store, settings.STAMP + COURSE, "new")
    assert "4 results are of an older rubric" in staff.get("/staff/regrade").text
    grade_again(data, store, {first.id: 95.0, better.id: 80.0, his.id: 42.0, same.id: 50.0})
    table, seen = (folder / "grades.csv").read_bytes(), ada.get(f"/attempts/{first.id}").text

    page = staff.get("/staff/regrade").text
    assert row_of(page, "Ada") == "Ada 70 / 100 95 / 100 +25 attempt 1, not 2 –"
    assert (
        "45 / 100 45 / 100 0 attempt 1 The grader gave 40 then, and gives 42 now: 45, it was shown"
        in row_of(page, "Bob")
    )
    assert ">Cy<" not in page
    up_to_date()
    assert (folder / "grades.csv").read_bytes() == table
    assert ada.get(f"/attempts/{first.id}").text == seen

    assert staff.post("/staff/regrade", {"action": "publish"}).status_code == 303
    assert standing(store, ada.person) == (better.id, 70.0), "it is published with the class folder"
    assert staff.post("/staff/regrade", {"action": "drop"}).status_code == 400
    up_to_date()
    assert [standing(store, who) for who in (ada.person, bob, cy)] == [
        (first.id, 95.0),
        (his.id, 45.0),
        (same.id, 50.0),
    ]
    assert b"95" in (folder / "Ada/results.json").read_bytes()
    assert "<strong>95</strong>" in ada.get(f"/attempts/{first.id}").text
    assert attempts.list_steps(store, first.id) == [ExerciseDone("dfs", 95.0, 100.0)]
    assert (regrades.get(store, COURSE), attempts.count_outdated(store, COURSE, "new")) == (None, 0)
    told = [(act.what, act.whom) for act in courses.list_log(store, COURSE)]
    assert told == [("grade all again: publish", "all")]


@pytest.mark.processes
def test_what_comes_or_is_graded_once_more_meanwhile_stays_as_it_is(
    data: DataFolder, store: Store, graded: Graded, up_to_date: UpToDate
) -> None:
    ada, bob = a_person(store), a_person(store, "Bob")
    first, his = graded(ada, 60.0, 1.0), graded(bob, 50.0, 2.0)
    grade_again(data, store, {first.id: 90.0, his.id: 90.0})
    later = graded(ada, 95.0, 70.0)
    up_to_date()
    assert attempts.rerun(store, his.id)
    regrades.ask_to_publish(store, COURSE)
    up_to_date()
    assert (standing(store, ada), now(store, first).score) == ((later.id, 95.0), 90.0)
    assert (now(store, his).state, now(store, his).score, standing(store, bob)) == (
        "waiting",
        50.0,
        (his.id, 50.0),
    )


def test_only_what_is_done_is_published(staff: Visitor, ada: Visitor) -> None:
    ada.gets()
    assert [
        staff.post("/staff/regrade", {"action": action}).status_code for action in ("publish", "drop")
    ] == [400] * 2
    assert staff.post("/staff/regrade", {"action": "begin"}).status_code == 303
    assert "0 of 1 attempts are done" in staff.get("/staff/regrade").text
    for action, status in (("publish", 400), ("begin", 400), ("other", 400), ("drop", 303)):
        assert staff.post("/staff/regrade", {"action": action}).status_code == status
    assert regrades.get(staff.site.store, COURSE) is None
    assert ada.get("/staff/regrade").status_code == 404
