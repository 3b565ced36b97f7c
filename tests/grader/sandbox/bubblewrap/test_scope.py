"""What systemd makes of a scope is looked at, as it says nothing of what it could not do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox.bubblewrap import scope
from tests.grader.sandbox.boxes import SMALL

SYSTEMD = """#!/bin/sh
if [ "$1" = --version ]; then echo "systemd {version} ({version}.1-1)"; else printf '{told}'; fi
"""


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    for known in (scope.caps, scope._version):
        known.cache_clear()
    yield
    for known in (scope.caps, scope._version):
        known.cache_clear()


def systemd(folder: Path, monkeypatch: pytest.MonkeyPatch, *, told: str = "", version: int = 252) -> None:
    """Put a systemd-run of that version on the path, whose scopes have these limits."""
    program = folder / "systemd-run"
    program.write_text(SYSTEMD.format(told=told, version=version))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("memory.max 536870912\\npids.max 33\\ncpu.max 100000 100000\\n", {"memory", "pids", "cpu"}),
        ("memory.max 536870912\\npids.max 33\\n", {"memory", "pids"}),
        ("memory.max max\\npids.max 33\\ncpu.max max 100000\\n", {"pids"}),
        ("", set()),
    ],
)
def test_a_limit_that_a_scope_lacks_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: str, expected: set[str]
) -> None:
    systemd(tmp_path, monkeypatch, told=told)
    assert scope.caps() == expected


@pytest.mark.parametrize(("version", "expected"), [(252, False), (253, True), (257, True)])
def test_a_scope_goes_on_when_one_process_was_ended_for_its_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: int, expected: bool
) -> None:
    """Which systemd is told from the version on that would end it all."""
    systemd(tmp_path, monkeypatch, version=version)
    assert ("OOMPolicy=continue" in scope.command(SMALL, spare_processes=1)) == expected
