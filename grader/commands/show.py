"""``grader show``: print one result for people."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from grader.commands.common import add_language, text_option
from grader.errors import Undecided

HELP = "print a results.json in readable form"
EXAMPLE = "grader show results/ada --staff"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    parser.add_argument("results", type=Path, help="a results.json, or the folder that holds it")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print Markdown, for example for a comment")
    form.add_argument(
        "--maze",
        type=text_option,
        metavar="CHECK",
        help="print only the maze on which this check failed, in the format that maze solve reads",
    )
    parser.add_argument("--staff", action="store_true", help="include what is hidden from students")
    add_language(parser, "the language of the output (default: the rubric's)")


def run(options: argparse.Namespace) -> int:
    """Print the result, or the part of it that the options ask for."""
    from grader.exports.result_files import find_complete_file, find_results_file
    from grader.feedback import render_markdown, render_maze, render_text
    from grader.results import read
    from grader.text import visible

    whole = options.staff or options.maze
    results = read(find_complete_file(options.results) if whole else find_results_file(options.results))
    if "fault" in results:
        submission, fault = visible(results["submission"]), visible(str(results["fault"]))
        if fault.startswith(Undecided.OPENING):
            print(f"{submission}: no mark, {fault}. Say so with grader choose.")
        else:
            print(f"{submission}: no mark, since the grader failed on it: {fault}. Grade it again.")
    elif options.maze:
        print(render_maze(results, options.maze))
    elif options.markdown:
        print(render_markdown(results, language=options.language))
    else:
        source = shlex.quote(visible(str(options.results)))
        colour = sys.stdout.isatty()
        print(render_text(results, colour=colour, language=options.language, source=source), end="")
    return 0
