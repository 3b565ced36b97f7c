"""What the folders of the lab's own exercises declare: their records, ideas, and examples.

It is read without the rest of an exercise, since pages are made from results alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import yaml

from lab.exercises import BY_ID, LAB_EXERCISES, Exercise

SETTINGS: Final = "exercise.yaml"
EXAMPLES: Final = "examples.toml"


@dataclass(frozen=True, slots=True)
class Idea:
    """What a check is about: the key of its words, a section of the handout, and examples by name."""

    name: str
    section: str
    """A section of the handout by name, or the exercise that it belongs to."""
    examples: tuple[str, ...] = ()


_FRESH, _WORK = Idea("fresh", "python"), Idea("work", "python")
_SHARED: Final = {"fresh": _FRESH, "work": _WORK}
"""Ideas that belong to no single exercise."""
_OF_SOLVERS: Final = {
    "valid-path": Idea("way", "solvers", ("tree",)),
    "no-way": Idea("no_way", "solvers", ("apart",)),
    "cycles": Idea("marks", "solvers", ("ring",)),
    "shapes": Idea("anywhere", "solvers", ("tree",)),
    "unchanged": Idea("read_only", "solvers"),
    "repeat": _FRESH,
    "large": _WORK,
}


@cache
def ideas() -> Mapping[str, Idea]:
    """Return ideas by check id; checks whose title says all, or that are to stay hidden, have none."""
    found: dict[str, Idea] = {}
    for exercise in LAB_EXERCISES:
        declared = _settings(exercise.id).get("ideas", {})
        of_it = _of_solver(exercise.id) if exercise.kind == "solver" else {}
        of_it |= {name: _idea(exercise.id, idea) for name, idea in declared.items()}
        found |= {f"{exercise.id}.{name}": idea for name, idea in of_it.items()}
    return found


def _of_solver(exercise: str) -> dict[str, Idea]:
    kind = "deep" if BY_ID[exercise].goes_deep else "broad"
    order = f"{exercise}_order"
    of_it = _OF_SOLVERS | {"visit-order": Idea(order, "order", ("tree",))}
    if kind == "broad":
        of_it["shortest"] = Idea(order, "order", ("ring",))
    return {
        name: Idea(idea.name, idea.section, tuple(f"{kind}.{example}" for example in idea.examples))
        for name, idea in of_it.items()
    }


def _idea(exercise: str, told: Mapping[str, Any]) -> Idea:
    name = told["idea"]
    return _SHARED.get(name) or Idea(name, exercise, tuple(told.get("examples", ())))


def record(exercise: str) -> Exercise:
    """Return the lab's record of an exercise, as its folder declares it."""
    told = _settings(exercise)
    texts = tomllib.loads(_folder().joinpath(exercise, "texts", "en.toml").read_text(encoding="utf-8"))
    calls = ((told["method"], tuple(told["arguments"])),)
    return Exercise(
        exercise, texts["title"], told["file"], told["class"], told["kind"], calls, told.get("takes", "")
    )


@cache
def section(exercise: str) -> int | None:
    """Return the position of an exercise's section among the handout's headings; None if it has none."""
    found: int | None = _settings(exercise).get("section") if exercise in BY_ID else None
    return found


@cache
def examples() -> Mapping[str, Any]:
    """Return small cases that show what is right, by names such as ``maze.cycle``.

    They have the form of counterexamples in results.json.
    """
    places = (entry.joinpath(EXAMPLES) for entry in _folder().iterdir())
    tables = [tomllib.loads(each.read_text(encoding="utf-8")) for each in places if each.is_file()]
    return {
        f"{kind}.{name}": case
        for table in tables
        for kind, cases in table.items()
        for name, case in cases.items()
    }


@cache
def _settings(exercise: str) -> Mapping[str, Any]:
    text = _folder().joinpath(exercise, SETTINGS).read_text(encoding="utf-8")
    found: Mapping[str, Any] = yaml.safe_load(text)
    return found


def _folder() -> Traversable:
    return files(__package__)
