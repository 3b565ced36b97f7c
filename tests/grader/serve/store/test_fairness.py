"""Whatever people do in whatever order: the queue is fair, loses nothing, and grades nothing twice."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from grader.serve.store import attempts, courses, people, queue
from grader.serve.store.attempts import Attempt, Upload
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer
from grader.serve.store.queue import LEASE_SECONDS, Outcome

COURSES, OWNERS = ("a", "b"), ("one", "two")
DONE = Outcome("graded", "key", 1.0, 1.0, 1.0)


def _other(owner: str) -> str:
    return next(each for each in OWNERS if each != owner)


class Queue(RuleBasedStateMachine):
    """Students hand in, dispatchers take jobs, finish them, fail, give up, and die."""

    people = Bundle("people")

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.store = Store(Path(self._folder.name) / "serve.sqlite")
        self.store.rows("pragma synchronous=off")
        for course in COURSES:
            courses.put(self.store, course, course)
        self.now = 0.0
        self.held: dict[str, str] = {}
        self.finished: list[str] = []
        self.served_since: dict[str, set[int]] = {}

    def teardown(self) -> None:
        self.store.close()
        self._folder.cleanup()

    @rule(target=people, course=st.sampled_from(COURSES), name=st.text("abc", min_size=1, max_size=2))
    def joins(self, course: str, name: str) -> int:
        return people.put(self.store, Newcomer(course, name, "student", "demo", name), self.now).id

    @rule(person=people)
    def hands_in(self, person: int) -> None:
        self.now += 1.0
        attempt = attempts.add(self.store, person, Upload(attempts.new_id(), "", ()), self.now)
        self.served_since[attempt.id] = set()

    @rule(owner=st.sampled_from(OWNERS))
    def takes(self, owner: str) -> None:
        expected = [each for each in queue.list_waiting(self.store) if self._is_ready(each)]
        job = queue.claim(self.store, owner, self.now, COURSES)
        assert (job.id if job else None) == next(iter(expected), None)
        if job is None:
            return
        assert job.id not in self.held
        self.held[job.id] = owner
        self._is_fair(job)

    def _is_ready(self, id_: str) -> bool:
        busy = {self._get(each).person for each in self.held}
        return self._get(id_).person not in busy

    def _is_fair(self, job: Attempt) -> None:
        """Nobody of the same course is passed by the same person twice."""
        self.served_since.pop(job.id, None)
        for id_, passed_by in self.served_since.items():
            if (
                self._get(id_).course == job.course
                and self._get(id_).state == "waiting"
                and self._is_ready(id_)
            ):
                assert job.person not in passed_by
                passed_by.add(job.person)

    @rule(data=st.data(), late=st.booleans())
    def finishes(self, data: st.DataObject, late: bool) -> None:
        if self.held:
            id_ = data.draw(st.sampled_from(sorted(self.held)))
            owner = self.held.pop(id_)
            assert not queue.finish(self.store, _other(owner), id_, DONE, self.now)
            assert queue.finish(self.store, owner, id_, DONE, self.now)
            self.finished.append(id_)
            if late:
                assert not queue.finish(self.store, owner, id_, DONE, self.now)

    @rule(data=st.data(), for_good=st.booleans())
    def fails(self, data: st.DataObject, for_good: bool) -> None:
        if self.held:
            id_ = data.draw(st.sampled_from(sorted(self.held)))
            owner = self.held.pop(id_)
            if for_good:
                assert queue.fail(self.store, owner, id_, "no box", self.now)
            else:
                assert queue.put_back(self.store, owner, id_, "no box", self.now)
            self.served_since.setdefault(id_, set())

    @rule(owner=st.sampled_from(OWNERS), gently=st.booleans())
    def ends(self, owner: str, gently: bool) -> None:
        if gently:
            queue.release(self.store, owner)
        else:
            queue.renew(self.store, _other(owner), self.now + LEASE_SECONDS)
            self.now += LEASE_SECONDS + 1.0
            queue.release_expired(self.store, self.now)
        for id_ in [id_ for id_, held_by in self.held.items() if held_by == owner]:
            del self.held[id_]
            self.served_since.setdefault(id_, set())

    @invariant()
    def everything_is_somewhere(self) -> None:
        states = {row["id"]: row["state"] for row in self.store.rows("select id, state from attempts")}
        assert {id_ for id_, state in states.items() if state == "running"} == set(self.held)
        assert len(self.finished) == len(set(self.finished))
        assert all(states[id_] == "graded" for id_ in self.finished)

    @invariant()
    def one_waits_and_one_runs_a_person(self) -> None:
        rows = self.store.rows("select person, state, count(*) as n from attempts group by person, state")
        assert all(row["n"] == 1 for row in rows if row["state"] in ("waiting", "running"))

    @invariant()
    def the_last_of_everybody_is_not_replaced(self) -> None:
        rows = self.store.rows("select state, max(number) from attempts group by person")
        assert all(row["state"] != "replaced" for row in rows)

    def _get(self, id_: str) -> Attempt:
        found = attempts.get(self.store, id_)
        assert found is not None
        return found


TestQueue = Queue.TestCase
TestQueue.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
