"""The second and the third hint: the idea that a check is about, where the handout tells it, and an example.

The first hint, a nudge, stands in results.json. These follow from the id of a check alone, so every page of
old results has them; the words stand in the catalogues.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from grader.feedback.example import Example, example_of
from grader.feedback.views import CheckView, ExerciseView
from lab.exercises import SOLVER_IDS


@dataclass(frozen=True, slots=True)
class Idea:
    """What a check is about: the key of its words, a section of the handout, and examples by their names."""

    name: str
    section: str
    examples: tuple[str, ...] = ()


_TRIO = ("maze.perfect", "maze.cycle", "maze.islands")
_FRESH, _WORK = Idea("fresh", "python"), Idea("work", "python")
_SOLVERS = {
    "valid-path": Idea("way", "solvers", ("tree",)),
    "no-way": Idea("no_way", "solvers", ("apart",)),
    "cycles": Idea("marks", "solvers", ("ring",)),
    "shapes": Idea("anywhere", "solvers", ("tree",)),
    "unchanged": Idea("read_only", "solvers"),
    "repeat": _FRESH,
    "large": _WORK,
}
IDEAS = {
    "search.new-cell": Idea("pending", "search", ("script.pending",)),
    "search.known-cell": Idea("pending", "search", ("script.pending",)),
    "search.shorter-way": Idea("best_way", "search", ("script.best_way",)),
    "search.order": Idea("order_out", "search", ("script.order_out",)),
    "search.way-back": Idea("way_back", "search", ("script.way_back",)),
    "search.separate": _FRESH,
    **{f"{solver}.{name}": idea for solver in SOLVER_IDS for name, idea in _SOLVERS.items()},
    **{f"{solver}.visit-order": Idea(f"{solver}_order", "order", ("tree",)) for solver in SOLVER_IDS},
    **{f"{solver}.shortest": Idea(f"{solver}_order", "order", ("ring",)) for solver in ("bfs", "dijkstra")},
    **{
        f"perfection.{name}": Idea("perfect", "perfection", _TRIO)
        for name in (
            "perfect",
            "extra-passage",
            "missing-passage",
            "cycle-and-island",
            "shapes",
            "entry-and-exit",
        )
    },
    "perfection.deep": _WORK,
    "perfection.unchanged": Idea("read_only", "perfection"),
    "perfection.repeat": _FRESH,
    "generator.perfect": Idea("one_way", "generator", _TRIO),
    "generator.same-seed": Idea("luck", "generator"),
    "generator.other-seed": Idea("luck", "generator"),
    "generator.again": Idea("luck", "generator"),
    "generator.repeat": _FRESH,
    "generator.large": _WORK,
}
"""By the ids of checks. What a title says already, and what nobody is to know, has none."""


@dataclass(frozen=True, slots=True)
class Worked:
    """A small case that shows what is right."""

    name: str
    example: Example


def idea_of(check: CheckView, exercise: ExerciseView) -> Idea | None:
    """The idea of a check that went wrong; none where nothing was there to be wrong, or could be loaded."""
    if check.status in ("missing", "skipped", "violation") or (exercise.one_cause and not check.unwritten):
        return None
    return IDEAS.get(check.id)


def worked(check: str, idea: Idea) -> list[Worked]:
    """The examples for a check: Dijkstra's algorithm visits and returns what breadth-first search does."""
    exercise = {"dijkstra": "bfs"}.get(check.partition(".")[0], check.partition(".")[0])
    names = (name if "." in name else f"{exercise}.{name}" for name in idea.examples)
    return [Worked(name, _examples()[name]) for name in names]


@cache
def _examples() -> dict[str, Example]:
    tables = tomllib.loads(files(__package__).joinpath("worked.toml").read_text(encoding="utf-8"))
    return {
        f"{kind}.{name}": example_of(case) for kind, cases in tables.items() for name, case in cases.items()
    }
