"""A client of the engine."""

from __future__ import annotations

import docker
import pytest

from grader.sandbox.docker_engine import connect


@pytest.fixture
def client(engine: None) -> docker.APIClient:  # noqa: ARG001 - it has to run
    return connect()
