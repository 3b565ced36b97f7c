"""The queue: one waiting attempt a person, turns, leases, and what becomes of jobs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.batch.job import ExerciseDone
from grader.errors import InputError
from grader.serve.store import attempts, courses, marks, queue, settings
from grader.serve.store.attempts import Attempt, Upload
from grader.serve.store.database import Store
from grader.serve.store.queue import LEASE_SECONDS, Outcome
from tests.grader.serve.made import COURSE, a_person, an_attempt, now, taken

DONE = Outcome("graded", "key", 80.0, 100.0, 12.0)


def claim(store: Store, owner: str, now: float) -> Attempt | None:
    return queue.claim(store, owner, now, (COURSE, "other"))


def state(store: Store, attempt: Attempt) -> str:
    return now(store, attempt).state


def test_the_newest_replaces_what_waits_and_costs_once(store: Store) -> None:
    ada = a_person(store)
    old, new = an_attempt(store, ada, 1.0), an_attempt(store, ada, 2.0)
    assert (old.number, new.number) == (1, 2)
    assert (state(store, old), state(store, new)) == ("replaced", "waiting")
    assert attempts.counted_times(store, ada.id) == [2.0]
    assert [each.id for each in attempts.list_for_person(store, ada.id)] == [new.id, old.id]


def test_turns_go_round_courses_and_people(store: Store) -> None:
    courses.put(store, "other", "Other")
    crowd = [an_attempt(store, a_person(store, f"P{n}"), float(n)) for n in range(3)]
    lone = an_attempt(store, a_person(store, "Lone", course="other"), 99.0)
    order = queue.list_waiting(store)
    assert order == [crowd[0].id, lone.id, crowd[1].id, crowd[2].id]
    taken = []
    while (job := claim(store, "d", 100.0)) is not None:
        taken.append(job.id)
    assert taken == order


def test_one_job_goes_to_one_dispatcher(store: Store) -> None:
    for n in range(20):
        an_attempt(store, a_person(store, f"P{n}"))

    def take(owner: str) -> list[str]:
        mine = Store(store.path)
        found = []
        while (job := claim(mine, owner, 2.0)) is not None:
            found.append(job.id)
        mine.close()
        return found

    with ThreadPoolExecutor(4) as threads:
        taken = [id_ for each in threads.map(take, "abcd") for id_ in each]
    assert len(taken) == len(set(taken)) == 20


def test_a_lease_that_nobody_renews_ends(store: Store) -> None:
    job = an_attempt(store, a_person(store))
    claim(store, "dead", 0.0)
    queue.release_expired(store, LEASE_SECONDS)
    assert state(store, job) == "running"
    queue.renew(store, "dead", LEASE_SECONDS)
    queue.release_expired(store, LEASE_SECONDS + 1)
    assert state(store, job) == "running"
    queue.release_expired(store, 2 * LEASE_SECONDS + 1)
    assert state(store, job) == "waiting"
    taken(store, 200.0, "alive")
    assert not queue.finish(store, "dead", job.id, DONE, 201.0), "what the former holder brings is too late"
    assert not queue.fail(store, "dead", job.id, "late", 201.0)
    assert queue.holds_lease(store, "alive", job.id)
    assert queue.finish(store, "alive", job.id, DONE, 202.0)


@pytest.mark.parametrize("release", ["release", "release_others"])
def test_what_is_given_back_counts_as_never_taken(store: Store, release: str) -> None:
    job = an_attempt(store, a_person(store))
    claim(store, "mine", 1.0)
    if release == "release":
        queue.release(store, "mine")
    else:
        queue.release_others(store, "mine")
        assert state(store, job) == "running", "one's own stays"
        queue.release_others(store, "another")
    found = now(store, job)
    assert (found.state, found.tries, found.lease_owner) == ("waiting", 0, None)


def test_what_is_given_back_is_replaced_by_a_newer_one(store: Store) -> None:
    ada = a_person(store)
    old = an_attempt(store, ada)
    claim(store, "d", 1.0)
    new = an_attempt(store, ada, 2.0)
    queue.release(store, "d")
    assert (state(store, old), state(store, new)) == ("replaced", "waiting")
    assert attempts.counted_times(store, ada.id) == [2.0]


def test_a_job_that_failed_rests(store: Store) -> None:
    job = an_attempt(store, a_person(store))
    claim(store, "d", 1.0)
    assert queue.put_back(store, "d", job.id, "no box", 10.0)
    assert claim(store, "d", 9.0) is None
    again = taken(store, 10.0)
    assert (again.tries, again.reason) == (2, "no box")


def test_a_fault_costs_nothing(store: Store) -> None:
    ada = a_person(store)
    job = an_attempt(store, ada)
    claim(store, "d", 1.0)
    store.rows("update people set changed = 0")
    assert queue.fail(store, "d", job.id, "no box", 2.0)
    assert (state(store, job), attempts.counted_times(store, ada.id)) == ("fault", [])
    assert marks.list_flagged_people(store, COURSE) == [ada.id], "the class page tells of it"
    assert attempts.rerun(store, job.id)
    assert state(store, job) == "waiting"


def test_rerun_keeps_the_result_and_a_newer_attempt_beside_it(store: Store) -> None:
    ada = a_person(store)
    job = an_attempt(store, ada)
    assert not attempts.rerun(store, job.id), "it waits already"
    claim(store, "d", 1.0)
    queue.finish(store, "d", job.id, DONE, 2.0)
    assert attempts.rerun(store, job.id)
    newer = an_attempt(store, ada, 3.0)
    found = now(store, job)
    assert (found.state, found.has_result, found.score) == ("waiting", True, 80.0)
    assert state(store, newer) == "waiting"


def test_what_is_withdrawn_while_it_runs_is_thrown_away(store: Store) -> None:
    job = an_attempt(store, a_person(store))
    claim(store, "d", 1.0)
    attempts.withdraw(store, job.id)
    assert not queue.finish(store, "d", job.id, DONE, 2.0)
    assert state(store, job) == "withdrawn"


def test_progress_begins_anew_with_every_try(store: Store) -> None:
    job = an_attempt(store, a_person(store))
    claim(store, "d", 1.0)
    attempts.add_step(store, job.id, ExerciseDone("dfs", 1.0, 2.0), 2.0)
    attempts.add_step(store, job.id, ExerciseDone("bfs", 2.0, 2.0), 3.0)
    attempts.add_step(store, job.id, ExerciseDone("dfs", 2.0, 2.0), 4.0)
    assert attempts.list_steps(store, job.id) == [
        ExerciseDone("bfs", 2.0, 2.0),
        ExerciseDone("dfs", 2.0, 2.0),
    ]
    queue.release(store, "d")
    claim(store, "d", 5.0)
    assert attempts.list_steps(store, job.id) == []


def test_whose_class_result_may_have_changed(store: Store) -> None:
    ada = a_person(store)
    store.rows("update people set changed = 0")
    job = an_attempt(store, ada)
    claim(store, "d", 1.0)
    assert marks.list_flagged_people(store, COURSE) == []
    queue.finish(store, "d", job.id, DONE, 2.0)
    assert marks.list_flagged_people(store, COURSE) == [ada.id]
    standing = marks.PersonMark(job.id, 70.0, 100.0)
    marks.put(store, ada.id, standing)
    assert marks.get(store, ada.id) == standing
    marks.put(store, ada.id, None)
    assert marks.get(store, ada.id) is None


def test_nobody_hands_in_for_whom_is_not_there(store: Store) -> None:
    with pytest.raises(InputError, match="expected a person"):
        attempts.add(store, 99, Upload("x", "sha", ()), 1.0)


def test_courses_that_are_not_served_wait(store: Store) -> None:
    an_attempt(store, a_person(store))
    assert queue.claim(store, "d", 2.0, ["other"]) is None
    assert queue.claim(store, "d", 2.0, []) is None


def test_the_place_and_the_expected_time(store: Store) -> None:
    settings.put(store, settings.WORKERS, "2")
    jobs = [an_attempt(store, a_person(store, f"P{n}"), float(n)) for n in range(6)]
    first = taken(store, 10.0)
    queue.finish(store, "d", first.id, DONE, 11.0)
    claim(store, "d", 12.0)
    place = queue.place(store, jobs[4].id)
    assert place is not None
    assert (place.ahead, place.waiting, place.running) == (2, 4, 1)
    assert place.seconds == 24.0, "three jobs before it, two at a time, then its own"
    assert queue.place(store, jobs[0].id) is None
    assert queue.count_by_state(store)["graded"] == 1


def test_who_was_served_waits_for_all_others(store: Store) -> None:
    ada, bob = a_person(store), a_person(store, "Bob")
    first = an_attempt(store, ada, 1.0)
    claim(store, "d", 1.0)
    queue.finish(store, "d", first.id, DONE, 2.0)
    again, other = an_attempt(store, ada, 3.0), an_attempt(store, bob, 4.0)
    assert queue.list_waiting(store) == [other.id, again.id]
