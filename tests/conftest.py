"""Settings for every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.untraced import untraced

_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _PATIENT, derandomize=True, database=None)
settings.register_profile("fuzz", _PATIENT, max_examples=1000)
settings.load_profile("fixed")


@pytest.fixture
def _untraced() -> Iterator[None]:
    with untraced():
        yield


_SPREAD = "test_corpus.py"
"""Hundreds of submissions, each on its own: any worker may take any of them."""


class _FileByFile(LoadFileScheduling):
    """Keeps the tests of a file on one worker, since they share what is costly to set up."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return nodeid if file.endswith(_SPREAD) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _FileByFile | None:
    return _FileByFile(config, log) if config.getoption("dist") == "loadfile" else None
