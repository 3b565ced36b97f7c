"""The class folder: which attempt counts, whatever is done there."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from grader.batch import class_folder
from grader.batch.decisions import MarkChange, adjust_mark
from grader.batch.job import Course
from grader.batch.report.class_facts import load
from grader.course.late_work import Allowance, LatePolicy
from grader.disk import Busy
from grader.grading.engine import RESULTS
from grader.results import read
from grader.serve.store import attempts, marks, queue
from grader.serve.store.database import Store
from tests.grader.serve.made import COURSE, Graded, UpToDate, a_person, an_attempt, standing

pytestmark = pytest.mark.processes

DAY = 86400.0
DEADLINE = 10 * DAY


@pytest.fixture
def late(course: Course) -> Course:
    """The course with a deadline, after which each day costs a tenth."""
    policy = LatePolicy(datetime.fromtimestamp(DEADLINE, UTC), per_day=10.0)
    return replace(course, plan=replace(course.plan, rubric=replace(course.plan.rubric, late=policy)))


def last_counts(course: Course) -> Course:
    rubric = replace(course.plan.rubric, attempts=Allowance(counts="last"))
    return replace(course, plan=replace(course.plan, rubric=rubric))


def score(folder: Path, name: str = "Ada") -> float:
    return read(folder / name / RESULTS)["score"]


def test_the_best_counts_and_then_the_earlier_or_the_last_where_the_rubric_says_so(
    store: Store, course: Course, graded: Graded, up_to_date: UpToDate
) -> None:
    ada = a_person(store)
    _, best, _, last = [graded(ada, score, at) for at, score in enumerate((40.0, 90.0, 90.0, 50.0), 1)]
    assert score(up_to_date()) == 90.0
    assert standing(store, ada) == (best.id, 90.0)
    assert marks.list_flagged_people(store, COURSE) == []
    marks.flag(store, ada.id)
    assert score(up_to_date(last_counts(course))) == 50.0
    assert standing(store, ada) == (last.id, 50.0)


@pytest.mark.parametrize("last", [True, False])
def test_what_nothing_could_be_read_of_counts_only_alone(
    store: Store, course: Course, graded: Graded, up_to_date: UpToDate, last: bool
) -> None:
    ada, bob = a_person(store), a_person(store, "Bob")
    first = graded(ada, 0.0, 1.0)
    graded(ada, 0.0, 2.0, refused=True)
    graded(bob, 0.0, 3.0, refused=True)
    folder = up_to_date(last_counts(course) if last else course)
    assert standing(store, ada)[0] == first.id
    assert standing(store, bob)[1] == 0.0
    rows = {
        row["submission"]: row for row in csv.DictReader((folder / "grades.csv").read_text().splitlines())
    }
    assert {name: row["status"] for name, row in rows.items()} == {"Ada": "graded", "Bob": "refused"}


def test_lateness_decides_which_is_best_and_an_extension_takes_it_back(
    store: Store, late: Course, graded: Graded, up_to_date: UpToDate
) -> None:
    ada = a_person(store)
    in_time = graded(ada, 80.0, DEADLINE - 1)
    too_late = graded(ada, 85.0, DEADLINE + DAY / 2)
    assert score(up_to_date(late)) == 80.0
    assert standing(store, ada) == (in_time.id, 80.0)
    marks.put_deadline(store, ada.id, DEADLINE + DAY)
    assert marks.list_flagged_people(store, COURSE) == [ada.id]
    assert score(up_to_date(late)) == 85.0
    assert standing(store, ada) == (too_late.id, 85.0)
    marks.remove_deadline(store, ada.id)
    assert score(up_to_date(late)) == 80.0


def test_what_staff_decide_stays_whatever_comes(store: Store, graded: Graded, up_to_date: UpToDate) -> None:
    ada = a_person(store)
    graded(ada, 60.0, 1.0)
    folder = up_to_date()
    adjust_mark(folder, "Ada", MarkChange("score", "Grace", "talked about it", points=75.0))
    up_to_date()
    assert standing(store, ada)[1] == 75.0
    better = graded(ada, 70.0, 2.0)
    assert score(up_to_date()) == 75.0
    assert standing(store, ada) == (better.id, 75.0)
    assert "conflict" in read(folder / "Ada" / RESULTS)["adjusted"]


def test_an_attempt_that_is_withdrawn_does_not_count(
    store: Store, graded: Graded, up_to_date: UpToDate
) -> None:
    ada = a_person(store)
    first, second = graded(ada, 60.0, 1.0), graded(ada, 90.0, 2.0)
    up_to_date()
    attempts.withdraw(store, second.id)
    assert score(up_to_date()) == 60.0
    attempts.withdraw(store, first.id)
    folder = up_to_date()
    assert marks.get(store, ada.id) is None
    assert [each.name for each in load(folder).found.hand_ins] == []


def test_what_the_machine_failed_on_has_no_mark(store: Store, up_to_date: UpToDate) -> None:
    ada = a_person(store)
    job = an_attempt(store, ada)
    queue.claim(store, "d", 1.0, [COURSE])
    queue.fail(store, "d", job.id, "no box", 2.0)
    store.rows("update people set changed = 1")
    folder = up_to_date()
    [row] = csv.DictReader((folder / "grades.csv").read_text().splitlines())
    assert row["status"] == "fault"
    assert marks.get(store, ada.id) is None


def test_what_was_broken_off_is_done_the_next_time(
    store: Store, graded: Graded, up_to_date: UpToDate, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = a_person(store)
    graded(ada, 50.0)
    with monkeypatch.context() as patched:
        patched.setattr(class_folder, "hold", Mock(side_effect=Busy("somebody decides")))
        with pytest.raises(Busy):
            up_to_date()
    assert marks.list_flagged_people(store, COURSE) == [ada.id]
    assert score(up_to_date()) == 50.0
