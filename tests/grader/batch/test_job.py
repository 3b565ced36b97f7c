"""The key of a result, by which a later run knows that nothing has changed."""

from __future__ import annotations

import pytest

from grader.batch.job import Course, key_of
from grader.grading import engine
from grader.grading.engine import grade
from grader.languages import said
from grader.model import Limits, Submission, note
from grader.results import as_data
from grader.sandbox.base import Box
from grader.sandbox.process import ProcessBackend
from grader.session.session import Session


class Unasked(ProcessBackend):
    def open(self, limits: Limits) -> Box:
        raise AssertionError("a box was opened")


@pytest.mark.parametrize("files", [{}, {"readme.txt": b"hi"}])
def test_no_box_is_asked_what_it_says_of_nothing(
    course: Course, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = Submission("ada", files)
    unasked = as_data(grade(submission, course.plan, Unasked()))
    monkeypatch.setattr(engine, "NothingHandedIn", Session)
    assert {**as_data(grade(submission, course.plan, ProcessBackend())), "timing": {}} == {
        **unasked,
        "timing": {},
    }


def test_the_key_hangs_on_everything(course: Course) -> None:
    one = Submission("ada", {"a.py": b"1", "b.py": b"2"})
    others = [
        Submission("bob", one.files),
        Submission("ada", {"a.py": b"12", "b.py": b""}),
        Submission("ada", {"a.py": b"1", "c.py": b"2"}),
        Submission("ada", one.files, (note(said("intake_nothing")),)),
    ]
    keys = [key_of(each, course) for each in (one, *others)]
    keys.append(key_of(one, Course(course.plan, "other")))
    keys.append(key_of(one, Course(course.plan, "fake", "nb")))
    assert len(set(keys)) == len(keys)
    assert key_of(Submission("ada", dict(reversed([*one.files.items()]))), course) == keys[0]
