"""``grader show``, ``try``, ``diff`` and ``export``: look at results, try, compare, and hand them on."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import (
    Command,
    add_key,
    add_language,
    add_rubric,
    add_shared,
    add_submission,
    name_option,
    path_or_none,
    take_away,
    text_option,
)
from grader.errors import InputError, Undecided
from grader.exports.registry import EXPORTS, ExportRequest

if TYPE_CHECKING:
    from grader.course.rubric import Rubric


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", type=Path, help="a results.json, or the folder that holds it")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print Markdown, for example for a comment")
    form.add_argument(
        "--maze",
        type=text_option,
        metavar="CHECK",
        help="print only the maze on which this check failed, in the format that maze solve reads",
    )
    form.add_argument(
        "--code", type=Path, metavar="DIR", help="write the code that was graded into this folder instead"
    )
    parser.add_argument("--staff", action="store_true", help="include what is hidden from students")
    add_language(parser, "the language of the output (default: the rubric's)")


def _run_show(options: argparse.Namespace) -> int:
    """Print the result, or the part of it that the options ask for."""
    from grader.exports.grades_csv import find_complete_file, find_results_file
    from grader.feedback import render_markdown, render_maze, render_text
    from grader.results import read
    from grader.text import visible

    if options.code:
        from grader.batch.open_results import write_code

        print(write_code(options.results, options.code))
        return 0
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


SHOW = Command(
    "print a results.json in readable form", "grader show results/ada --staff", _add_show, _run_show
)


def _add_try(parser: argparse.ArgumentParser) -> None:
    add_submission(parser)
    parser.add_argument(
        "--check", type=text_option, required=True, help="the id of the check, such as bfs.visit-order"
    )
    parser.add_argument(
        "--maze",
        type=Path,
        metavar="FILE",
        help="a test maze or a text file (default: the maze on which the check failed, or its first)",
    )


def _run_try(options: argparse.Namespace) -> int:
    """Run the student's code in the sandbox, and print what was expected and what came."""
    from grader.batch.review import try_one

    print(try_one(options.results, options.submission, options.check, options.maze, options.key))
    return 0


TRY = Command(
    "run one student's code on one maze of a check, in the sandbox",
    "grader try results ada --check bfs.visit-order --maze corridor.txt",
    _add_try,
    _run_try,
)


def _add_diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", type=Path, help="the folder of results before")
    parser.add_argument("new", type=Path, help="the folder of results after")


def _run_diff(options: argparse.Namespace) -> int:
    """Print what changed."""
    from grader.batch.report.diff import compare

    print(compare(options.old, options.new))
    return 0


DIFF = Command(
    "compare two gradings, and print whose results changed and why",
    "grader diff results-old results-new",
    _add_diff,
    _run_diff,
)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", choices=tuple(EXPORTS), help="the format, or the learning platform that reads it"
    )
    parser.add_argument("results", type=Path, nargs="?", help="a folder that grader batch or grade wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--gradebook",
        type=Path,
        metavar="FILE",
        help="the platform's gradebook, to fill in (default: write a new table)",
    )
    parser.add_argument(
        "--assignment",
        type=text_option,
        metavar="NAME",
        help="the column of the gradebook for the marks, or the title of a new column",
    )
    parser.add_argument(
        "--groups",
        type=path_or_none,
        metavar="CSV",
        help="Canvas' list of groups; every member gets the mark of the group's submission "
        "(default: that of the last export, until it is none)",
    )
    parser.add_argument(
        "--students",
        type=Path,
        metavar="CSV",
        help="the table that says whose work it is where the gradebook has several of one name; "
        "it is written, to be filled in, where some are open",
    )
    add_key(parser)
    parser.add_argument(
        "--refused",
        choices=("blank", "zero"),
        default="blank",
        help="the mark of refused work (default: blank, so that a person decides)",
    )
    parser.add_argument(
        "--anyway", action="store_true", help="write the marks of what is open, too, and name whose they are"
    )
    parser.add_argument(
        "--only",
        type=name_option,
        action="append",
        default=[],
        metavar="STUDENT",
        help="of feedback, the page of this student alone; may be repeated",
    )
    parser.add_argument(
        "--changed-since",
        type=Path,
        metavar="EXPORT",
        help="of feedback, the pages that are not in this earlier zip of all pages, or differ there",
    )
    parser.add_argument(
        "--over", action="store_true", help="write over words in cells, such as EX, which stay otherwise"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print which marks would change, and write nothing"
    )
    add_rubric(parser, "the rubric of Gradescope's autograder (default: the one that ships)")
    add_shared(parser)


