"""Most of intake is tried in the process of the tests, which read what they bring themselves."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _here(_reads_here: None) -> None:
    """Use the fixture in each test of this folder."""
