"""The key of a result, by which a later run knows that nothing has changed."""

from __future__ import annotations

from grader.batch.job import Course, key_of
from grader.model import Submission


def test_the_key_hangs_on_everything(course: Course) -> None:
    one = Submission("ada", {"a.py": b"1", "b.py": b"2"})
    others = [
        Submission("bob", one.files),
        Submission("ada", {"a.py": b"12", "b.py": b""}),
        Submission("ada", {"a.py": b"1", "c.py": b"2"}),
        Submission("ada", one.files, ("A note.",)),
    ]
    keys = [key_of(each, course) for each in (one, *others)]
    keys.append(key_of(one, Course(course.plan, "other")))
    keys.append(key_of(one, Course(course.plan, "fake", "nb")))
    assert len(set(keys)) == len(keys)
    assert key_of(Submission("ada", dict(reversed([*one.files.items()]))), course) == keys[0]
