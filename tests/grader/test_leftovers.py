"""What is left lying around in work changes no mark: put into right and wrong submissions of the bank, it is told.

Every leftover goes into the file of one exercise, and the mark is that of the same file without it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from grader.course.plan import Plan
from grader.grading.engine import grade
from grader.model import Report, Submission
from grader.results import as_data
from grader.sandbox.process import ProcessBackend
from tests.grader.grading.answered import small_plan
from tests.submissions.loader import FILES, Case, cases
from tests.touched import is_ci

pytestmark = pytest.mark.usefixtures("_untraced")


def in_methods(statement: str) -> Callable[[str], str]:
    """Put a statement first into every method, on the line of what stands there."""

    def put(text: str) -> str:
        lines = text.split("\n")
        for each in ast.walk(ast.parse(text)):
            if isinstance(each, ast.FunctionDef) and each.body[0].lineno > each.lineno:
                lines[each.body[0].lineno - 1] = f"{statement}; {lines[each.body[0].lineno - 1].strip()}"
        return "\n".join(lines)

    return put
