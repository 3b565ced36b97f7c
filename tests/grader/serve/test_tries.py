"""What staff have tried of a student's work on a maze: when, and what comes of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from grader.api import Workers, start_workers
from grader.batch.code_text import code_with
from grader.batch.job import CODE_FILE, Course, MachineFault, MazeTry, Tried
from grader.serve import uploads
from grader.serve.data_folder import DataFolder, forget_person
from grader.serve.dispatcher import Dispatcher
from grader.serve.store import tries
from grader.serve.store.database import Store
from tests.grader.serve.made import COURSE, Graded, a_person, now
from tests.grader.serve.scripted import FILES, Desk, Scripted, done
from tests.submissions.loader import base

CHECK = "dfs.valid-path"
MAZE = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+\n"


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Ada's attempt is graded, and its code is kept."""
    desk.answer(done())
    desk.data.result(desk.now).joinpath(CODE_FILE).write_bytes(code_with({"solvers/dfs.py": b"x = 1\n"}))
    return desk


def ask(desk: Desk, check: str = CHECK) -> None:
    tries.ask(desk.store, desk.attempt.id, check, MAZE, desk.clock.now)


def told(desk: Desk, check: str = CHECK) -> str | None:
    found = tries.find(desk.store, desk.attempt.id, check)
    assert found is not None
    return found.answer


def test_a_try_comes_before_what_waits_and_changes_no_result(desk: Desk) -> None:
    before = desk.now
    bob = uploads.hand_in(desk.data, desk.store, a_person(desk.store, "Bob").id, FILES, 3.0)
    ask(desk)
    desk.step()
    [job] = desk.lane.given
    assert (job.name, job.to_try) == ("Ada", MazeTry(CHECK, MAZE))
    assert job.submission is not None
    assert job.submission.files == {"solvers/dfs.py": b"x = 1\n"}
    assert (desk.dispatcher.is_idle, told(desk), now(desk.store, bob).state) == (False, None, "waiting")
    desk.lane.answer(Tried("It passed."))
    desk.step()
    assert (told(desk), desk.now) == ("It passed.", before)
    desk.step()
    assert [each.name for each in desk.lane.given] == ["Bob"]


def test_of_a_course_one_is_tried_at_a_time(desk: Desk) -> None:
    desk.lane.at_once = 3
    desk.dispatcher = Dispatcher(desk.data, desk.store, {COURSE: desk.lane}, 3, clock=desk.clock)
    uploads.hand_in(desk.data, desk.store, a_person(desk.store, "Bob").id, FILES, 3.0)
    ask(desk)
    ask(desk, "dfs.visit-order")
    desk.step()
    assert [(each.name, bool(each.to_try)) for each in desk.lane.given] == [("Ada", True), ("Bob", False)]
    desk.lane.answer(Tried("It passed."))
    desk.step()
    assert (told(desk), told(desk, "dfs.visit-order")) == ("It passed.", None)
    desk.step()
    assert [each.to_try for each in desk.lane.given] == [None, MazeTry("dfs.visit-order", MAZE)]


@pytest.mark.parametrize("is_asked_anew", [False, True])
def test_a_try_whose_place_was_taken_or_whose_student_is_forgotten_is_told_nobody(
    desk: Desk, is_asked_anew: bool
) -> None:
    ask(desk)
    desk.step()
    if is_asked_anew:
        ask(desk)
    else:
        forget_person(desk.data.folder, "Ada")
    desk.lane.answer(Tried("It passed."))
    desk.step()
    assert desk.store.column("select answer from tries") == ([None] if is_asked_anew else [])
    if not is_asked_anew:
        with closing(sqlite3.connect(desk.data.database)) as read:
            assert "It passed." not in "".join(read.iterdump())


def test_a_fault_of_the_machine_is_told_and_lost_workers_are_not(desk: Desk) -> None:
    ask(desk)
    desk.answer(MachineFault("all workers are gone", waits=True))
    assert told(desk) is None
    desk.answer(MachineFault("no engine"))
    assert told(desk) == "It could not be tried, which says nothing about the work: no engine"
    desk.step()
    assert desk.lane.given == []


def test_a_new_dispatcher_begins_anew_what_a_dead_one_had_begun(desk: Desk) -> None:
    ask(desk)
    desk.step()
    lane = Scripted()
    Dispatcher(desk.data, desk.store, {COURSE: lane}, 1, clock=desk.clock).step(seconds=0.0)
    assert [each.to_try for each in lane.given] == [MazeTry(CHECK, MAZE)]


def test_at_the_end_none_is_begun_and_what_is_in_hand_waits_again(desk: Desk) -> None:
    ask(desk)
    desk.dispatcher.step(takes=False, seconds=0.0)
    assert desk.lane.given == []
    desk.step()
    desk.dispatcher.release()
    assert (desk.dispatcher.is_idle, told(desk)) == (True, None)


@pytest.mark.parametrize("code", [b"", code_with({"dfs.py": b"x"}).replace(b"dfs.py", b"dfs.py\t")])
def test_code_that_was_not_kept_whole_is_not_tried(desk: Desk, code: bytes) -> None:
    desk.data.result(desk.now).joinpath(CODE_FILE).write_bytes(code)
    ask(desk)
    desk.step()
    assert desk.lane.given == []
    assert "expected the code that was graded of Ada" in str(told(desk))


def test_what_is_old_is_dropped(desk: Desk) -> None:
    ask(desk)
    tries.sweep_old(desk.store, desk.clock.now + tries.KEPT_SECONDS)
    assert told(desk) is None
    tries.sweep_old(desk.store, desk.clock.now + tries.KEPT_SECONDS + 1)
    assert tries.find(desk.store, desk.attempt.id, CHECK) is None


@pytest.fixture
def crew(course: Course) -> Iterator[Workers]:
    made = start_workers(course, 1)
    yield made
    made.close()


HOSTILE = b"""\
from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        while True:
            pass
"""


@pytest.mark.processes
def test_what_students_wrote_is_asked_in_a_box_with_the_limits_of_a_call(
    data: DataFolder, store: Store, graded: Graded, crew: Workers
) -> None:
    ada, eve = graded(a_person(store), 60.0), graded(a_person(store, "Eve"), 60.0)
    for attempt, files in ((ada, base()), (eve, {"solvers/dfs.py": HOSTILE})):
        data.result(attempt).joinpath(CODE_FILE).write_bytes(code_with(files))
        tries.ask(store, attempt.id, CHECK, MAZE, 5.0)
    tries.ask(store, ada.id, "dfs.never", MAZE, 5.0)
    before = [now(store, ada), now(store, eve)]
    dispatcher = Dispatcher(data, store, {COURSE: crew}, 1, clock=lambda: 6.0)
    while store.column("select 1 from tries where answer is null"):
        dispatcher.step()
    right, endless, unknown = store.column("select answer from tries order by id")
    assert right.startswith("The way leads from the entry to the exit: Passed")
    assert endless.startswith("The way leads from the entry to the exit: Went on for ever")
    assert unknown.startswith("expected a check of the rubric, got dfs.never")
    assert [now(store, ada), now(store, eve)] == before
