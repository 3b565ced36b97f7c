"""What students get of wrong work tells nothing of the seed that hidden mazes are drawn from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import pytest

from grader.course.plan import make_plan
from grader.course.rubric import Rubric, load_rubric
from grader.exercises import registry
from grader.exports.gradescope import format_results
from grader.exports.junit import junit_report
from grader.feedback import render_html, render_markdown, render_text
from grader.feedback.text import format_result
from grader.grading.engine import grade, outputs_of
from grader.model import Submission
from tests.fuzz.liars import Lies, LyingBackend

pytestmark = pytest.mark.processes

SEED = 7_305_918_264_551_038_211
WRONG = Submission("ada", {"solvers/dfs.py": b"class DFS:\n    pass\n"})


def told(lies: Lies, hidden_feedback: Literal["outcome", "kind", "full"]) -> Iterator[str]:
    """Yield all that students get: the results, the page, the texts, and what goes to platforms."""
    rubric: Rubric = load_rubric(checks=registry.titles())
    rubric = replace(rubric, seed=SEED, examples=2, hidden_feedback=hidden_feedback)
    report = grade(WRONG, make_plan(rubric), LyingBackend(lies))
    assert all(exercise.score < exercise.max_score for exercise in report.exercises)
    found = outputs_of(report, rubric)
    yield from (
        found.results.decode(),
        found.page.decode(),
        render_html(found.data),
        format_result(found.data),
    )
    yield from (render_markdown(found.data), render_text(found.data, source="results"))
    yield from (format_results(found.data).decode(), junit_report([found.data]).decode())


@pytest.mark.parametrize("hidden_feedback", ["outcome", "full"])
@pytest.mark.parametrize("kind", ["of no use", "nearly"])
def test_neither_the_seed_nor_a_number_after_it_is_told(
    kind: str, hidden_feedback: Literal["outcome", "full"]
) -> None:
    lies = Lies(seed=1, share=1.0, kinds=(kind,), steady=True, garbled=0.0)
    numbers = {int(number) for text in told(lies, hidden_feedback) for number in re.findall(r"\d{15,}", text)}
    assert not numbers & set(range(SEED, SEED + 101))
