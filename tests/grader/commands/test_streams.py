"""Terminals and locales that cannot write a name, and outputs that take nothing."""

from __future__ import annotations

import argparse
import csv
import locale
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from grader.commands.common import name_option, text_option
from grader.commands.results import SHOW
from tests.grader.command import ROOT, grader
from tests.grader.commands.conftest import NAME

pytestmark = pytest.mark.processes

ESCAPED = r"\u010cedomir \xc5ngstr\xf6m \U0001f393"
ASCII_LOCALE = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


def run(*arguments: str | bytes | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a person gives it, whose bytes are what they are."""
    command = [sys.executable, "-m", "grader", *arguments]
    return subprocess.run(command, capture_output=True, timeout=300, env=_environment(environment))


def _environment(more: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


@pytest.fixture(scope="module")
def graded(submissions: Path, rubric: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The class, graded once where every name can be written."""
    out = tmp_path_factory.mktemp("graded")
    given = ("batch", submissions, "--out", out, "--rubric", rubric, "--sandbox", "process", "--quiet")
    assert main([str(each) for each in given]) == 0
    return out


@pytest.fixture
def results(graded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(graded, tmp_path / "résultats"))


def test_a_class_is_graded_and_gone_on_with_where_its_names_cannot_be_printed(
    submissions: Path, rubric: Path, graded: Path, tmp_path: Path
) -> None:
    out = tmp_path / "ergebnisse-ž"
    first: tuple[str | Path, ...] = ("--rubric", rubric, "--sandbox", "process")
    for graded_by in (first, ()):
        done = run("batch", submissions, "--out", out, *graded_by, **ASCII_LOCALE)
        assert (done.returncode, done.stderr) == (0, b"")
    with (out / "grades.csv").open(encoding="utf-8", newline="") as table:
        assert [row["student"] for row in csv.DictReader(table)] == ["ada", NAME]
    for name in ("grades.csv", f"{NAME}/feedback.html"):
        assert (out / name).read_bytes() == (graded / name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["show", f"{{}}/{NAME}"], f"Feedback for {ESCAPED}"),
        (["explain", "--rubric", "RUBRIC"], r"\u017dlu\u0165ou\u010dk\xfd"),
        (["forget", "{}", NAME], f"forgotten: {ESCAPED}"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_every_command_prints_what_the_terminal_cannot_write(
    results: Path,
    rubric: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    printed: str,
) -> None:
    with (tmp_path / "printed").open("w", encoding="ascii") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        given = [str(rubric) if each == "RUBRIC" else each.format(results) for each in arguments]
        assert main(given) == 0
    assert printed in (tmp_path / "printed").read_text("ascii")


NO_TEXT = os.fsdecode(b"r\xffs")


@pytest.mark.parametrize(
    "arguments",
    [
        ("adjust", "{}", "ada", "--exempt", "--reason", NO_TEXT),
        ("adjust", "{}", "ada", "--check", NO_TEXT, "+1", "--reason", "x"),
        ("review", "{}", "--by", NO_TEXT),
        ("export", "moodle", "{}", "--out", "{}/x.csv", "--assignment", NO_TEXT),
        ("maze", "new", "{}/x.yaml", "--catches", NO_TEXT),
        ("serve", "--data", "{}/data", "--url", NO_TEXT),
    ],
)
def test_bytes_that_are_no_text_are_wrong_usage_where_they_would_be_kept_or_shown(
    results: Path, arguments: tuple[str, ...]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in results.rglob("*")}
    done = grader(*(each.format(results) for each in arguments))
    assert done.returncode == 2
    assert done.stderr.endswith(": expected text in UTF-8, got r\\udcffs\n")
    assert {path: path.stat().st_mtime_ns for path in results.rglob("*")} == before


def test_an_old_terminal_types_in_its_own_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = os.fsdecode("Åse".encode("iso-8859-1"))
    monkeypatch.setattr(locale, "getencoding", lambda: "ISO-8859-1")
    assert text_option(typed) == name_option(typed) == name_option("Åse") == "Åse"
    monkeypatch.setattr(locale, "getencoding", lambda: "UTF-8")
    assert name_option(typed) == typed
    with pytest.raises(argparse.ArgumentTypeError, match=r"expected text in UTF-8, got \\udcc5se"):
        text_option(typed)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_that_takes_nothing(results: Path, unbuffered: str) -> None:
    command = [sys.executable, "-m", "grader", "show", f"{results}/ada"]

    def run_it(command: list[str], stdout: Any = None) -> subprocess.CompletedProcess[bytes]:
        environment = _environment({"PYTHONUNBUFFERED": unbuffered})
        return subprocess.run(command, env=environment, timeout=300, stdout=stdout, stderr=subprocess.PIPE)

    with Path("/dev/full").open("w") as full:
        done = run_it(command, full)
    told = b"grader: cannot write the standard output: No space left on device; "
    assert (done.returncode, done.stderr[: len(told)]) == (1, told)
    reading, writing = os.pipe()
    os.close(reading)
    done = run_it(command, writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")  # as below head: nobody wants to hear more
    done = run_it(["sh", "-c", 'exec "$@" >&-', "sh", *command])
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_file_without_a_name_is_not_taken_for_the_output(
    results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> int:
        raise OSError("Connection closed")

    monkeypatch.setattr("grader.commands.results.SHOW", replace(SHOW, run=refuse))
    assert main(["show", str(results)]) == 1
    told = capsys.readouterr().err
    assert told.startswith(
        "grader: cannot use a file or connection of this machine: Connection closed; see to"
    )
