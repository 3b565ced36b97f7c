"""Whatever is done with what a submission holds has bounds, and what goes beyond them costs nobody a mark."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from grader import repairs
from grader.batch.job import Answer, Course, Done, Job, MachineFault, answer
from grader.errors import BeyondBounds, GraderMistake, SandboxError
from grader.grading import story, why
from grader.intake import bulk_download, submissions
from grader.intake.archives import archive_entries
from grader.intake.class_listing import HandIn
from grader.intake.files import Caps, Sieve
from grader.intake.names import decode_source, parse_source
from grader.intake.notebooks import read_notebook
from grader.reader import Reader, read_here
from grader.sandbox.process import ProcessBackend
from tests.submissions.loader import Case

pytestmark = pytest.mark.processes

MIB = 1024 * 1024


def loops(*_: object, **__: object) -> NoReturn:
    while True:
        pass


def allocates(*_: object, **__: object) -> NoReturn:
    kept = []
    while True:
        kept.append(bytearray(MIB))


def recurses(*_: object, **__: object) -> NoReturn:
    recurses()


def ends(*_: object, **__: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def raises(*_: object, **__: object) -> NoReturn:
    raise ValueError("4301 digits")


BOUNDLESS = (loops, allocates, recurses, ends)


def reader() -> Reader:
    return Reader(cpu_seconds=0.5, memory_bytes=64 * MIB)


@pytest.mark.parametrize("work", BOUNDLESS)
def test_work_without_bounds_is_ended_and_not_tried_again(work: Callable[[], NoReturn]) -> None:
    bounded = reader()
    with pytest.raises(BeyondBounds):
        bounded.read(work, int)
    assert bounded.attempt(lambda: 1, int) is None


def test_what_raises_is_a_mistake_in_the_grader_and_ends_nothing_else(logged_errors: list[str]) -> None:
    bounded = reader()
    with pytest.raises(GraderMistake, match="not in the work: to read it raised ValueError"):
        bounded.read(raises, int)
    assert (bounded.attempt(raises, int), bounded.decide(raises, int)) == (None, None)
    assert (bounded.has_erred, bounded.is_beyond, bounded.attempt(lambda: 1, int)) == (True, False, 1)
    assert ["in raises" in message and "4301 digits" in message for message in logged_errors] == [True] * 3
    logged_errors.clear()


def test_what_decides_is_done_once_more_with_a_second_purse_and_not_a_third_time() -> None:
    bounded = reader()
    assert bounded.attempt(loops, int) is None
    assert bounded.decide(lambda: 1, int) == 1
    assert bounded.decide(loops, int) is None
    assert bounded.decide(lambda: 1, int) is None


PARSERS: dict[str, Callable[[], object]] = {
    "parse_source": lambda: parse_source("x = 1"),
    "decode_source": lambda: decode_source(b"x = 1"),
    "read_notebook": lambda: read_notebook(b"{}"),
    "archive_entries": lambda: archive_entries(b"", Sieve(Caps()), "lab.zip"),
}


@pytest.mark.parametrize("name", PARSERS)
def test_nothing_parses_a_submission_in_a_process_without_bounds(name: str) -> None:
    with pytest.raises(RuntimeError, match="without bounds"):
        PARSERS[name]()
    read_here(PARSERS[name], None)
    reader().read(lambda: [PARSERS[name]()] and 1, int)


def test_a_loose_notebook_that_takes_too_much_is_a_students_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_download, "read_notebook", loops)
    monkeypatch.setattr(Reader, "of", lambda _: reader())
    (tmp_path / "ada.ipynb").write_text('{"cells": []}', encoding="utf-8")
    assert bulk_download.is_submission(tmp_path / "ada.ipynb")


def test_what_the_machine_ends_is_no_fault_of_the_submission() -> None:
    with pytest.raises(SandboxError, match="was ended"):
        reader().read(lambda: os.kill(os.getpid(), signal.SIGKILL), int)


def test_an_answer_of_another_kind_is_none() -> None:
    with pytest.raises(SandboxError):
        reader().read(lambda: {"a": 1}, dict[str, str])


def test_it_reads_what_it_is_given_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("own")
    (tmp_path / "other.txt").write_text("other")
    own, other = tmp_path / "own.txt", tmp_path / "other.txt"
    assert reader().read(own.read_text, str, [own]) == "own"

    def seen() -> list[str]:
        found = []
        for work in (other.read_text, lambda: own.write_text("x"), lambda: __import__("socket").socket()):
            try:
                work()
            except OSError as error:
                found.append(type(error).__name__)
        return found

    assert reader().read(seen, list[str], [own]) == ["PermissionError"] * 3


STAGES = {
    "intake": (submissions, "read_hand_in"),
    "patterns": (why, "shared_by"),
    "edits": (repairs, "edits_of"),
    "slips of the pen": (story, "_slips"),
}


Grade = Callable[[bool], Answer]


@pytest.fixture(scope="module")
def graded(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Grade:
    folder = tmp_path_factory.mktemp("class") / "ada"
    Case("wrong", "bfs-appends-at-the-left").materialise(folder)
    limits = replace(course.plan.limits, reader_cpu_seconds=4, reader_memory_bytes=64 * MIB)

    def grade(explain: bool) -> Answer:
        rubric = replace(course.plan.rubric, limits=limits, explain=explain)
        bounded = replace(course, plan=replace(course.plan, rubric=rubric))
        job = Job(HandIn("ada", (folder,)), exercises=frozenset({"bfs"}))
        return answer(job, bounded, ProcessBackend(), None)

    return grade


BEYOND, ERRED = b"reasons were not all looked for", b"a mistake in the grader, not in your work"


@pytest.fixture(scope="module")
def whole(graded: Grade) -> Done:
    done = graded(False)
    assert isinstance(done, Done)
    assert not [each for each in (BEYOND, ERRED) if each in done.results]
    return done


@pytest.mark.parametrize("work", [loops, allocates, raises])
@pytest.mark.parametrize("stage", STAGES)
def test_no_stage_costs_more_than_its_bound_or_a_mark(
    stage: str,
    work: Callable[[], NoReturn],
    graded: Grade,
    whole: Done,
    monkeypatch: pytest.MonkeyPatch,
    logged_errors: list[str],
) -> None:
    module, name = STAGES[stage]
    monkeypatch.setattr(module, name, work)
    done = graded(stage == "edits")
    assert bool(logged_errors) is (work is raises)
    logged_errors.clear()
    if stage == "intake" and work is raises:
        assert isinstance(done, MachineFault)
        assert done.reason.startswith("a mistake in the grader, not in the work")
        return
    assert isinstance(done, Done)
    if stage == "intake":
        assert (done.score, b"took more time or memory" in done.results) == (0, True)
        assert "took more time or memory" in done.refused
    else:
        assert (done.score, done.max_score) == (whole.score, whole.max_score)
        assert [BEYOND in done.results, ERRED in done.results] == [work is not raises, work is raises]


def test_a_mistake_beside_the_reader_is_told_as_one_too(
    graded: Grade, whole: Done, monkeypatch: pytest.MonkeyPatch, logged_errors: list[str]
) -> None:
    monkeypatch.setattr(story, "_first_calls", raises)
    done = graded(True)
    assert isinstance(done, Done)
    assert (done.score, BEYOND in done.results, ERRED in done.results) == (whole.score, False, True)
    assert ["a mistake in the grader" in message for message in logged_errors] == [True]
    logged_errors.clear()
