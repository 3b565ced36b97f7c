"""Settings for every test."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

_SPREAD = "test_corpus.py"
"""Hundreds of submissions, each on its own: any worker may take any of them."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file on one worker, since they share what is costly to set up."""
    for item in items:
        if item.path.name != _SPREAD:
            item.add_marker(pytest.mark.xdist_group(str(item.path)))
