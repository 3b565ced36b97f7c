"""The key of a stored result holds what decides it; a change of anything else grades nothing again."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from grader import shipped
from grader.batch.job import DECIDES, Course, key_of, sources_digest
from grader.course.plan import load_plan
from grader.languages import said
from grader.model import Submission, note


def test_the_key_hangs_on_everything_that_a_mark_hangs_on(course: Course) -> None:
    one = Submission("ada", {"a.py": b"1", "b.py": b"2"})
    others = [
        Submission("bob", one.files),
        Submission("ada", {"a.py": b"12", "b.py": b""}),
        Submission("ada", {"a.py": b"1", "c.py": b"2"}),
        Submission("ada", one.files, (note(said("intake_nothing")),)),
    ]
    keys = [key_of(each, course) for each in (one, *others)]
    assert len(set(keys)) == len(keys)
    assert key_of(one, Course(course.plan, "other", "nb")) == keys[0]
    assert key_of(Submission("ada", dict(reversed([*one.files.items()]))), course) == keys[0]


ROOT = Path(shipped.__file__).parents[1]
NOT_DECIDING = {
    *("batch", "commands", "editor", "exports", "refresh.py", "release", "serve", "verification"),
    *("__init__.py", "__main__.py", "api.py", "cli.py", "disk.py", "lazy.py", "py.typed"),
    *("mazes", "rubric.yaml"),  # which have a digest of their own, that of the rubric
}
"""What of ``grader`` changes no file of a result."""


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the sources, which the digest is made of."""
    for package in ("grader", "lab", "reference", "student_template"):
        ignored = shutil.ignore_patterns("__pycache__", "submissions")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    monkeypatch.setattr(shipped, "folder", lambda package: tmp_path / package)
    monkeypatch.setattr(shipped, "template_folder", lambda: tmp_path / "student_template")
    shipped.digest.cache_clear()
    yield tmp_path
    shipped.digest.cache_clear()


def again() -> str:
    shipped.digest.cache_clear()
    return sources_digest()


def test_every_part_of_the_grader_is_known_to_decide_results_or_not() -> None:
    parts = {path.name for path in (ROOT / "grader").iterdir() if path.name != "__pycache__"}
    assert {*DECIDES} | NOT_DECIDING == parts
    assert not {*DECIDES} & NOT_DECIDING


def test_a_line_in_a_part_that_decides_grades_again_and_in_another_does_not(copy: Path) -> None:
    parts = [copy / "grader" / part for part in (*DECIDES, *NOT_DECIDING)]
    parts += [copy / package for package in ("lab", "reference", "student_template")]
    for part in parts:
        path = next(iter(sorted(part.rglob("*.py"))), part)
        if path.suffix != ".py":
            continue
        before = again()
        with path.open("a") as file:
            file.write("# another line\n")
        assert (again() != before) == (part.name not in NOT_DECIDING), path


def test_the_versions_that_draw_mazes_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    course = Course(load_plan(), "process")
    stamp = course.stamp()
    monkeypatch.setattr(hypothesis, "__version__", "6.0.0")
    assert course.stamp() != stamp
    monkeypatch.undo()
    assert course.stamp() == stamp
    monkeypatch.setattr(platform, "python_version", lambda: "3.99.0")
    assert course.stamp() != stamp
