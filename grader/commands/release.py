"""``grader release``: make the repository for students, and check that it holds no secret and no answer."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import add_rubric, expect_empty, tell
from grader.errors import GraderError
from grader.languages import languages

if TYPE_CHECKING:
    from grader.release.kit import Kit

HELP = "make the repository and the zip for students, and check that they hold no secret"
EXAMPLE = "grader release --rubric course/rubric.yaml --out kit"
_NAME = "mazes-lab"
"""The name of the repository."""
OLDEST_MINOR = 11
"""The oldest minor version of Python 3 that can grade."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
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


def run(options: argparse.Namespace) -> int:
    """Make the kit in memory, check that it holds no secret and no answer, and write it."""
    from grader.course.plan import load_plan
    from grader.release.browser import make_browser, read_pyodide
    from grader.release.kit import handouts_of, kit_of, titles
    from grader.release.proof import refusal
    from grader.release.secrets import collect_secrets

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
    _write(options.out, kit)
    _write_files(options.out / "browser", page)
    print(f"The same in a browser tab, for any web server: {options.out / 'browser' / 'index.html'}")
    return 0


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _write(out: Path, kit: Kit) -> None:
    """Write the kit as a folder and as a zip beside it."""
    from grader.release.archive import make_zip

    _write_files(out / _NAME, kit.files)
    archive = out / f"{_NAME}.zip"
    archive.write_bytes(make_zip(_NAME, kit.files))
    print(f"Repository, for GitHub Classroom or GitLab: {out / _NAME}")
    print(f"The same as a zip: {archive}")
