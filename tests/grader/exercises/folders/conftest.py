"""Forget the own exercises of these tests' courses, which else stay known until another course is read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.exercises.kit.folders.code import know


@pytest.fixture(autouse=True, scope="module")
def _none_is_left() -> Iterator[None]:
    yield
    know(())
