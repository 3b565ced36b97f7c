"""The help of every command: it begins with what the command does, and ends with an example that is valid."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest

from grader.cli import make_parser


def commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield all subcommands of a parser, at any depth."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield command
                yield from commands(command)


ALL = {command.prog: command for command in commands(make_parser())}


@pytest.mark.parametrize("name", ALL)
def test_the_help_begins_with_a_sentence_and_ends_with_an_example(name: str) -> None:
    _usage, sentence, *_ = ALL[name].format_help().split("\n\n")
    assert re.fullmatch(r"[A-Z][^\n]+\.", sentence)
    *_, example = ALL[name].format_help().rstrip().split("\n\n")
    title, command = example.split("\n", 1)
    assert title == "example:"
    assert command.strip().startswith(name)
    program, *arguments = shlex.split(command.replace("\\\n", " "))
    assert program == "grader"
    make_parser().parse_args(arguments)
