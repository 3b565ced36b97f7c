"""The dispatcher, with workers that do as they are told and a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from grader.batch.choices import choice_data
from grader.batch.job import Done, ExerciseDone, MachineFault
from grader.batch.orchestrator import RETRIES
from grader.errors import Candidate, DiskError, Undecided
from grader.grading.pipeline import RESULTS
from grader.serve import upload_storage
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import ILL_SECONDS, Dispatcher
from grader.serve.store import attempts, courses, people, progress, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.queue import LEASE_SECONDS
from tests.grader.serve.made import COURSE, a_person
from tests.grader.serve.scripted import FILES, Clock, Scripted, done, now


def test_a_job_is_graded_and_kept(
    data: DataFolder, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    [job] = lane.given
    assert (job.name, job.hand_in.labels) == ("Ada", ("bfs.py",))
    assert [path.read_bytes() for path in job.hand_in.sources] == [FILES[0][1]]
    lane.answer(done())
    step()
    found = now(store, attempt)
    assert (found.state, found.score, found.max_score, found.seconds) == ("graded", 80.0, 100.0, 3.0)
    assert (data.attempt(attempt.id) / RESULTS).read_bytes() == done().results


def test_the_exercises_that_no_worker_told_before_are_read_from_the_result(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    lane.answer(done())
    step()
    assert progress.list_for_attempt(store, attempt.id) == [ExerciseDone("dfs", 60.0, 60.0)]


def test_the_exercises_that_a_worker_told_before_stay_as_they_were_told(
    store: Store, dispatcher: Dispatcher, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    dispatcher.record_exercise(COURSE, lane.given[0], ExerciseDone("bfs", 5.0, 10.0))
    lane.answer(done())
    step()
    assert progress.list_for_attempt(store, attempt.id) == [ExerciseDone("bfs", 5.0, 10.0)]


def test_archives_count_as_those_of_a_bulk_download_do(
    data: DataFolder, store: Store, lane: Scripted, step: Callable[[], None]
) -> None:
    archives = [("search.zip", b"PK"), ("rest.zip", b"PK")]
    upload_storage.hand_in(data, store, a_person(store).id, archives, 1.0)
    step()
    [job] = lane.given
    assert job.hand_in.labels == ("search.zip", "rest.zip")


def test_what_could_not_be_read_is_refused_with_the_reason(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    lane.answer(Done("key", b"{}", b"page", {}, b"", 1.0, 0.0, 100.0, refused="it is a picture"))
    step()
    assert (now(store, attempt).state, now(store, attempt).reason) == ("refused", "it is a picture")


def test_what_a_clock_decided_is_graded_once_more_when_nothing_waits(
    data: DataFolder, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    upload_storage.hand_in(data, store, a_person(store, "Bob").id, FILES, 2.0)
    names = []
    for answer in (done(40.0, clock_bound=True), done(), done(90.0, clock_bound=True)):
        step()
        names += [job.name for job in lane.given]
        assert (now(store, attempt).score, now(store, attempt).has_result) in ((None, False), (40.0, True))
        lane.answer(answer)
        step()
    assert names == ["Ada", "Bob", "Ada"]
    step()
    assert (now(store, attempt).state, now(store, attempt).score, lane.given) == ("graded", 90.0, [])


def test_a_fault_is_tried_again_and_then_given_up(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    for tried in range(RETRIES + 1):
        step()
        assert len(lane.given) == 1, tried
        lane.answer(MachineFault("the worker was ended (signal 9)"))
        step()
        clock.now += 10.0
    assert (now(store, attempt).state, now(store, attempt).reason) == (
        "fault",
        "the worker was ended (signal 9)",
    )
    assert attempts.counted_times(store, attempt.person) == []
    step()
    assert lane.given == []


def test_nothing_is_given_up_while_the_machine_is_ill(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    for _ in range(RETRIES + 3):
        step()
        lane.answer(MachineFault("no sandbox works", lasting=True))
        step()
        clock.now += ILL_SECONDS
    step()
    lane.answer(done())
    step()
    assert now(store, attempt).state == "graded"


def test_several_attempts_in_one_are_given_up_at_once_and_cost_nothing(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    step()
    lane.answer(MachineFault(str(Undecided("expected one attempt, found several")), lasting=True))
    step()
    assert now(store, attempt).state == "fault"
    assert attempts.counted_times(store, attempt.person) == []
    clock.now += ILL_SECONDS
    step()
    assert lane.given == []


def test_what_the_student_chose_goes_with_the_next_job(
    data: DataFolder, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    choice = choice_data("q", (Candidate("old/", None, {}), Candidate("new/", None, {})))
    step()
    assert lane.given[0].choices == {}
    lane.answer(MachineFault(str(Undecided("found several")), lasting=True, choice=choice))
    step()
    assert upload_storage.find_choice(data, now(store, attempt)) == choice
    upload_storage.choose(data, attempt, "q", 2)
    assert attempts.rerun(store, attempt.id)
    assert upload_storage.find_choice(data, now(store, attempt)) is None
    step()
    assert lane.given[-1].choices == {"q": 2}


def test_what_a_lost_cluster_gives_back_was_no_try(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    for _ in range(RETRIES + 3):
        step()
        lane.answer(MachineFault("the cluster was lost", waits=True))
        step()
        assert (now(store, attempt).state, now(store, attempt).tries) == ("waiting", 0)
        clock.now += 10.0
    step()
    lane.answer(done())
    step()
    assert now(store, attempt).state == "graded"


def test_a_full_disk_costs_nobody_a_result(
    data: DataFolder, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    step()
    place = data.attempt(attempt.id)
    place.write_bytes(b"what stands in the way")
    lane.answer(done())
    step()
    found = now(store, attempt)
    assert found.state == "waiting"
    assert "move away what has this name" in found.reason
    place.unlink()
    clock.now += ILL_SECONDS
    step()
    lane.answer(done())
    step()
    assert now(store, attempt).state == "graded"


def test_a_clock_that_is_set_back_holds_no_job_up(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    clock.now += 3600.0
    step()
    lane.answer(MachineFault("no sandbox works", lasting=True))
    step()
    clock.now -= 3600.0
    step()
    lane.answer(done())
    step()
    assert now(store, attempt).state == "graded"


def test_a_result_waits_until_the_database_has_room(
    store: Store,
    dispatcher: Dispatcher,
    lane: Scripted,
    step: Callable[[], None],
    attempt: Attempt,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    step()
    lane.answer(done())
    with monkeypatch.context() as patch:
        patch.setattr(queue, "finish", Mock(side_effect=DiskError("no space left")))
        for _ in range(2):
            with pytest.raises(DiskError):
                step()
        assert not dispatcher.is_idle
    step()
    assert now(store, attempt).state == "graded"
    assert dispatcher.is_idle


def test_a_new_dispatcher_takes_over_what_a_dead_one_held(
    data: DataFolder, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    step()
    other = Scripted()
    successor = Dispatcher(data, store, {COURSE: other}, 1, clock=clock)
    successor.step(seconds=0.0)
    assert [job.name for job in other.given] == ["Ada"]
    lane.answer(done(10.0))
    step()
    assert now(store, attempt).state == "running", "what the dead one brings is not taken"
    other.answer(done(90.0))
    successor.step(seconds=0.0)
    assert now(store, attempt).score == 90.0


def test_leases_are_renewed_while_workers_are_at_it(
    store: Store, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    step()
    for _ in range(20):
        clock.now += LEASE_SECONDS / 2
        step()
        queue.release_expired(store, clock.now)
        assert now(store, attempt).state == "running"


def test_all_workers_of_all_courses_work_and_no_more(data: DataFolder, store: Store, clock: Clock) -> None:
    courses.put(store, "other", "Other")
    for course in (COURSE, "other"):
        for number in range(3):
            person = a_person(store, f"P{number}", course=course)
            upload_storage.hand_in(data, store, person.id, FILES, float(number))
    lanes = {COURSE: Scripted(2), "other": Scripted(2)}
    Dispatcher(data, store, lanes, 3, clock=clock).step(seconds=0.0)
    assert sorted(len(lane.given) for lane in lanes.values()) == [1, 2]


def test_progress_is_written_down_for_what_is_in_hand(
    store: Store, dispatcher: Dispatcher, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    [job] = lane.given
    dispatcher.record_exercise(COURSE, job, ExerciseDone("bfs", 5.0, 10.0))
    dispatcher.record_exercise("another", job, ExerciseDone("dfs", 5.0, 10.0))
    assert progress.list_for_attempt(store, attempt.id) == [ExerciseDone("bfs", 5.0, 10.0)]
    people.remove(store, attempt.person)
    dispatcher.record_exercise(COURSE, job, ExerciseDone("dfs", 5.0, 10.0))  # forgotten meanwhile
    assert progress.list_for_attempt(store, attempt.id) == []


def test_what_is_in_hand_is_given_back_at_the_end(
    store: Store, dispatcher: Dispatcher, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    assert not dispatcher.is_idle
    dispatcher.step(takes=False, seconds=0.0)
    dispatcher.release()
    assert dispatcher.is_idle
    assert (now(store, attempt).state, now(store, attempt).tries) == ("waiting", 0)


def test_nothing_is_taken_by_who_takes_no_more(
    store: Store, dispatcher: Dispatcher, lane: Scripted, attempt: Attempt
) -> None:
    dispatcher.step(takes=False, seconds=0.0)
    assert lane.given == []
    assert now(store, attempt).state == "waiting"


def test_where_the_files_lie(
    data: DataFolder, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    [source] = lane.given[0].hand_in.sources
    assert source == Path(data.upload(attempt.id) / "000-bfs.py")
