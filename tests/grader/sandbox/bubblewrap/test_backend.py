"""What is particular to bubblewrap: a machine without it, and one on which it cannot start."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import SandboxError
from grader.sandbox.bubblewrap.backend import BubblewrapBackend
from tests.grader.sandbox.boxes import SMALL


def test_a_machine_without_bubblewrap_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = BubblewrapBackend().probe()
    assert not found.works
    assert found.reason == "bubblewrap is not installed: expected the program bwrap"
    assert "apt-get install bubblewrap" in found.advice


def test_a_bubblewrap_that_cannot_start_a_box_is_a_fault_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: no namespaces here' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(SandboxError, match="cannot start a box with bubblewrap: "):
        BubblewrapBackend().open(SMALL)
