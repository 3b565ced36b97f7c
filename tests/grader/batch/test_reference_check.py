"""What is made ready for all workers, before a class is graded."""

from __future__ import annotations

from grader.batch.job import Course
from grader.batch.reference_check import rehearse
from grader.feedback import html
from grader.sandbox.process import ProcessBackend


def test_workers_find_the_templates_of_pages_ready(course: Course) -> None:
    html._environment.cache_clear()
    rehearse(course, ProcessBackend())
    environment = html._environment()
    assert environment.cache is not None
    assert {name for _, name in environment.cache} == set(environment.list_templates())
