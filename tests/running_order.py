"""The order in which tests run: what takes longest begins first, so that nobody waits for it at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from tests.submissions.loader import Case

SPREAD = "grader/test_corpus.py"
"""Hundreds of submissions, each on its own: any worker may take any of them, and they fill the gaps."""
LONGEST_FIRST = (
    *("golden/test_golden.py", "batch/test_class_run.py"),
    *("batch/test_kills.py", "folders/test_wall_follower.py"),
    *("batch/test_cluster.py", "commands/test_streams.py", "grader/test_backends_agree.py"),
    *("benchmarks/test_benchmarks.py", "misconceptions/test_misconceptions.py", "explain/test_places.py"),
    *("solvers/test_visit_order.py", "docs/test_story.py", "feedback/test_html_in_a_browser.py"),
    *("grading/test_engine.py", "grading/test_hidden_checks.py", "grader/test_cli.py"),
    *("batch/test_stop_signals.py", "fuzz/test_kept_inputs.py", "grading/test_search_answers.py"),
)
"""The files whose tests take longest all together."""


def case_of(item: pytest.Item) -> Case | None:
    """Return the submission that a test of the corpus grades; None for other tests."""
    if not item.path.as_posix().endswith(SPREAD):
        return None
    assert isinstance(item, pytest.Function)
    return cast("Case", item.callspec.params["case"])


def turn(item: pytest.Item) -> tuple[int, bool]:
    """Return the key to sort by: files that take long, all others, the corpus with its slow cases first."""
    if (case := case_of(item)) is not None:
        return len(LONGEST_FIRST) + 1, not case.expectation.slow
    file = item.path.as_posix()
    place = next((n for n, end in enumerate(LONGEST_FIRST) if file.endswith(end)), len(LONGEST_FIRST))
    return place, False
