"""Every command in the documentation is one that the programs take, option by option."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO

import pytest

import grader.cli
import lab.cli
from scripts import command_reference
from tests.docs.pages import PAGES, ROOT, commands, mentions, name

PROGRAMS: dict[str, Callable[[Sequence[str]], int]] = {"grader": grader.cli.main, "maze": lab.cli.main}
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


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


def is_understood(line: str) -> bool:
    """Tell whether the programs take a command line."""
    program, *arguments = words(line)
    if program not in PROGRAMS:
        return program != "make" or {word for word in arguments if "=" not in word} <= TARGETS
    with pytest.raises((Understood, SystemExit)) as ended:
        PROGRAMS[program](arguments)
    return ended.type is Understood


@pytest.mark.usefixtures("only_read")
def test_every_command_in_a_block_is_understood() -> None:
    found = [command for page in PAGES for command in commands(page)]
    assert [str(command) for command in found if not is_understood(command.line)] == []
    own = {name(command.page) for command in found if words(command.line)[0] in PROGRAMS}
    assert {"README.md", "docs/teaching-assistants.md", "student_template/README.md"} <= own


def test_commands_in_the_text_are_there_with_their_options() -> None:
    told = {f"{name(page)}: {text}": [*faults(text)] for page in PAGES for text in mentions(page)}
    assert {text: wrong for text, wrong in told.items() if wrong} == {}


def faults(text: str) -> Iterator[str]:
    """What is wrong with a command in running text, of which parts may be left out."""
    program, *rest = text.split() or [""]
    if program == "make" and rest:
        yield from (word for word in rest if word.islower() and word not in TARGETS)
    if program == "python":
        yield from (
            word for word in rest if re.fullmatch(r"\w+/\S+\.py", word) and not (ROOT / word).is_file()
        )
        yield from (word for word in rest[1:2] if rest[0] == "-m" and not importlib.util.find_spec(word))
    if program in PROGRAMS and rest:
        known = options(program, rest[0])
        yield from rest[:1] if known is None else ()
        yield from (word for word in rest[1:] if word.startswith("-") and word not in (known or ()))


@cache
def options(program: str, command: str) -> frozenset[str] | None:
    """The options of a command, as its help names them; None where there is no such command."""
    told = StringIO()
    with redirect_stdout(told), redirect_stderr(StringIO()), pytest.raises(SystemExit) as ended:
        PROGRAMS[program]([command, "--help"])
    return None if ended.value.code else frozenset(re.findall(r"--?\w[\w-]*", told.getvalue()))


def test_the_page_of_commands_is_made_from_the_parsers() -> None:
    """Write it anew with python scripts/command_reference.py."""
    assert command_reference.PAGE.read_text(encoding="utf-8") == command_reference.page()
