"""Every command in the documentation is one that the programs take, option by option."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import grader.cli
import lab.cli
from tests.docs.pages import PAGES, ROOT, Command, commands, mentions, name

PROGRAMS: dict[str, Callable[[Sequence[str]], int]] = {"grader": grader.cli.main, "maze": lab.cli.main}
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
OWN = [command for page in PAGES for command in commands(page) if command.line.split()[0] in PROGRAMS]
MADE = [command for page in PAGES for command in commands(page) if command.line.startswith("make ")]


class Understood(BaseException):
    """The command line was read to its end: raised in place of doing what it says."""


@pytest.fixture
def only_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that read their command line and do no more."""
    read = argparse.ArgumentParser.parse_args

    def parse_args(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
        raise Understood(read(parser, arguments))

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_args)


def words(line: str) -> list[str]:
    """The words of a command line, up to where its output goes and to what is said about it."""
    return shlex.split(line.split(" > ")[0], comments=True)


@pytest.mark.usefixtures("only_read")
@pytest.mark.parametrize("command", OWN, ids=str)
def test_a_command_is_understood(command: Command) -> None:
    program, *arguments = words(command.line)
    with pytest.raises(Understood):
        PROGRAMS[program](arguments)


@pytest.mark.usefixtures("only_read")
@pytest.mark.parametrize("line", ["batch submissions --out results --job 2", "grade a.zip", "demo"])
def test_a_command_that_is_none_is_found(line: str) -> None:
    with pytest.raises(SystemExit):
        grader.cli.main(line.split())


@pytest.mark.parametrize("command", MADE, ids=str)
def test_make_has_the_target(command: Command) -> None:
    assert {word for word in words(command.line)[1:] if "=" not in word} <= TARGETS


def test_commands_were_found() -> None:
    pages = {name(command.page) for command in OWN}
    assert {"README.md", "docs/teaching-assistants.md", "student_template/README.md"} <= pages
    assert len(OWN) > 20
    assert MADE


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_in_the_text_are_there_with_their_options(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [text for text in mentions(page) for fault in faults(text, capsys) if fault] == []


def faults(text: str, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """What is wrong with a command in running text, of which parts may be left out."""
    program, *rest = text.split() or [""]
    if program == "make" and rest:
        yield from (word for word in rest if word.islower() and word not in TARGETS)
    if program == "python":
        yield from (
            word for word in rest if re.fullmatch(r"\w+/\S+\.py", word) and not (ROOT / word).is_file()
        )
        yield from (word for word in rest[1:2] if rest[0] == "-m" and not importlib.util.find_spec(word))
    if program not in PROGRAMS or not rest:
        return
    with pytest.raises(SystemExit) as ended:
        PROGRAMS[program]([rest[0], "--help"])
    known = re.findall(r"--?\w[\w-]*", capsys.readouterr().out)
    if ended.value.code:
        yield rest[0]
    yield from (word for word in rest[1:] if word.startswith("-") and word not in known)


@pytest.mark.parametrize(
    "text", ["grader grad", "grader grade a.zip --output b", "make everything", "python -m benchmarks.none"]
)
def test_a_wrong_command_in_the_text_is_found(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(faults(text, capsys))
