"""The orchestrator: what is retried, what is given up, and what is never half there."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.batch import job as job_module
from grader.batch.job import Answer, Course, Job, MachineFault, Unchanged
from grader.batch.journal import Journal, JournalRow
from grader.batch.orchestrator import Batch
from grader.intake.class_listing import HandIn
from tests.grader.batch.scripted import DONE, Script


@pytest.fixture
def night(
    tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Batch, list[Any]]]:
    """Run a batch over scripted answers."""
    monkeypatch.setattr(job_module, "RETRY_SECONDS", (0.0,))

    def go(answers: dict[str, list[Answer]]) -> tuple[Batch, list[Any]]:
        told: list[Any] = []
        jobs = [Job(HandIn(name, ())) for name in answers]
        with Journal(tmp_path) as journal:
            batch = Batch(jobs, course, journal, lambda event, **facts: told.append((event, facts)))
            batch.run(Script(answers))
        return batch, told

    return go


Night = Callable[..., tuple[Batch, list[Any]]]


def test_a_fault_is_tried_again_and_then_forgotten(night: Night, tmp_path: Path) -> None:
    batch, told = night({"ada": [MachineFault("no engine"), MachineFault("no engine"), DONE]})
    assert (batch.tally.graded, batch.tally.faults) == (1, {})
    assert [event for event, _ in told] == ["retry", "retry", "graded"]
    assert (tmp_path / "ada" / "results.json").read_bytes() == DONE.results


def test_a_fault_that_stays_is_no_mark(night: Night, tmp_path: Path) -> None:
    batch, told = night({"ada": [MachineFault("no <engine>\x1b")], "bob": [DONE]})
    assert (batch.tally.graded, [*batch.tally.faults]) == (1, ["ada"])
    assert [event for event, _ in told].count("retry") == 2
    results = json.loads((tmp_path / "ada" / "results.json").read_bytes())
    assert results["fault"] == "no <engine>\\x1b"
    assert {check["status"] for exercise in results["exercises"] for check in exercise["checks"]} == {
        "skipped"
    }
    page = (tmp_path / "ada" / "feedback.html").read_text()
    assert "no fault of yours" in page
    assert "engine" not in page


def test_a_worker_has_its_next_job_when_reports_are_written(tmp_path: Path, course: Course) -> None:
    script, free = Script({name: [DONE] for name in "abc"}), list[int]()
    with Journal(tmp_path) as journal:
        batch = Batch([Job(HandIn(name, ())) for name in "abc"], course, journal, Mock())
        batch.run(script, lambda executor: free.append(executor.free()))
    assert free == [0, 1, 2]


def test_a_lasting_fault_is_not_tried_again_now_but_the_next_time(night: Night) -> None:
    batch, told = night({"ada": [MachineFault("gone", lasting=True)]})
    assert ([*batch.tally.faults], [event for event, _ in told]) == (["ada"], ["fault"])
    again, _ = night({"ada": [DONE]})
    assert again.tally.graded == 1


def test_what_its_workers_lost_is_given_out_as_if_it_had_not_been_tried(night: Night) -> None:
    lost: list[Answer] = [MachineFault("the cluster was lost", waits=True)] * 10
    batch, told = night({"ada": [*lost, MachineFault("no engine"), *lost, DONE], "bob": [DONE]})
    assert (batch.tally.graded, batch.tally.faults) == (2, {})
    assert [event for event, _ in told].count("retry") == 1


def test_what_a_clock_decided_comes_again_at_the_end_also_after_a_kill(
    tmp_path: Path, course: Course
) -> None:
    class KilledError(Exception): ...

    class Noting(Script):
        given: ClassVar = list[tuple[str, bytes]]()

        def give(self, job: Job, known: str | None) -> None:
            self.given.append((job.name, job.first))
            if job.first and self.given.count((job.name, job.first)) == 1:
                raise KilledError
            super().give(job, known)

    provisional, jobs = (
        replace(DONE, again=b"kept", results=b"{}"),
        [Job(HandIn("ada", ())), Job(HandIn("bob", ()))],
    )
    for answers in ([provisional], [replace(DONE, results=b'{"score": 2}')]):
        with suppress(KilledError), Journal(tmp_path) as journal:
            batch = Batch(jobs, course, journal, lambda event, **facts: None)
            batch.run(Noting({"ada": [*answers], "bob": [DONE]}))
    assert Noting.given == [("ada", b""), ("bob", b""), ("ada", b"kept"), ("bob", b""), ("ada", b"kept")]
    assert (tmp_path / "ada" / "results.json").read_bytes() == b'{"score": 2}'
    with Journal(tmp_path) as journal:
        assert journal.firsts() == {}


def test_what_is_known_is_handed_out_with_its_key(night: Night, tmp_path: Path, course: Course) -> None:
    night({"ada": [DONE], "bob": [DONE]})
    (tmp_path / "bob" / "feedback.html").write_text("touched")
    script = Script({"ada": [Unchanged()], "bob": [DONE]})
    with Journal(tmp_path) as journal:
        jobs = [Job(HandIn(name, ())) for name in ("ada", "bob")]
        tally = Batch(jobs, course, journal, lambda event, **facts: None).run(script)
    assert script.known == {"ada": "key", "bob": None}
    assert (tally.unchanged, tally.graded) == (1, 1)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 9)), max_size=8), st.data())
def test_whatever_is_chosen_at_any_moment_counts(choices: list[tuple[str, int]], data: st.DataObject) -> None:
    """The last choice about a submission is what is graded last, and each has one ending."""
    jobs, given, told = [Job(HandIn(name, ())) for name in "abc"], dict[str, Any](), list[str]()

    class Noting(Script):
        def give(self, job: Job, known: str | None) -> None:
            given[job.name] = job.choices
            assert known == (None if job.choices else "key")
            assert [each.name for each in self._given].count(job.name) == 0
            super().give(job, known)

    def news() -> list[Job]:
        count = data.draw(st.integers(0, 2))
        taken, choices[:count] = choices[:count], []
        last = {name: Job(HandIn(name, ()), choices={"which": number}) for name, number in taken}
        expected.update({name: job.choices for name, job in last.items()})
        return list(last.values())

    expected: dict[str, Any] = {job.name: {} for job in jobs}
    rows = {name: JournalRow(name, "key", "graded", 0.1, "") for name in "abc"}
    batch = Batch(
        jobs,
        Mock(),
        Mock(entries=lambda: rows, firsts=dict),
        lambda event, **_: told.append(event),
        news=news,
    )
    batch.run(Noting({name: [DONE] for name in "abc"}))
    assert given == expected
    assert batch.tally.ended == dict.fromkeys("abc", "graded")
    assert told.count("graded") == 3 + told.count("chosen")