def _find_groups(options: argparse.Namespace) -> bool:
    """Take the list of groups of the last export where none is named; return whether one is to be kept."""
    from grader.batch.open_results import kept_groups, tell_kept
    from grader.platforms.base import PLATFORMS

    is_named = options.groups is not None
    if not (options.what in PLATFORMS and PLATFORMS[options.what].names_groups):
        if is_named:
            raise InputError("--groups is for canvas: other platforms list a group's work for each member")
        return False
    take_away(options, "groups")
    if options.results and not is_named and (groups := kept_groups(options.results)):
        print(*tell_kept({"groups": str(groups)}), sep="\n")
        options.groups = groups
    return is_named and options.results is not None and not options.dry_run


def _run_export(options: argparse.Namespace) -> int:
    """Write the file, and print what it holds."""
    from grader.batch.open_results import keep_groups

    _check_options(options)
    keeps_groups = _find_groups(options)

    def rubric() -> Rubric:
        from grader.course.plan import load_plan

        return load_plan(options.rubric).rubric

    # before any work is done
    if options.out.is_dir():
        raise InputError("expected the name of a file to write, got a folder", path=options.out)
    if not options.out.parent.is_dir():
        raise InputError("expected a folder that exists: make it first", path=options.out.parent)
    asked = ExportRequest(
        options.what,
        options.out,
        options.results,
        options.gradebook,
        options.assignment,
        options.groups,
        options.students,
        options.key,
        options.refused,
        options.anyway,
        options.dry_run,
        rubric,
        options.over,
        tuple(options.only),
        options.changed_since,
    )
    print(EXPORTS[options.what](asked))
    _tell_requests(options)
    if keeps_groups:
        keep_groups(options.results, options.groups)
    return 0


def _tell_requests(options: argparse.Namespace) -> None:
    """Note that students see their results now, whose days for requests run; print how many are open."""
    from grader.batch.requests import Requests, count_open, note_shown
    from grader.exports.feedback_zip import is_named
    from grader.exports.grades_csv import read_grades
    from grader.platforms.base import PLATFORMS

    if options.results is None or not options.results.is_dir():
        return
    shows = options.what in (*PLATFORMS, "feedback") and not options.dry_run
    if shows and Requests.load(options.results).terms is not None:
        only = [each for each in read_grades(options.results) if is_named(each, options.only)]
        note_shown(options.results, *(each.submission for each in only))
    if told := count_open(options.results):
        print(f"  {told}")


def _check_options(options: argparse.Namespace) -> None:
    """Raise InputError for an option that this export does not have."""
    from grader.platforms.base import PLATFORMS

    if options.dry_run and options.what not in PLATFORMS:
        raise InputError(f"--dry-run is for {', '.join(PLATFORMS)}: only these overwrite marks")

    for option in ("students", "over"):
        if getattr(options, option) and not options.gradebook:
            raise InputError(f"--{option} is for a gradebook that is filled: name it by --gradebook")

    if (options.only or options.changed_since) and options.what != "feedback":
        raise InputError("--only and --changed-since are for feedback: they choose among its pages")

    if options.key and options.what not in (*PLATFORMS, "feedback", "checks"):
        named = f"{', '.join(PLATFORMS)}, feedback and checks"
        raise InputError(f"--key is for {named}: nothing else has names in it")


EXPORT = Command(
    "write results for another program: gradebooks, Gradescope, JUnit, feedback, all checks, a plot",
    "grader export moodle results --gradebook worksheet.csv --out marks.csv",
    _add_export,
    _run_export,
)
