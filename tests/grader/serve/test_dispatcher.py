"""The dispatcher, with workers that do as they are told and a clock that stands still.

Somebody may withdraw, or be forgotten, before the result is there.
"""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from grader.batch.job import RETRIES, ExerciseDone, MachineFault, choice_data
from grader.errors import Candidate, DiskError, Undecided
from grader.serve import uploads
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import ILL_SECONDS, Dispatcher
from grader.serve.store import attempts, courses, marks, people, queue
from grader.serve.store.database import Store
from grader.serve.store.queue import LEASE_SECONDS
from tests.grader.serve.made import COURSE, Clock, a_person, now
from tests.grader.serve.scripted import FILES, Desk, Scripted, done


@pytest.mark.parametrize("told", [[], [ExerciseDone("bfs", 5.0, 10.0)]])
def test_exercises_stay_as_a_worker_told_them_or_are_read_from_the_result(
    desk: Desk, told: list[ExerciseDone]
) -> None:
    desk.step()
    for step in told:
        desk.dispatcher.record_exercise(COURSE, desk.lane.given[0], step)
    desk.answer(done())
    assert attempts.list_steps(desk.store, desk.attempt.id) == (told or [ExerciseDone("dfs", 60.0, 60.0)])


def test_what_a_clock_decided_is_graded_once_more_when_nothing_waits(desk: Desk) -> None:
    uploads.hand_in(desk.data, desk.store, a_person(desk.store, "Bob").id, FILES, 2.0)
    names = []
    for answer in (done(40.0, again=b"kept"), done(), done(90.0)):
        desk.step()
        names += [(job.name, job.first) for job in desk.lane.given]
        assert (desk.now.score, desk.now.has_result) in ((None, False), (40.0, True))
        desk.answer(answer)
    assert names == [("Ada", b""), ("Bob", b""), ("Ada", b"kept")]
    desk.step()
    assert (desk.now.state, desk.now.score, desk.lane.given) == ("graded", 90.0, [])


def test_a_fault_is_tried_again_and_then_given_up_and_costs_nothing(desk: Desk) -> None:
    desk.store.rows("update people set changed = 0")
    for tried in range(RETRIES + 1):
        desk.step()
        assert len(desk.lane.given) == 1, tried
        desk.answer(MachineFault("the worker was ended (signal 9)"))
        desk.clock.now += 10.0
    assert (desk.now.state, desk.now.reason) == ("fault", "the worker was ended (signal 9)")
    assert attempts.counted_times(desk.store, desk.attempt.person) == []
    assert marks.list_flagged_people(desk.store, COURSE) == [desk.attempt.person], (
        "the class page tells of it"
    )
    desk.step()
    assert desk.lane.given == []


def test_nothing_is_given_up_while_the_machine_is_ill(desk: Desk) -> None:
    for _ in range(RETRIES + 3):
        desk.answer(MachineFault("no sandbox works", lasting=True))
        desk.clock.now += ILL_SECONDS
    desk.answer(done())
    assert desk.now.state == "graded"


def test_what_the_student_chose_goes_with_the_next_job(desk: Desk) -> None:
    choice = choice_data("q", (Candidate("old/", None, {}), Candidate("new/", None, {})))
    desk.step()
    assert desk.lane.given[0].choices == {}
    desk.answer(MachineFault(str(Undecided("found several")), lasting=True, choice=choice))
    assert uploads.find_choice(desk.data, desk.now) == choice
    uploads.choose(desk.data, desk.attempt, "q", 2)
    assert attempts.rerun(desk.store, desk.attempt.id)
    assert uploads.find_choice(desk.data, desk.now) is None
    desk.step()
    assert desk.lane.given[-1].choices == {"q": 2}


def test_what_a_lost_cluster_gives_back_was_no_try(desk: Desk) -> None:
    for _ in range(RETRIES + 3):
        desk.answer(MachineFault("the cluster was lost", waits=True))
        assert (desk.now.state, desk.now.tries) == ("waiting", 0)
        desk.clock.now += 10.0
    desk.answer(done())
    assert desk.now.state == "graded"


def test_a_full_disk_costs_nobody_a_result(desk: Desk) -> None:
    desk.step()
    place = desk.data.attempt(desk.attempt.id)
    place.write_bytes(b"what stands in the way")
    desk.answer(done())
    found = desk.now
    assert found.state == "waiting"
    assert "move away what has this name" in found.reason
    place.unlink()
    desk.clock.now += ILL_SECONDS
    desk.answer(done())
    assert desk.now.state == "graded"


