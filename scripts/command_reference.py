"""Write the page of all commands: ``python scripts/command_reference.py``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import grader.cli
import lab.cli

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "commands.md"
SHARED = 3
"""An argument that so many commands have, in the same words, is explained once."""


def page() -> str:
    """Return the page, in Markdown, made from the parsers of both programs."""
    found = [*_commands(grader.cli.make_parser()), *_commands(lab.cli.make_parser())]
    often = Counter(_line(each) for parser, _ in found for each in _arguments(parser))
    shared = {line for line, count in often.items() if count >= SHARED}
    parts = [
        "# Commands",
        "Made from the parsers by `python scripts/command_reference.py`; `--help` says the same.",
        "## Options of several commands",
        *_listed(line for line in often if line in shared),
    ]
    for parser, about in found:
        own = [each for each in _arguments(parser) if _line(each) not in shared]
        also = ", ".join(f"`{_name(each)}`" for each in _arguments(parser) if _line(each) in shared)
        parts += [f"## {parser.prog}", f"{about[0].upper()}{about[1:]}.", *_listed(map(_line, own))]
        parts += [f"Also {also}."] * bool(also)
    return "\n\n".join(parts) + "\n"


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[argparse.ArgumentParser, str]]:
    """Yield the commands below a parser that do something themselves, each with what it does."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                command = action.choices[choice.dest]
                below = [*_commands(command)]
                if _arguments(command) or not below:
                    yield command, choice.help or ""
                yield from below


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    skipped = (argparse._HelpAction, argparse._SubParsersAction)
    shown = (action for action in parser._actions if action.help != argparse.SUPPRESS)
    return [action for action in shown if not isinstance(action, skipped)]


def _listed(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines as one list, if there are any."""
    if text := "\n".join(lines):
        yield text


def _line(action: argparse.Action) -> str:
    needed = " (required)" if action.option_strings and action.required else ""
    added = " (default: %(default)s)" if isinstance(action, argparse.BooleanOptionalAction) else ""
    told = (action.help or "").removesuffix(added) % vars(action)  # older versions of Python add it
    flags = [*action.option_strings[:-1], f"{_name(action)}{_value(action)}"]
    return f"- {', '.join(f'`{flag}`' for flag in flags)}{needed}: {told}"


def _name(action: argparse.Action) -> str:
    return action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)


def _value(action: argparse.Action) -> str:
    """Return what an option takes, or the choices of an argument."""
    choices = "|".join(map(str, action.choices or ()))
    if not action.option_strings or action.nargs == 0:
        return f" {choices}" if choices else ""
    words = action.metavar or choices or action.dest.upper()
    return f" {words}" if isinstance(words, str) else f" {' '.join(words)}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"The commands: {PAGE}")
