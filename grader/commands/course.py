"""``grader course``: start a course of one's own."""

from __future__ import annotations

import argparse
import secrets
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import (
    SEEDS,
    add_command,
    add_language,
    expect_empty,
    tell,
    text_option,
    whole_number,
)
from lab.exercises import LAB_EXERCISES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.course.rubric import RubricExercise

HELP = "begin a course of your own"
EXAMPLE = "grader course new autumn --exercises search,dfs,bfs,graph"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND", dest="part")
    new = add_command(
        commands, "new", "write a rubric with its test mazes, to be changed and graded with", EXAMPLE
    )
    new.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder for the course")
    new.add_argument(
        "--exercises",
        type=lambda text: tuple(filter(None, (part.strip() for part in text_option(text).split(",")))),
        default=tuple(each.id for each in LAB_EXERCISES),
        metavar="ID,ID",
        help="the exercises in their order; all that ship can be taken (default: the lab's six)",
    )
    new.add_argument("--title", type=text_option, help="the title of the feedback (default: the lab's)")
    add_language(new, "the language of the feedback and the handout (default: English)")
    new.add_argument(
        "--seed",
        type=whole_number(0, SEEDS - 1),
        metavar="N",
        help="the seed of the random mazes (default: a random one)",
    )
    new.set_defaults(run_part=_new)


def run(options: argparse.Namespace) -> int:
    """Run the part of the command that was asked for."""
    status: int = options.run_part(options)
    return status


def _new(options: argparse.Namespace) -> int:
    """Write the course; print its points and the next steps."""
    from grader.course.course_folder import NewCourse, create_course
    from grader.errors import InputError

    expect_empty(options.folder)
    if not options.exercises:
        raise InputError("--exercises: expected at least one")
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    wanted = NewCourse(options.exercises, seed, options.title or "", options.language or "")
    print("\n".join(_report(create_course(wanted, options.folder, tell), options.folder)))
    return 0


def _report(exercises: Sequence[RubricExercise], out: Path) -> list[str]:
    """Return lines that say what was written, and what to do next."""
    worth = {each.id: sum(check.points for check in each.checks) for each in exercises}
    width = max(map(len, worth))
    rubric, folder = shlex.quote(f"{out}/rubric.yaml"), shlex.quote(str(out))
    return [
        f"Written to {out}: a rubric of 100 points, and the test mazes that ship. Both are yours to change.",
        *(f"  {id_:<{width}} {round(points, 1):>6g}" for id_, points in worth.items()),
        "",
        f"What is tested:      grader explain --rubric {rubric}",
        f"What students get:   grader release --rubric {rubric} --out kit",
        f"A class to grade:    grader batch submissions --rubric {rubric} --out results",
        f"A page to hand in:   grader serve --course {folder} --data data",
        f"Fresh hidden mazes:  grader refresh --from {folder} --out NEW",
    ]
