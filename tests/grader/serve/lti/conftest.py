"""A service for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.grader.serve.lti.world import World
from tests.grader.serve.lti.world import world as made


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    there = made(tmp_path)
    yield there
    there.store.close()


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A service into which nobody gets, for all tests of a file that hold that."""
    there = made(tmp_path_factory.mktemp("closed"))
    yield there
    there.store.close()
