"""The ``grader`` command: parses, calls, and prints what came of it."""

from __future__ import annotations

import argparse
import gc
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.errors import GraderError
from grader.languages import languages
from grader.studio import add_commands as add_studio

GC_THRESHOLDS = (200_000, 20, 100)
"""Replies are large trees of plain data without cycles: collecting at every 700th object took more
time than parsing them."""

SANDBOXES = ("auto", "docker", "bubblewrap", "process")
EXPORTS = ("canvas", "moodle", "blackboard", "feedback", "gradescope", "junit")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status: 0 done, 1 could not be done, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        return int(options.run(options))
    except GraderError as error:
        print(f"grader: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("grader: stopped", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        print(f"grader: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="grader", description="Grade submissions of the lab on mazes as graphs.", allow_abbrev=False
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    grade = commands.add_parser("grade", help="grade one submission", allow_abbrev=False)
    grade.add_argument("submission", type=Path, help="a folder, or a zip or tar.gz archive")
    grade.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results go")
    _common(grade)
    grade.set_defaults(run=_grade)

    batch = commands.add_parser("batch", help="grade a class", allow_abbrev=False)
    batch.add_argument(
        "submissions",
        type=Path,
        help="a folder of submissions, or a platform's download, unpacked or as its zip",
    )
    batch.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results go")
    batch.add_argument("--jobs", type=int, metavar="N", help="so many at once; default: one a core")
    which = batch.add_mutually_exclusive_group()
    which.add_argument(
        "--resume", action="store_true",
        help="go on where an earlier run was stopped, and grade only what has changed; the same without it",
    )  # fmt: skip
    which.add_argument("--again", action="store_true", help="grade everything again, changed or not")
    batch.add_argument("--quiet", action="store_true", help="say nothing but what went wrong")
    batch.add_argument("--times", type=Path, metavar="CSV", help="when work came: columns student, time")
    batch.add_argument(
        "--extensions", type=Path, metavar="CSV", help="deadlines of some: columns student, deadline or hours"
    )
    batch.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler, or local:N")
    _common(batch)
    batch.set_defaults(run=_batch)

    diff = commands.add_parser("diff", help="say whose marks moved, and why", allow_abbrev=False)
    diff.add_argument("old", type=Path, help="a folder of results")
    diff.add_argument("new", type=Path, help="another one")
    diff.set_defaults(run=_diff)

    export = commands.add_parser("export", help="write what other programs read", allow_abbrev=False)
    export.add_argument("what", choices=EXPORTS, help="for whom")
    export.add_argument("results", type=Path, nargs="?", help="a folder that grader batch or grade wrote")
    export.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    export.add_argument(
        "--gradebook",
        type=Path,
        metavar="FILE",
        help="the platform's own, to fill in; without it, a new table",
    )
    export.add_argument(
        "--assignment", metavar="NAME", help="the column of the gradebook, or the head of a new one"
    )
    export.add_argument("--rubric", type=Path, metavar="FILE", help="of Gradescope's autograder")
    export.set_defaults(run=_export)

    show = commands.add_parser("show", help="print a results.json for people", allow_abbrev=False)
    show.add_argument("results", type=Path, help="a results.json, or the folder that holds it")
    form = show.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="as Markdown, for a comment")
    form.add_argument(
        "--maze",
        metavar="CHECK",
        help="only the maze on which this check went wrong, as a file for maze solve",
    )
    show.add_argument("--language", choices=languages(), help="default: the rubric's")
    show.set_defaults(run=_show)

    explain = commands.add_parser(
        "explain", help="check the rubric and say what it tests", allow_abbrev=False
    )
    explain.add_argument("--rubric", type=Path, metavar="FILE", help="default: the one that ships")
    explain.set_defaults(run=_explain)

    doctor = commands.add_parser("doctor", help="say which sandboxes work here", allow_abbrev=False)
    doctor.set_defaults(run=_doctor)

    image = commands.add_parser("image", help="the Docker image of the sandbox", allow_abbrev=False)
    actions = image.add_subparsers(required=True, metavar="ACTION")
    build = actions.add_parser("build", help="build it, where it is not up to date", allow_abbrev=False)
    build.add_argument("--base", metavar="IMAGE", help="an image with Python to start from")
    build.set_defaults(run=_build_image)
    add_studio(commands)
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sandbox", choices=SANDBOXES, default="auto", help="default: auto, the strongest that works here"
    )
    parser.add_argument("--rubric", type=Path, metavar="FILE", help="default: the one that ships")
    parser.add_argument("--language", choices=languages(), help="of the feedback; default: the rubric's")


def _grade(options: argparse.Namespace) -> int:
    from grader.grading.pipeline import grade_one

    print(grade_one(options.submission, options.out, options.sandbox, options.rubric, options.language))
    return 0


def _batch(options: argparse.Namespace) -> int:
    from dataclasses import fields

    from grader.batch.class_run import Options, grade_class

    return grade_class(Options(**{field.name: getattr(options, field.name) for field in fields(Options)}))


def _diff(options: argparse.Namespace) -> int:
    from grader.batch.report.diff import compare

    print(compare(options.old, options.new))
    return 0


def _export(options: argparse.Namespace) -> int:
    from grader.course.plan import load_plan
    from grader.exports.command import export

    if options.what == "gradescope" and options.results is None:
        load_plan(options.rubric)  # what is wrong in it is said here, not on Gradescope
    given = {key: getattr(options, key) for key in ("gradebook", "assignment", "rubric")}
    print(export(options.what, options.results, options.out, **given))
    return 0


def _show(options: argparse.Namespace) -> int:
    from grader.exports.command import results_file
    from grader.feedback import render_markdown, render_maze, render_text
    from grader.results import read
    from grader.text import visible

    results = read(results_file(options.results))
    if "fault" in results:
        submission, fault = visible(results["submission"]), visible(str(results["fault"]))
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


def _explain(options: argparse.Namespace) -> int:
    from grader.course.plan import load_plan
    from grader.summary import explanation

    print(explanation(load_plan(options.rubric)))
    return 0


def _doctor(_options: argparse.Namespace) -> int:
    from grader.sandbox.probe import doctor

    print(doctor())
    return 0


def _build_image(options: argparse.Namespace) -> int:
    from grader.sandbox.docker.image import build_image

    print(build_image(options.base))
    return 0
