"""A class of two, with names beyond ASCII, and a rubric that is graded quickly."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.grader.command import ROOT
from tests.submissions.loader import Case

NAME = "Čedomir Ångström 🎓"
RUBRIC = "title: Žluťoučký\nexamples: 5\nexercises: {dfs: {checks: {dfs.valid-path: 100}}}\n"


@pytest.fixture(scope="session")
def rubric(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rubric")
    (folder / "mazes").mkdir()
    shutil.copy(ROOT / "grader" / "mazes" / "a.yaml", folder / "mazes")
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    return folder / "rubric.yaml"


@pytest.fixture(scope="session")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    for name in ("ada", NAME):
        Case("right", "plain").materialise(folder / name)
    return folder
