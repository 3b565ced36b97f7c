"""A command line that suggests corrections of misspelt words, and that shells can complete."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final, NoReturn

from lab.commands.errors import CommandError
from lab.costs import read_costs
from lab.optional_packages import MissingPackage, need
from lab.slips import nearest_name

SHELLS: Final = {
    "bash": 'eval "$({program} completion bash)"        in ~/.bashrc',
    "zsh": 'eval "$({program} completion zsh)"         in ~/.zshrc, after compinit',
    "fish": "{program} completion fish | source         in ~/.config/fish/config.fish",
    "powershell": "{program} completion powershell | Out-String | Invoke-Expression        in $PROFILE",
}
"""The supported shells, each with the line that makes it complete a program."""
_CHOICE: Final = re.compile(r"invalid choice: (['\"])(.+?)\1 \(choose from (.*)\)", re.DOTALL)


def command_module(name: str) -> ModuleType | None:
    """Return the module of a command; None where the kit is without it."""
    place = f"lab.commands.{name}"
    return import_module(place) if find_spec(place) else None


class CommandLine(argparse.ArgumentParser):
    """Parses a command line; suggests a command, value or option for an unknown one."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, with a suggestion, and exit with 2."""
        if found := _CHOICE.search(message):
            message += ask_for(found[2], [word.strip(" '\"") for word in found[3].split(",")])
        super().error(message)

    def parse_known_args(  # type: ignore[override] # its overloads are about other namespaces
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse the arguments; refuse unknown options with the usage of this subcommand."""
        options, rest = super().parse_known_args(args, namespace)
        unknown = next((word.partition("=")[0] for word in rest if word.startswith("--")), None)
        if unknown is not None:
            known = [name for name in self._option_string_actions if name.startswith("--")]
            if meant := ask_for(unknown, known):
                self.error(f"unrecognized arguments: {' '.join(rest)}{meant}")
        return options, rest


def ask_for(word: str, known: Iterable[str]) -> str:
    """Return a question that suggests the most similar known word; "" if none is similar."""
    meant = nearest_name(word, known)
    return f": is {meant} meant?" if meant and meant != word else ""


def add_completion(parser: argparse.ArgumentParser, program: str) -> None:
    """Add the arguments of the command that prints the completion code of a shell."""
    parser.add_argument("shell", choices=SHELLS, help="the shell to print it for")
    lines = "".join(f"  {line.format(program=program)}\n" for line in SHELLS.values())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = (
        f"Put the line of your shell into its start-up file:\n{lines}\nexample:\n  {program} completion bash"
    )


def completion(program: str, shell: str) -> str:
    """Return the code that makes a shell complete a program. Raises CommandError."""
    try:
        code: str = need("argcomplete").shellcode([program], shell=shell)
    except MissingPackage as error:
        raise CommandError(str(error)) from None
    return code


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell and exit if it asks for completions; do nothing otherwise."""
    if "_ARGCOMPLETE" in os.environ:
        need("argcomplete").autocomplete(parser)


def offer(argument: argparse.Action, words: Sequence[str]) -> None:
    """Let shells complete an argument by these words, or by a folder."""

    def completer(prefix: str, **_: object) -> list[str]:
        folders: Iterable[str] = need("argcomplete.completers").DirectoriesCompleter()(prefix)
        return [*(word for word in words if word.startswith(prefix)), *folders]

    vars(argument)["completer"] = completer


def count(text: str, least: int = 1) -> int:
    """Parse a whole number from ``least``."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"expected a whole number from {least}, got {text!r}")
    return number


def costs(text: str) -> range:
    """Parse a range of costs, such as 1-9."""
    try:
        return read_costs(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
