"""What ``make check`` leaves out, and ``make test`` runs.

That is all that takes a container, a browser or a class, and what takes long for another reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

_HERE = Path(__file__).parent
LEFT_OUT = (
    "benchmarks",
    "docs/test_gallery_page.py",
    "docs/test_own_check_recipe.py",
    "docs/test_site.py",
    "docs/test_story.py",
    "fuzz/test_kept_inputs.py",
    "golden",
    "grader/batch/changes",
    "grader/batch/test_change_detection.py",
    "grader/batch/test_class_run.py",
    "grader/batch/test_cluster.py",
    "grader/batch/test_kills.py",
    "grader/batch/test_pseudonyms.py",
    "grader/batch/test_stop_signals.py",
    "grader/commands/test_nameless_user.py",
    "grader/commands/test_streams.py",
    "grader/course/test_exercises.py",
    "grader/exercises/folders/test_answers.py",
    "grader/exercises/folders/test_recipe.py",
    "grader/exercises/folders/test_wall_follower.py",
    "grader/exercises/misconceptions/test_misconceptions.py",
    "grader/exercises/solvers/test_visit_order.py",
    "grader/exports/test_gradescope.py",
    "grader/faults",
    "grader/feedback/test_translation.py",
    "grader/grading/explain/test_places.py",
    "grader/grading/test_engine.py",
    "grader/grading/test_hidden_checks.py",
    "grader/grading/test_lies.py",
    "grader/grading/test_search_answers.py",
    "grader/inside/test_calls_beyond_limits.py",
    "grader/intake/test_selection.py",
    "grader/intake/test_sevenzips.py",
    "grader/sandbox",
    "grader/serve/test_service.py",
    "grader/test_backends_agree.py",
    "grader/test_cli.py",
    "grader/test_corpus.py",
    "grader/test_usage.py",
    "grader/verification/test_mutants.py",
    "lab/commands/test_check.py",
    "lab/mistakes/test_mistakes.py",
    "scripts",
    "student_template",
    "test_contributing.py",
)
"""Files and folders of tests."""
_TAKES_LONG = frozenset({"browser", "firefox"})
"""Fixtures whose tests are left out, wherever they are."""


def is_left_out(path: Path) -> bool:
    """Tell whether a file or a folder is left out as a whole."""
    return path.is_relative_to(_HERE) and path.relative_to(_HERE).as_posix() in LEFT_OUT


def takes_long(item: pytest.Item) -> bool:
    """Tell whether a test asks for what takes long to start."""
    return not _TAKES_LONG.isdisjoint(getattr(item, "fixturenames", ()))
