"""People and uploads, made up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.batch.job import CODE_FILE
from grader.grading.engine import write_results
from grader.model import CheckResult, ExerciseResult, GradedSubmission, Verdict
from grader.results import as_data, as_json
from grader.serve.store import attempts, courses, marks, people, queue
from grader.serve.store.attempts import Attempt, Upload
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer, Person, Role

COURSE = "mazes"
Graded = Callable[..., Attempt]
UpToDate = Callable[..., Path]


@dataclass
class Clock:
    """A clock that stands."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def a_person(store: Store, name: str = "Ada", *, course: str = COURSE, role: Role = "student") -> Person:
    return people.put(store, Newcomer(course, name, role, "demo", name), 1.0)


def an_attempt(store: Store, person: Person, now: float = 1.0) -> Attempt:
    """One whose files are nowhere."""
    return attempts.add(store, person.id, Upload(attempts.new_id(), "sha", ("bfs.py",)), now)


def write_score(folder: Path, person: Person, score: float) -> None:
    """Write a result with some of 100 points, all in one check."""
    lost = Verdict("failed", "It is wrong.")
    checks = (
        CheckResult("dfs.valid-path", "A way", score, "public", Verdict("passed")),
        CheckResult("dfs.visit-order", "The order", 100 - score, "public", lost),
    )
    report = GradedSubmission(person.folder, "process", "Mazes", "", (ExerciseResult("dfs", "DFS", checks),))
    folder.mkdir()
    write_results(folder, as_json(as_data(report)), b'<html lang="en">', {CODE_FILE: b"# code"})


def now(store: Store, attempt: Attempt | str) -> Attempt:
    """An attempt, or that of an id, as it is now."""
    found = attempts.get(store, attempt if isinstance(attempt, str) else attempt.id)
    assert found is not None
    return found


def standing(store: Store, person: Person) -> tuple[str, float]:
    """The attempt of somebody that counts, and the mark."""
    found = marks.get(store, person.id)
    assert found is not None
    return found.attempt, found.score


def taken(store: Store, at: float = 1.0, owner: str = "d") -> Attempt:
    """The next job, which a dispatcher takes."""
    found = queue.claim(store, owner, at, list(courses.load_titles(store)))
    assert found is not None
    return found
