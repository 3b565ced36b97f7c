"""Engines that are not there."""

from __future__ import annotations

import pytest

from grader.errors import SandboxError
from grader.sandbox.docker import engine as engines
from grader.sandbox.docker.backend import DockerBackend
from grader.sandbox.docker.engine import connect


def test_no_engine_is_told_with_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(SandboxError, match=r"no Docker engine answers: tried unix:///nowhere/docker\.sock"):
        connect()
    found = DockerBackend().probe()
    assert not found.works
    assert "docker-engine.sh start" in found.advice
    engines._connected.cache_clear()
