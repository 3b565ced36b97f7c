"""A service that is killed at any write loses no upload that was acknowledged, and no mark.

All that it writes is written once, and the folder is kept as a kill at each step would leave it; then a
service is started on each of these.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from grader.batch.job import Course
from grader.batch.journal import Journal
from grader.course.plan import Plan
from grader.grading.engine import RESULTS
from grader.results import read
from grader.serve import uploads
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import Dispatcher, update_class_folder
from grader.serve.store import attempts, courses, marks, people, queue
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer
from tests.grader.faults.conftest import ADA, BOB, Here
from tests.grader.faults.disk import Pictured, standing
from tests.submissions.loader import Case

pytestmark = [pytest.mark.usefixtures("nothing_is_run", "_untraced"), pytest.mark.ci]
COURSE, NAMES = "mazes", (ADA, BOB)


class Acknowledging(Pictured):
    """Notes with each picture which attempts had been acknowledged by then."""

    def __init__(self, folder: Path, pictures: Path) -> None:
        super().__init__(folder, pictures)
        self._where = pictures
        self.acknowledged: list[str] = []
        self.by_picture: dict[Path, tuple[str, ...]] = {}

    def _take(self, torn: Mapping[Path, bytes] = MappingProxyType({})) -> None:
        super()._take(torn)
        for picture in self._where.iterdir():
            self.by_picture.setdefault(picture, tuple(self.acknowledged))


@pytest.fixture
def course(plan: Plan) -> Course:
    return Course(plan, "fake")


@pytest.fixture
def files(tmp_path: Path) -> list[tuple[str, bytes]]:
    Case("right", "plain").materialise(folder := tmp_path / "files")
    return [(path.name, path.read_bytes()) for path in sorted(folder.rglob("*.py"))]


def life(data: DataFolder, course: Course, files: list[tuple[str, bytes]], acknowledged: list[str]) -> None:
    """Two people hand in, one of them again before anything is graded; all is graded."""
    data.create()
    store = Store(data.database)
    courses.put(store, COURSE, "Mazes")
    for name in (*NAMES, NAMES[1]):
        person = people.put(store, Newcomer(COURSE, name, "student", "demo", name), 1.0)
        acknowledged.append(uploads.hand_in(data, store, person.id, files, 2.0 + len(acknowledged)).id)
    finish(data, store, course)
    store.close()


def finish(data: DataFolder, store: Store, course: Course) -> None:
    dispatcher = Dispatcher(data, store, {COURSE: Here(course)}, 1, clock=lambda: 10.0)
    while queue.count_by_state(store)["waiting"] or not dispatcher.is_idle:
        dispatcher.step(seconds=0.0)
    update_class_folder(data, store, COURSE, course, 20.0)


def results_of(data: DataFolder) -> dict[str, Any]:
    folder = data.course(COURSE).path
    return {path.parent.name: read(path) for path in folder.glob(f"*/{RESULTS}")}


def test_nothing_is_lost_whenever_it_is_killed(
    tmp_path: Path, course: Course, files: list[tuple[str, bytes]]
) -> None:
    data, pictures = DataFolder(tmp_path / "data"), tmp_path / "pictures"
    pictures.mkdir()
    disk = Acknowledging(data.folder, pictures)
    with standing(disk):
        life(data, course, files, disk.acknowledged)
    expected = results_of(data)
    assert set(expected) == set(NAMES)
    assert len(disk.by_picture) > 50
    seen = {len(acknowledged) for acknowledged in disk.by_picture.values()}
    assert seen == {0, 1, 2, 3}
    for picture, acknowledged in disk.by_picture.items():
        _check_recovered(DataFolder(picture), course, acknowledged, expected)
        shutil.rmtree(picture)


def _check_recovered(
    data: DataFolder, course: Course, acknowledged: tuple[str, ...], expected: Mapping[str, Any]
) -> None:
    """What a service makes of a folder that another has left behind."""
    data.create()
    store = Store(data.database)
    courses.put(store, COURSE, "Mazes")
    finish(data, store, course)
    uploads.sweep_orphans(data, store, older_than=float("inf"))
    known = attempts.list_for_course(store, COURSE)
    assert {each.id for each in known} >= set(acknowledged), data
    assert {each.state for each in known} <= {"graded", "replaced"}, data
    kept = {each.id for each in known if each.state == "graded"}
    assert {path.name for path in data.uploads.iterdir()} == kept, data
    assert not list(data.folder.rglob("*.partial")), data
    found = results_of(data)
    assert found == {name: expected[name] for name in found}, data
    owners = {each.person for each in known if each.id in acknowledged}
    for person in people.list_for_course(store, COURSE):
        if person.id in owners:
            standing = marks.get(store, person.id)
            assert standing is not None, data
            assert standing.score == expected[person.name]["score"], data
    assert marks.list_flagged_people(store, COURSE) == [], data
    with Journal(data.course(COURSE).path) as journal:
        assert set(journal.entries()) == set(found), data
        assert all(map(journal.intact, found)), data
    store.close()
