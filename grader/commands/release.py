"""``grader verify`` and ``release``: prove a course's tests, and make what students get."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import COUNT, Command, add_bank, add_rubric, expect_empty, tell
from grader.disk import write_whole
from grader.errors import GraderError, InputError
from grader.languages import languages

if TYPE_CHECKING:
    from grader.course.plan import Plan
    from grader.verification.bank import Grading, KnownSubmission


def _add_verify(parser: argparse.ArgumentParser) -> None:
    add_rubric(parser)
    parser.add_argument(
        "--maze", type=Path, metavar="FILE", help="measure only what this new test maze would add"
    )
    parser.add_argument(
        "--mutants", type=COUNT, default=0, metavar="N",
        help="grade N mutants of the bank's right submissions instead, and print those that no test catches",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder for intermediate results (default: in the cache)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the findings as JSON")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write them as a page")
    add_bank(parser)


def _run_verify(options: argparse.Namespace) -> int:
    """Grade the bank and print the findings; return 1 if the tests are not sound."""
    from grader.course.plan import load_plan
    from grader.sandbox.base import choose
    from grader.sandbox.contents import kept_folder
    from grader.verification.bank import SHIPPED, Grading, load_bank
    from grader.verification.survivors import plan_for_maze

    plan = load_plan(options.rubric, explain=False)
    if options.maze is not None:
        plan = plan_for_maze(plan, options.maze)
    bank = select_submissions(load_bank(options.bank or SHIPPED), options.only)
    grading = Grading(
        choose(options.sandbox)[0].name,
        options.out or kept_folder("verify"),
        jobs=options.jobs,
        quiet=options.quiet,
    )
    if options.mutants:
        if options.maze is not None or options.html is not None:
            raise InputError("expected --mutants without --maze and --html: it has its own table")
        return _verify_mutants(options, bank, plan, grading)
    return _verify_bank(options, bank, plan, grading)


def _verify_bank(
    options: argparse.Namespace, bank: list[KnownSubmission], plan: Plan, grading: Grading
) -> int:
    from grader.verification.findings import find, format_findings, format_maze_report

    if options.maze is None:
        found = find(grading.grade(bank, plan, "bank"), plan)
        print(format_findings(found))
        status = 0 if found.sound else 1
    else:
        found = find(grading.grade(bank, plan, "maze"), plan)
        print(format_maze_report(found, plan.rubric.mazes[0].name))
        status = 1 if found.punished or found.untrue else 0
    from grader.verification.findings import render_findings

    if options.json is not None:
        _write_json(options.json, found.as_data())
    if options.html is not None:
        write_whole(options.html, render_findings(found, plan.rubric.title).encode())
    return status


def _verify_mutants(
    options: argparse.Namespace, bank: list[KnownSubmission], plan: Plan, grading: Grading
) -> int:
    """Print how many mutants of the right submissions are caught, and which are not.

    Return 1 if any survive.
    """
    from grader.verification.findings import format_mutants
    from grader.verification.survivors import find_survivors, make_mutants
    from lab.exercises import BY_ID

    asked = [BY_ID[exercise.id] for exercise in plan.exercises]
    mutants = make_mutants(bank, options.mutants, asked)
    found = find_survivors(mutants, plan, grading)
    if options.json is not None:
        _write_json(options.json, found.as_data())
    print(format_mutants(found))
    return 1 if found.survivors else 0


def _write_json(file: Path, data: object) -> None:
    write_whole(file, (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode())


def select_submissions(bank: list[KnownSubmission], only: list[str] | None) -> list[KnownSubmission]:
    """Return the submissions whose names match a pattern; all without a pattern. Raises InputError."""
    if not only:
        return bank
    named = [known for known in bank if any(fnmatch(known.name, pattern) for pattern in only)]
    if not named:
        raise InputError(
            "expected --only with a pattern that fits a submission of the bank, found none that does"
        )
    return named


VERIFY = Command(
    "grade a bank of right and wrong submissions to measure what each test catches",
    "grader verify --rubric course/rubric.yaml --only 'wrong--bfs-*'",
    _add_verify,
    _run_verify,
)


OLDEST_MINOR = 11
"""The oldest minor version of Python 3 that can grade."""


def _add_release(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="write them into this new or empty folder"
    )
    add_rubric(parser)
    about = "the language of the handout, English where there is none (default: the rubric's)"
    parser.add_argument("--language", choices=languages(), help=about)
    parser.add_argument(
        "--python",
        type=_version,
        default=sys.version_info[:2],
        metavar="VERSION",
        help="the version of Python that grades, which the kit warns by (default: the one that runs this)",
    )
    about = (
        "take Pyodide, which runs the lab in a browser tab, from this folder, and put it beside the page "
        "(default: browsers fetch it from its CDN)"
    )
    parser.add_argument("--pyodide", type=Path, metavar="DIR", help=about)


def _version(text: str) -> tuple[int, int]:
    """Read a version such as 3.12."""
    found = re.fullmatch(r"3\.(\d{1,3})", text)
    if found is None or int(found[1]) < OLDEST_MINOR:
        raise argparse.ArgumentTypeError(f"expected 3.{OLDEST_MINOR} or later, such as 3.12, got {text!r}")
    return 3, int(found[1])


def _run_release(options: argparse.Namespace) -> int:
    """Make the kit in memory, check that it holds no secret and no answer, and write it."""
    from grader.course.plan import load_plan
    from grader.release.browser import make_browser, read_pyodide
    from grader.release.kit import handouts_of, kit_of, titles
    from grader.release.release_folder import NAME, ReleaseFolder
    from grader.release.secrets import collect_secrets, refusal

    expect_empty(options.out)
    plan = load_plan(options.rubric, tell=tell)
    tell("looking through the kit, and trying its functions in each exercise")
    kit, secrets = kit_of(plan, options.language or "", options.python), collect_secrets(plan)
    pyodide = read_pyodide(options.pyodide) if options.pyodide else None
    page = make_browser(kit, handouts_of(plan, options.python), pyodide, title=plan.rubric.title)
    if found := refusal(kit, secrets, page):
        raise GraderError(f"nothing was written, since {found}")
    print(f"Looked through {len(kit.files)} files, and found none of these secrets:")
    print("\n".join(f"  - {line}" for line in secrets.told))
    print("Put each function of the kit into each exercise: none earns points")
    print(f"Exercises: {titles(kit.exercises)}")
    for what, ids in (("Left out", kit.left_out), ("Not graded, but needed by the solvers", kit.not_graded)):
        if ids:
            print(f"{what}: {titles(ids)}")
    from grader.release.kit import make_zip

    made = ReleaseFolder(options.out)
    _write_files(made.repository, kit.files)
    made.archive.write_bytes(make_zip(NAME, kit.files))
    print(f"Repository, for GitHub Classroom or GitLab: {made.repository}")
    print(f"The same as a zip: {made.archive}")
    _write_files(made.browser, page)
    print(f"The same in a browser tab, for any web server: {made.browser / 'index.html'}")
    return 0


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


RELEASE = Command(
    "make the repository and the zip for students, and check that they hold no secret",
    "grader release --rubric course/rubric.yaml --out kit",
    _add_release,
    _run_release,
)
