"""What was seen of a solver, maze by maze, and whether a journey explains it.

Claims come from a sandbox: they are taken apart with care, and a misshapen one is explained by
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from grader.misconceptions.exploring import Journey, Style, journey, right_styles
from grader.misconceptions.model import Explains, Pair
from lab import Maze, Vector
from lab.visits import is_exploration, tidy

SOLVERS = ("dfs", "bfs", "dijkstra")
MOST_CELLS = 4_000

_ENDLESS = ("timeout", "out-of-memory", "output-limit")
Way = tuple[Vector, ...]
Gives = Callable[["Sight", Journey], bool]
"""Tells whether what came back is what a solver with some mistake makes of its journey."""


@dataclass(frozen=True)
class Sight:
    """One run of a solver."""

    text: str
    ending: str
    """returned, raised, too deep (a RecursionError), endless (any limit), or as the claim has it."""
    kind: str
    """Of what was returned: the type of R in PROTOCOL.md."""
    value: Any
    element: str
    """The class of the element that is no vector."""
    container: str
    """Of vectors: list, or what else holds them."""
    streams: tuple[Way, ...]
    changed: bool
    later: bool
    """The solver had solved another maze before."""

    @property
    def maze(self) -> Maze:
        """The maze."""
        return maze_of(self.text)

    @property
    def moves(self) -> Way | None:
        """The vectors of the list that was returned."""
        return self.value if self.kind == "vectors" and self.container == "list" else None


@lru_cache(maxsize=2_000)
def maze_of(text: str) -> Maze:
    """Read a maze, once."""
    return Maze.from_text(text)


def sights_of(pairs: Sequence[Pair]) -> list[Sight]:
    """The runs of all calls; those that tell nothing, or are too large, are left out."""
    return [sight for pair in pairs for sight in _sights(pair)]


def _sights(pair: Pair) -> Iterator[Sight]:
    call, claim = pair
    value = claim.value if isinstance(claim.value, Mapping) else {}
    runs = value.get("runs") or [{}]
    for at, (text, run) in enumerate(zip(call.arguments["mazes"], runs, strict=False)):
        if maze_of(text).dimension.position_count <= MOST_CELLS:
            cut = "returned" not in run
            if not cut or claim.outcome != "returned":
                yield _sight(text, run, _ending(pair) if cut else "returned", later=at > 0)


def _ending(pair: Pair) -> str:
    _, claim = pair
    if claim.fault is not None and claim.fault.kind == "RecursionError":
        return "too deep"
    return "endless" if claim.outcome in _ENDLESS else claim.outcome


def _sight(text: str, run: Mapping[str, Any], ending: str, *, later: bool) -> Sight:
    returned = run.get("returned") or {"type": ""}
    kind, value = returned["type"], returned.get("value")
    return Sight(
        text=text,
        ending=ending,
        kind=kind,
        value=tuple(Vector(*v) for v in value or ()) if kind == "vectors" else value,
        element=(returned.get("element") or {}).get("class", ""),
        container=returned.get("container", "list"),
        streams=tuple(_stream(run, name) for name in ("taken", "asked", "tested") if run.get(name)),
        changed=run.get("changed") is not None,
        later=later,
    )


def _stream(run: Mapping[str, Any], name: str) -> Way:
    return tuple(Vector(*cell) for cell in run[name])


# --- does a journey explain a run? --------------------------------------------------------------


def gives_the_way(sight: Sight, made: Journey) -> bool:
    """The moves of the way came back; None where there is none."""
    return sight.kind == "none" if made.cells is None else sight.moves == steps(made.cells)


def steps(cells: Sequence[Vector]) -> Way:
    """The moves from cell to cell."""
    return tuple(Vector(b.row - a.row, b.column - a.column) for a, b in pairwise(cells))


def explains_run(
    style: Style, sight: Sight, gives: Gives = gives_the_way, *, taken_for: str | None = None
) -> bool:
    """A solver of this style would have done just this, if it took the maze for that other one."""
    if sight.changed:
        return False
    text = taken_for or sight.text
    made = journey(style, text)
    if made.endless or sight.ending != "returned":
        return made.endless and sight.ending in ("endless", "too deep")
    return gives(sight, made) and _same_visits(sight, made, text)


def _same_visits(sight: Sight, made: Journey, text: str) -> bool:
    """One of the streams that were observed is the journey's; or nothing could be observed."""
    wanted = _tidy(made.visits, text)
    if any(_tidy(stream, text) == wanted for stream in sight.streams):
        return True
    return all(_shows_nothing(stream, text) for stream in sight.streams)


@lru_cache(maxsize=10_000)
def _tidy(visits: Way, text: str) -> list[Vector]:
    """The visits as they are compared: dozens of models ask for the same."""
    return tidy(visits, maze_of(text))


@lru_cache(maxsize=10_000)
def _shows_nothing(stream: Way, text: str) -> bool:
    """The whole maze was read before the search began."""
    maze = maze_of(text)
    positions = maze.dimension.all_positions()
    return stream == positions or (set(stream) >= set(positions) and not is_exploration(stream, maze))


def is_right(exercise: str, sight: Sight) -> bool:
    """A right solver of some style would have done just this."""
    return any(explains_run(style, sight) for style in right_styles(exercise))


# --- models -------------------------------------------------------------------------------------


def by_styles(styles: Callable[[str], Iterable[Style]], gives: Gives = gives_the_way) -> Explains:
    """The model of a solver that explores in one of these styles, in every run the same."""
    return by_runs(lambda exercise: [_explainer(style, gives) for style in styles(exercise)])


def by_answers(*answers: Gives) -> Explains:
    """The model of a solver that explores rightly, and makes one of these mistakes with the way."""
    return by_runs(
        lambda exercise: [_explainer(style, gives) for gives in answers for style in right_styles(exercise)]
    )


def _explainer(style: Style, gives: Gives) -> Callable[[Sight], bool]:
    return lambda sight: explains_run(style, sight, gives)


def by_runs(variants: Callable[[str], Iterable[Callable[[Sight], bool]]]) -> Explains:
    """The model of which one variant explains every run."""

    def explains(exercise: str, sights: Sequence[Sight]) -> bool:
        return any(all(map(variant, sights)) for variant in variants(exercise))

    return explains


def by_endings(ending: str, *whens: Callable[[Sight], bool]) -> Explains:
    """The model of a solver that ends badly just in some mazes, and is right in all others."""

    def explains(exercise: str, sights: Sequence[Sight]) -> bool:
        return any(all(_ends(exercise, sight, ending, when(sight)) for sight in sights) for when in whens)

    return explains


def _ends(exercise: str, sight: Sight, ending: str, badly: bool) -> bool:
    return sight.ending == ending if badly else is_right(exercise, sight)


def without_a_way(sight: Sight) -> bool:
    """No way leads from the entry to the exit."""
    return all(journey(style, sight.text).cells is None for style in right_styles("bfs")[:1])
