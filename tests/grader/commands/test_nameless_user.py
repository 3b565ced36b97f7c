"""Users that are a bare number, as containers have them: without a name, a home, or a folder to write in."""

from __future__ import annotations

import json
import os
import pwd
from pathlib import Path
from typing import NoReturn

import pytest

from lab.user_folders import user_folder
from tests.grader.command import grader
from tests.grader.commands.conftest import NAME
from tests.grader.release.unproven import unproven as unproven


@pytest.fixture(autouse=True)
def nameless(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(number: int) -> NoReturn:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for variable in ("HOME", "USER", "LOGNAME", "LNAME", "USERNAME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)


def done(*arguments: str | Path) -> str:
    """What a command printed that did what was asked for."""
    found = grader(*arguments)
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.mark.processes
def test_a_class_is_graded_and_decided_about(submissions: Path, rubric: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done("batch", submissions, "--out", out, "--rubric", rubric, "--sandbox", "process")
    assert "100 -> 50" in done("adjust", out, "ada", "--score", "50", "--reason", "x")
    done("review", out, "--done", "alike")
    done("withdraw", out, "dfs.valid-path", "--reason", "x", "--yes")
    done("forget", out, NAME)
    signed = [json.loads(line)["who"] for line in (out / "ledger.jsonl").read_bytes().splitlines()]
    assert set(signed) == {f"uid {os.getuid()}"}


@pytest.mark.processes
@pytest.mark.usefixtures("unproven")
@pytest.mark.parametrize(
    "arguments",
    [
        ("grade", "SUBMISSION", "--out", "TMP/out", "--rubric", "RUBRIC", "--sandbox", "process"),
        ("explain", "--rubric", "RUBRIC"),
        ("release", "--out", "TMP/out", "--rubric", "RUBRIC"),
        ("maze", "new", "TMP/new.yaml", "--catches", "x"),
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.parametrize("home", [None, "/dev/null/home"])
def test_every_command_makes_do(
    submissions: Path,
    rubric: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    home: str | None,
) -> None:
    if home is not None:
        monkeypatch.setenv("HOME", home)
    names = {"SUBMISSION": str(submissions / "ada"), "RUBRIC": str(rubric)}
    done(*(names.get(each, each.replace("TMP", str(tmp_path))) for each in arguments))


@pytest.mark.parametrize(
    ("home", "named", "folder"),
    [
        (None, None, None),
        ("somewhere", None, None),
        ("/somewhere", None, "/somewhere/.cache"),
        ("/somewhere", "cache", "/somewhere/.cache"),
        ("/somewhere", "/cache", "/cache"),
    ],
)
def test_a_folder_of_the_user_never_hangs_on_where_the_command_is_given(
    monkeypatch: pytest.MonkeyPatch, home: str | None, named: str | None, folder: str | None
) -> None:
    for variable, value in (("HOME", home), ("XDG_CACHE_HOME", named)):
        if value is not None:
            monkeypatch.setenv(variable, value)
    assert user_folder("XDG_CACHE_HOME", ".cache") == (Path(folder) if folder else None)
