"""The help of every command begins with what it does, and ends with an example; numbers have their bounds."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.cli import make_parser
from grader.commands.common import whole_number


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


@given(st.integers(-5, 5), st.none() | st.integers(5, 9), st.integers(-20, 20))
def test_a_number_is_one_within_its_bounds(least: int, most: int | None, number: int) -> None:
    read = whole_number(least, most)
    if least <= number and (most is None or number <= most):
        assert read(str(number)) == number
        return
    with pytest.raises(argparse.ArgumentTypeError, match=f"expected a whole number from {least}"):
        read(str(number))


@pytest.mark.parametrize(
    "arguments",
    [
        ("batch", "in", "--out", "out", "--jobs", "0"),
        ("serve", "--port", "65536"),
        ("maze", "edit", "a.yaml", "--port", "99999"),
        ("verify", "--mutants", "0"),
    ],
)
def test_a_number_out_of_range_is_wrong_usage(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit, match="2"):
        make_parser().parse_args(arguments)