def test_a_result_waits_until_the_database_has_room(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.step()
    desk.lane.answer(done())
    with monkeypatch.context() as patch:
        patch.setattr(queue, "finish", Mock(side_effect=DiskError("no space left")))
        for _ in range(2):
            with pytest.raises(DiskError):
                desk.step()
        assert not desk.dispatcher.is_idle
    desk.step()
    assert desk.now.state == "graded"
    assert desk.dispatcher.is_idle


def test_a_new_dispatcher_takes_over_what_a_dead_one_held(desk: Desk) -> None:
    desk.step()
    other = Scripted()
    successor = Dispatcher(desk.data, desk.store, {COURSE: other}, 1, clock=desk.clock)
    successor.step(seconds=0.0)
    assert [job.name for job in other.given] == ["Ada"]
    desk.answer(done(10.0))
    assert desk.now.state == "running", "what the dead one brings is not taken"
    other.answer(done(90.0))
    successor.step(seconds=0.0)
    assert desk.now.score == 90.0


def test_leases_are_renewed_while_workers_are_at_it(desk: Desk) -> None:
    desk.step()
    for _ in range(20):
        desk.clock.now += LEASE_SECONDS / 2
        desk.step()
        queue.release_expired(desk.store, desk.clock.now)
        assert desk.now.state == "running"


def test_all_workers_of_all_courses_work_and_no_more(data: DataFolder, store: Store) -> None:
    courses.put(store, "other", "Other")
    for course in (COURSE, "other"):
        for number in range(3):
            person = a_person(store, f"P{number}", course=course)
            uploads.hand_in(data, store, person.id, FILES, float(number))
    lanes = {COURSE: Scripted(2), "other": Scripted(2)}
    Dispatcher(data, store, lanes, 3, clock=Clock()).step(seconds=0.0)
    assert sorted(len(lane.given) for lane in lanes.values()) == [1, 2]


def test_progress_is_written_down_for_what_is_in_hand(desk: Desk) -> None:
    desk.step()
    [job] = desk.lane.given
    desk.dispatcher.record_exercise(COURSE, job, ExerciseDone("bfs", 5.0, 10.0))
    desk.dispatcher.record_exercise("another", job, ExerciseDone("dfs", 5.0, 10.0))
    assert attempts.list_steps(desk.store, desk.attempt.id) == [ExerciseDone("bfs", 5.0, 10.0)]
    people.remove(desk.store, desk.attempt.person)
    desk.dispatcher.record_exercise(COURSE, job, ExerciseDone("dfs", 5.0, 10.0))  # forgotten meanwhile
    assert attempts.list_steps(desk.store, desk.attempt.id) == []


def test_at_the_end_nothing_more_is_taken_and_what_is_in_hand_is_given_back(desk: Desk) -> None:
    desk.dispatcher.step(takes=False, seconds=0.0)
    assert (desk.lane.given, desk.now.state) == ([], "waiting")
    desk.step()
    assert not desk.dispatcher.is_idle
    desk.dispatcher.step(takes=False, seconds=0.0)
    desk.dispatcher.release()
    assert desk.dispatcher.is_idle
    assert (desk.now.state, desk.now.tries) == ("waiting", 0)


def test_who_withdraws_and_hands_in_again_gets_the_mark_of_the_later_work(desk: Desk) -> None:
    lane = Scripted(2)
    dispatcher = Dispatcher(desk.data, desk.store, {COURSE: lane}, 2, clock=desk.clock)
    dispatcher.step(seconds=0.0)
    attempts.withdraw(desk.store, desk.attempt.id)
    later = uploads.hand_in(desk.data, desk.store, desk.attempt.person, FILES, desk.clock.now)
    dispatcher.step(seconds=0.0)
    first, second = lane.given
    assert first.name == second.name
    lane.answer(done(15.0))
    dispatcher.step(seconds=0.0)
    assert now(desk.store, later).state == "running"
    lane.answer(done(100.0))
    dispatcher.step(seconds=0.0)
    assert (desk.now.state, now(desk.store, later).score) == ("withdrawn", 100.0)
    assert dispatcher.is_idle


def test_who_is_forgotten_while_the_result_is_written_leaves_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forget(*_: object) -> bool:
        people.remove(desk.store, desk.attempt.person)
        return True

    desk.step()
    monkeypatch.setattr(queue, "holds_lease", forget)
    desk.answer(done())
    assert not desk.data.attempt(desk.attempt.id).exists()


def test_a_clock_that_is_set_back_holds_no_job_up(desk: Desk) -> None:
    desk.clock.now += 3600.0
    desk.answer(MachineFault("no sandbox works", lasting=True))
    desk.clock.now -= 3600.0
    desk.answer(done())
    assert desk.now.state == "graded"
