"""A data folder with a course, and people in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.serve.data import Data
from grader.serve.store import courses
from grader.serve.store.database import Store
from tests.grader.serve.made import COURSE


@pytest.fixture
def data(tmp_path: Path) -> Data:
    made = Data(tmp_path / "data")
    made.make()
    return made


@pytest.fixture
def store(data: Data) -> Store:
    opened = Store(data.database)
    courses.put(opened, COURSE, "Mazes")
    return opened
