"""What a page on a course says of where a maze lands, held against the code."""

from __future__ import annotations

import re
from functools import cache

import pytest

from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.small_mazes import FixedMaze
from grader.exercises.kit.solvers import checks as solvers
from grader.exercises.registry import make_checks
from grader.languages import said
from tests.docs.pages import ROOT


@cache
def page(name: str) -> str:
    return (ROOT / "docs/reference" / f"{name}.md").read_text(encoding="utf-8")


MAZES = {
    "perfect, with an exit": "+-+-+\n|S E|\n+-+-+",
    "with a cycle, every cell in reach": "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+",
    "with cells out of reach, no cycle": "+-+-+-+\n|S E| |\n+-+-+-+",
    "with a cycle, and cells out of reach": "+-+-+-+\n|S  | |\n+ + +-+\n|  E| |\n+-+-+-+",
    "without an exit": "+-+-+\n|S  |\n+-+-+",
}


@cache
def landed(exercise: str) -> dict[str, set[str]]:
    """For each of the mazes above, the checks of the exercise that hold it."""
    mazes = [FixedMaze(name, text, False, (exercise,)) for name, text in MAZES.items()]
    book = CaseBook(seed=1, examples=2, mazes=mazes)
    names = {id_.partition(".")[2] for id_ in IDS[exercise]}
    found: dict[str, set[str]] = {name: set() for name in MAZES}
    for check in make_checks(exercise, [f"{exercise}.{name}" for name in sorted(names)], book):
        for case in check.cases:
            for name in MAZES:
                if case.label == said("the_maze", name=name):
                    found[name].add(check.id.partition(".")[2])
    return found


IDS = {
    "bfs": tuple(solvers.titles("bfs")),
    "perfection": tuple(
        f"perfection.{name}"
        for name in (
            *("perfect", "extra-passage", "missing-passage", "cycle-and-island"),
            *("shapes", "entry-and-exit", "unchanged", "repeat", "true-or-false", "hidden-mazes"),
        )
    ),
}


@pytest.mark.parametrize("kind", MAZES)
def test_a_public_maze_lands_where_the_page_says(kind: str) -> None:
    (line,) = (line for line in page("mazes").split("\n") if line.startswith(f"| {kind} |"))
    _, _, said_of_solvers, said_of_checker, _ = line.split("|")
    ways = set(re.findall(r"`([a-z-]+)`", said_of_solvers))
    if ways & {"valid-path", "cycles"}:
        ways.add("shortest")
    assert landed("bfs")[kind] == ways
    everywhere = {"unchanged", "repeat", "true-or-false"}
    own = set(re.findall(r"`([a-z-]+)`", said_of_checker))
    assert landed("perfection")[kind] == own | (everywhere if "E" in MAZES[kind] else set())
