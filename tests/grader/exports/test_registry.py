"""What holds for every export: it says where nothing is, and where nothing can be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.exports.registry import EXPORTS
from tests.grader.exports.refusals import refused


@pytest.mark.parametrize("what", EXPORTS)
def test_an_export_from_nothing_says_so(
    tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for source in (tmp_path, tmp_path / "nowhere"):
        said = refused(capsys, "export", what, source, "--out", tmp_path / "x")
        assert f"{source}: expected a" in said
        assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("what", EXPORTS)
def test_an_export_to_nowhere_says_so(tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "export", what, tmp_path, "--out", tmp_path / "nowhere" / "x")
    assert f"{tmp_path / 'nowhere'}: expected a folder that exists" in said
    assert "got a folder" in refused(capsys, "export", what, tmp_path, "--out", tmp_path)
