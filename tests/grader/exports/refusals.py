"""Commands that cannot be done."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What the command says that cannot be done: one line for people."""
    assert main([str(argument) for argument in arguments]) == 1
    said = capsys.readouterr().err
    assert said.startswith("grader: ")
    assert said.count("\n") == 1
    assert "Errno" not in said
    return said
