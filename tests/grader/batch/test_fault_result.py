"""The page of work that could not be graded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.batch.job import Course
from grader.batch.orchestrator import make_fault_result
from grader.errors import Undecided


@pytest.mark.parametrize(
    ("language", "fault", "undecided"),
    [
        ("en", "The grader failed on this submission", "Several attempts lie in what you handed in"),
        ("de", "Der Bewerter ist an dieser Abgabe gescheitert", "In deiner Abgabe liegen mehrere Versuche"),
        ("nb", "Vurderingen av denne innleveringen gikk galt", "Innleveringen din inneholder flere forsøk"),
    ],
)
def test_it_says_in_the_language_of_the_class_whether_grader_or_attempts_are_the_reason(
    course: Course, language: str, fault: str, undecided: str
) -> None:
    course = replace(course, language=language)
    reasons = ("no engine", str(Undecided("two attempts")))
    pages = [make_fault_result("ada", reason, course)[1].decode() for reason in reasons]
    assert [fault in page for page in pages] == [True, False]
    assert [undecided in page for page in pages] == [False, True]
    assert all(f'<html lang="{language}">' in page for page in pages)
