"""The queue: one waiting attempt a person, turns, leases, and what becomes of jobs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from grader.serve.store import attempts, queue, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.queue import LEASE_SECONDS, Outcome
from tests.grader.serve.made import COURSE, a_person, an_attempt, now, taken

DONE = Outcome("graded", "key", 80.0, 100.0, 12.0)


def claim(store: Store, owner: str, now: float) -> Attempt | None:
    return queue.claim(store, owner, now, (COURSE, "other"))


def state(store: Store, attempt: Attempt) -> str:
    return now(store, attempt).state


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


def test_a_job_that_failed_rests(store: Store) -> None:
    job = an_attempt(store, a_person(store))
    claim(store, "d", 1.0)
    assert queue.put_back(store, "d", job.id, "no box", 10.0)
    assert claim(store, "d", 9.0) is None
    again = taken(store, 10.0)
    assert (again.tries, again.reason) == (2, "no box")


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


def test_the_place_and_the_time_within_which_it_is_graded(store: Store) -> None:
    settings.put(store, settings.WORKERS, "2")
    settings.put(store, settings.PURSE, "300")
    jobs = [an_attempt(store, a_person(store, f"P{n}"), float(n)) for n in range(6)]
    first = taken(store, 10.0)
    queue.finish(store, "d", first.id, DONE, 11.0)
    claim(store, "d", 12.0)
    places = queue.places(store)
    place = places[jobs[4].id]
    assert (place.ahead, place.waiting, place.running) == (2, 4, 1)
    assert place.seconds == 600.0, "three jobs before it, two at a time, then its own"
    assert jobs[0].id not in places
    assert queue.count_by_state(store)["graded"] == 1
