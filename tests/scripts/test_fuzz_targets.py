"""Fuzzing by command: what was found is named with the line that tries it again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts import fuzz_targets


def test_where_it_cannot_be_done_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz_targets, "find_spec", lambda name: None)
    assert fuzz_targets.main("1", "wire", "mazes") == 0
    assert capsys.readouterr().out == f"Not fuzzed, since {fuzz_targets.NEEDED}: wire, mazes.\n"


def test_a_target_that_is_not_known_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"expected targets among wire, .*; got wires"):
        fuzz_targets.main("1", "wires")


@pytest.mark.parametrize("is_found", [False, True])
def test_what_was_found_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_found: bool
) -> None:
    old = tmp_path / "wire" / "found" / "crash-old"
    old.parent.mkdir(parents=True)
    old.touch()

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
        assert command[1:] == ["-m", "tests.fuzz.guided", "wire", "7", str(tmp_path / "wire")]
        options["stdout"].write(b"stat::number_of_executed_units: 12345\n")
        if is_found:
            old.with_name("crash-new").touch()
        return subprocess.CompletedProcess(command, 77 if is_found else 0)

    monkeypatch.setattr(subprocess, "run", run)
    assert fuzz_targets.fuzz("wire", seconds=7, work=tmp_path) is is_found
    said = capsys.readouterr().out
    if is_found:
        again = f"{sys.executable} -m tests.fuzz wire {old.with_name('crash-new')}"
        assert said.splitlines()[1:] == [f"  {again}"]
    else:
        assert said == "wire: 12,345 inputs, and nothing was found\n"


def test_an_input_is_tried_again_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(b"{")
    command = [sys.executable, "-m", "tests.fuzz", "wire", str(path)]
    done = subprocess.run(command, cwd=fuzz_targets.ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{path}: nothing is wrong\n")


@pytest.mark.parametrize("is_ci", [False, True])
def test_in_ci_the_same_inputs_come_each_time(monkeypatch: pytest.MonkeyPatch, is_ci: bool) -> None:
    monkeypatch.setenv("CI", "true" if is_ci else "")
    monkeypatch.setenv("PYTHONHASHSEED", "random")
    assert fuzz_targets.environment()["PYTHONHASHSEED"] == ("0" if is_ci else "random")
