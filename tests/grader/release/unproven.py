"""Kits whose functions are not put into the exercises: most of the work, and tests of the kit hold it."""

from __future__ import annotations

import pytest

from grader.release import proof


@pytest.fixture
def unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "find_answers", lambda _: [])
