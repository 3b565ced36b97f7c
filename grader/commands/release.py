"""``grader release``: the repository that students get, with the proof that nothing secret is in it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import add_rubric
from grader.errors import GraderError, InputError
from grader.languages import languages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.release.kit import Kit
    from grader.release.leak_check import Leak

HELP = "make what students get: a repository and a zip, with no secret in it"
_NAME = "mazes-lab"
_SHOWN = 20


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new or an empty folder")
    add_rubric(parser)
    about = "of the handout, which is English where it lacks one; default: the rubric's"
    parser.add_argument("--language", choices=languages(), help=about)


def run(options: argparse.Namespace) -> int:
    """Make the kit in memory, prove that it keeps the secrets, and write it."""
    from grader.course.plan import load_plan
    from grader.release.kit import make_kit, titles
    from grader.release.leak_check import find_leaks
    from grader.release.secrets import collect_secrets

    if options.out.is_dir() and any(options.out.iterdir()):
        raise InputError("expected a new or an empty folder: name another, or empty it", path=options.out)
    plan = load_plan(options.rubric)
    graded = [exercise.id for exercise in plan.exercises]
    kit = make_kit(graded, options.language or plan.rubric.language, plan.rubric.own_exercises)
    secrets = collect_secrets(plan)
    if found := find_leaks(kit.files, secrets):
        raise GraderError(_refusal(found))
    print(f"Looked through {len(kit.files)} files, and found nothing that students must not get:")
    print("\n".join(f"  - {line}" for line in secrets.told))
    print(f"Exercises: {titles(kit.exercises)}")
    for what, ids in (("Left out", kit.left_out), ("Not graded, but needed by the solvers", kit.not_graded)):
        if ids:
            print(f"{what}: {titles(ids)}")
    _write(options.out, kit)
    return 0


def _refusal(found: Sequence[Leak]) -> str:
    more = f"\n  … and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    places = "".join(f"\n  {leak}" for leak in found[:_SHOWN])
    return f"nothing was written, since students would get what they must not:{places}{more}"


def _write(out: Path, kit: Kit) -> None:
    """Write the folder, and beside it the same as a zip: the same files, the same bytes."""
    from grader.release.archive import make_zip

    for name, content in kit.files.items():
        path = out / _NAME / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    archive = out / f"{_NAME}.zip"
    archive.write_bytes(make_zip(_NAME, kit.files))
    print(f"Repository, for GitHub Classroom or GitLab: {out / _NAME}")
    print(f"The same as a zip: {archive}")
