"""Engines that are not there."""

from __future__ import annotations

import pytest

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox.docker import backend as backends
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


@pytest.mark.usefixtures("engine")
def test_an_engine_that_has_gone_is_told_when_a_box_is_to_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_: object) -> None:
        monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
        raise OSError("the connection was lost")

    monkeypatch.setattr(backends, "_open", leave)
    with pytest.raises(SandboxError, match="no Docker engine answers"):
        DockerBackend().open(Limits())
    engines._connected.cache_clear()
