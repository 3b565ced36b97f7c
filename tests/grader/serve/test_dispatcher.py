"""The dispatcher, with workers that do as they are told and a clock that stands still."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from grader.batch.job import Answer, Done, Fault, Job, Step
from grader.batch.orchestrator import RETRIES
from grader.errors import DiskError
from grader.grading.pipeline import RESULTS, STAFF
from grader.serve import incoming
from grader.serve.data import Data
from grader.serve.dispatcher import ILL_SECONDS, Dispatcher
from grader.serve.store import attempts, courses, people, progress, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.queue import LEASE_SECONDS
from tests.grader.serve.made import COURSE, a_person

FILES = [("bfs.py", b"class BFS: ...")]


def done(score: float = 80.0, *, clock_bound: bool = False) -> Done:
    results = json.dumps({"score": score}).encode()
    staff = {STAFF: results}
    return Done("key", results, b"page", staff, b"code", 3.0, score, 100.0, clock_bound=clock_bound)


class Scripted:
    """Workers whose answers are given by the test."""

    def __init__(self, workers: int = 1) -> None:
        self.given: list[Job] = []
        self.answers: list[tuple[Job, Answer]] = []
        self._workers = workers

    def free(self) -> int:
        return self._workers - len(self.given)

    def give(self, job: Job, known: str | None) -> None:
        self.given.append(job)

    def answer(self, answer: Answer) -> None:
        self.answers.append((self.given.pop(0), answer))

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        found, self.answers = self.answers, []
        return found

    def doing(self) -> list[tuple[str, float]]:
        return []

    def close(self) -> None:
        """There is nobody to end."""


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lane() -> Scripted:
    return Scripted()


@pytest.fixture
def dispatcher(data: Data, store: Store, lane: Scripted, clock: Clock) -> Dispatcher:
    return Dispatcher(data, store, {COURSE: lane}, 1, clock=clock)


@pytest.fixture
def step(dispatcher: Dispatcher) -> Callable[[], None]:
    return lambda: dispatcher.step(seconds=0.0)


@pytest.fixture
def attempt(data: Data, store: Store) -> Attempt:
    return incoming.hand_in(data, store, a_person(store).id, FILES, 1.0)


def now(store: Store, attempt: Attempt) -> Attempt:
    found = attempts.get(store, attempt.id)
    assert found is not None
    return found


def test_a_job_is_graded_and_kept(
    data: Data, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    [job] = lane.given
    assert (job.name, job.hand_in.labels) == ("Ada", ("bfs.py",))
    assert [path.read_bytes() for path in job.hand_in.sources] == [FILES[0][1]]
    lane.answer(done())
    step()
    found = now(store, attempt)
    assert (found.state, found.score, found.max_score, found.seconds) == ("graded", 80.0, 100.0, 3.0)
    assert json.loads((data.attempt(attempt.id) / RESULTS).read_bytes()) == {"score": 80.0}


def test_what_could_not_be_read_is_refused_with_the_reason(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    lane.answer(Done("key", b"{}", b"page", {}, b"", 1.0, 0.0, 100.0, refused="it is a picture"))
    step()
    assert (now(store, attempt).state, now(store, attempt).reason) == ("refused", "it is a picture")


def test_what_a_clock_decided_is_graded_once_more_when_nothing_waits(
    data: Data, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    incoming.hand_in(data, store, a_person(store, "Bob").id, FILES, 2.0)
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
        lane.answer(Fault("the worker was ended (signal 9)"))
        step()
        clock.now += 10.0
    assert (now(store, attempt).state, now(store, attempt).reason) == (
        "fault",
        "the worker was ended (signal 9)",
    )
    assert attempts.times(store, attempt.person) == []
    step()
    assert lane.given == []


def test_nothing_is_given_up_while_the_machine_is_ill(
    store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
) -> None:
    for _ in range(RETRIES + 3):
        step()
        lane.answer(Fault("no sandbox works", lasting=True))
        step()
        clock.now += ILL_SECONDS
    step()
    lane.answer(done())
    step()
    assert now(store, attempt).state == "graded"


def test_a_full_disk_costs_nobody_a_result(
    data: Data, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
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
    lane.answer(Fault("no sandbox works", lasting=True))
    step()
    clock.now -= 3600.0
    step()
    lane.answer(done())
    step()
    assert now(store, attempt).state == "graded"


def test_what_was_withdrawn_meanwhile_is_thrown_away(
    data: Data, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    attempts.withdraw(store, attempt.id)
    lane.answer(done())
    step()
    assert now(store, attempt).state == "withdrawn"
    assert not data.attempt(attempt.id).exists()


def test_who_withdraws_and_hands_in_again_gets_the_mark_of_the_later_work(
    data: Data, store: Store, clock: Clock, attempt: Attempt
) -> None:
    lane = Scripted(2)
    dispatcher = Dispatcher(data, store, {COURSE: lane}, 2, clock=clock)
    dispatcher.step(seconds=0.0)
    attempts.withdraw(store, attempt.id)
    later = incoming.hand_in(data, store, attempt.person, FILES, clock.now)
    dispatcher.step(seconds=0.0)
    first, second = lane.given
    assert first.name == second.name
    lane.answer(done(15.0))
    dispatcher.step(seconds=0.0)
    assert now(store, later).state == "running"
    lane.answer(done(100.0))
    dispatcher.step(seconds=0.0)
    assert (now(store, attempt).state, now(store, later).score) == ("withdrawn", 100.0)
    assert dispatcher.is_idle


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


def test_who_is_forgotten_meanwhile_leaves_nothing(
    data: Data, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    people.remove(store, attempt.person)
    lane.answer(done())
    step()
    assert not data.attempt(attempt.id).exists()


def test_who_is_forgotten_while_the_result_is_written_leaves_nothing(
    data: Data,
    store: Store,
    lane: Scripted,
    step: Callable[[], None],
    attempt: Attempt,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forget(*_: object) -> bool:
        people.remove(store, attempt.person)
        return True

    step()
    monkeypatch.setattr(queue, "holds", forget)
    lane.answer(done())
    step()
    assert not data.attempt(attempt.id).exists()


def test_a_new_dispatcher_takes_over_what_a_dead_one_held(
    data: Data, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt, clock: Clock
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


def test_all_workers_of_all_courses_work_and_no_more(data: Data, store: Store, clock: Clock) -> None:
    courses.put(store, "other", "Other")
    for course in (COURSE, "other"):
        for number in range(3):
            person = a_person(store, f"P{number}", course=course)
            incoming.hand_in(data, store, person.id, FILES, float(number))
    lanes = {COURSE: Scripted(2), "other": Scripted(2)}
    Dispatcher(data, store, lanes, 3, clock=clock).step(seconds=0.0)
    assert sorted(len(lane.given) for lane in lanes.values()) == [1, 2]


def test_progress_is_written_down_for_what_is_in_hand(
    store: Store, dispatcher: Dispatcher, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    [job] = lane.given
    dispatcher.note(COURSE, job, Step("bfs", 5.0, 10.0))
    dispatcher.note("another", job, Step("dfs", 5.0, 10.0))
    assert progress.of(store, attempt.id) == [Step("bfs", 5.0, 10.0)]
    people.remove(store, attempt.person)
    dispatcher.note(COURSE, job, Step("dfs", 5.0, 10.0))  # forgotten meanwhile
    assert progress.of(store, attempt.id) == []


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


def test_where_the_files_lie(data: Data, lane: Scripted, step: Callable[[], None], attempt: Attempt) -> None:
    step()
    [source] = lane.given[0].hand_in.sources
    assert source == Path(data.upload(attempt.id) / "000-bfs.py")
