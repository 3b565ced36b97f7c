"""A data folder with a course, people in it, and what they get."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.batch.job import Course
from grader.course.plan import Plan, load_plan
from grader.serve import uploads
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import update_class_folder
from grader.serve.store import courses, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.people import Person
from grader.serve.store.queue import Outcome
from tests.grader.batch.conftest import small_rubric
from tests.grader.serve.made import COURSE, Graded, UpToDate, a_person, an_attempt, write_score
from tests.grader.serve.scripted import FILES, Desk
from tests.grader.undrawn import undrawn as undrawn


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "data")
    made.create()
    return made


@pytest.fixture
def store(data: DataFolder) -> Store:
    opened = Store(data.database)
    courses.put(opened, COURSE, "Mazes")
    return opened


@pytest.fixture(scope="session")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return load_plan(small_rubric(tmp_path_factory.mktemp("rubric")))


@pytest.fixture
def course(plan: Plan) -> Course:
    return Course(plan, "process")


@pytest.fixture
def graded(data: DataFolder, store: Store) -> Graded:
    """Have somebody hand in at a time, and get some of 100 points, all in one check."""

    def make(person: Person, score: float, at: float = 1.0, *, refused: bool = False) -> Attempt:
        attempt = an_attempt(store, person, at)
        queue.claim(store, "d", at, [COURSE])
        write_score(data.attempt(attempt.id), person, score)
        outcome = Outcome("refused" if refused else "graded", attempt.id, score, 100.0, 1.0, "no" * refused)
        assert queue.finish(store, "d", attempt.id, outcome, at + 1)
        return attempt

    return make


@pytest.fixture
def up_to_date(data: DataFolder, store: Store, course: Course) -> UpToDate:
    def bring(now: Course = course) -> Path:
        update_class_folder(data, store, COURSE, now, 99.0)
        return data.course(COURSE).path

    return bring


@pytest.fixture
def attempt(data: DataFolder, store: Store) -> Attempt:
    return uploads.hand_in(data, store, a_person(store).id, FILES, 1.0)


@pytest.fixture
def desk(data: DataFolder, store: Store, attempt: Attempt) -> Desk:
    return Desk(data, store, attempt)
