"""Faults of what is not there while a submission is graded."""

from __future__ import annotations

import pytest

from grader.grading.explain.not_there import explain_absence
from tests.grader.words import english

SYSTEM = "S. While it is graded there are no files but those that were handed in, no network, no signals"


@pytest.mark.parametrize(
    ("kind", "message", "said"),
    [
        (
            "ModuleNotFoundError",
            "No module named 'search'",
            "S. There is no module search beside your files: is solvers.search meant?",
        ),
        ("ModuleNotFoundError", "No module named 'tkinter'", "S. While it is graded there are only Python's"),
        ("ModuleNotFoundError", "No module named 'my_generator'", "is generators.my_generator meant?"),
        (
            "ModuleNotFoundError",
            "No module named 'numpy.linalg'",
            "S. While it is graded there are only Python's",
        ),
        ("NameError", "name 'exit' is not defined", "exit is there where Python is used interactively"),
        ("FileNotFoundError", "[Errno 2] No such file or directory: 'maze.txt'", SYSTEM),
        ("PermissionError", "[Errno 1] Operation not permitted", SYSTEM),
        ("ValueError", "signal only works in main thread of the main interpreter", SYSTEM),
    ],
)
def test_what_is_not_there_is_told(kind: str, message: str, said: str) -> None:
    found = explain_absence({"kind": kind, "message": message}, "S.")
    assert found is not None
    assert said in english(found)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("ModuleNotFoundError", "No module named 'solvers.tools'"),
        ("ModuleNotFoundError", "No module named 'lab.extra'"),
        ("ModuleNotFoundError", "No module named 'collections.dequeue'"),
        ("NameError", "name 'helper' is not defined"),
        ("ValueError", "signal"),
        ("KeyError", "'search'"),
    ],
)
def test_other_faults_are_left_as_they_are(kind: str, message: str) -> None:
    assert explain_absence({"kind": kind, "message": message}, "S.") is None
