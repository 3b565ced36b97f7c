"""What was seen of a solver, maze by maze, and whether a journey explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import pairwise, product

from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.misconception import Explains, Pair
from grader.exercises.kit.solvers.exploring import Journey, Style, journey, maze_of, right_styles
from grader.model import Solve
from grader.model.claims import OtherValue, Positions, SolveRun, VectorsValue
from lab import Maze, Vector
from lab.visits import is_exploration, tidy

MOST_CELLS = 4_000

_ENDLESS = ("endless", "timeout", "out-of-memory", "output-limit")
UNSEEN = SolveRun(None, (), (), (), (), used_search=False, late_looks=0, changed=None)
"""The run of a call about which nothing is known."""
Way = tuple[Vector, ...]
Returns = Callable[["Run", Journey], bool]
"""Return whether a run returned what a solver with some mistake makes of its journey."""


@dataclass(frozen=True)
class Run:
    """One run of a solver."""

    text: str
    ending: str
    """returned, raised, too deep (a RecursionError), endless (any limit), or as the claim has it."""
    kind: str
    """The type of the returned value, as R in PROTOCOL.md."""
    value: Way | None
    """The returned vectors."""
    element: str
    """The class of the first element that is no vector."""
    is_list: bool
    """Whether the vectors came in a list."""
    streams: tuple[Way, ...]
    changed: bool
    later: bool
    """Whether the solver had solved another maze before."""
    outcome: str
    """As in the claim."""
    fault: str
    """Class and message of the exception that ended it."""

    @property
    def maze(self) -> Maze:
        """The maze."""
        return maze_of(self.text)

    @property
    def has_way(self) -> bool:
        """Whether a way leads from the entry to the exit."""
        return facts_of(self.text).length is not None

    @property
    def moves(self) -> Way | None:
        """The vectors of the returned list; None if no list was returned."""
        return self.value if self.is_list else None


def read(pairs: Sequence[Pair]) -> list[Run]:
    """Read the runs of all calls, without those that say nothing or are too large."""
    return [run for pair in pairs for run in _runs(pair)]


def _runs(pair: Pair) -> Iterator[Run]:
    call, claim = pair
    mazes = call.asked(Solve).mazes
    for at, (text, run) in enumerate(zip(mazes, claim.runs or (UNSEEN,), strict=False)):
        if maze_of(text).dimension.position_count <= MOST_CELLS:
            ending = _ending(pair) if run.returned is None else "returned"
            yield _run(pair, text, run, ending, later=at > 0)


def _ending(pair: Pair) -> str:
    _, claim = pair
    if claim.fault is not None and claim.fault.kind == "RecursionError":
        return "too deep"
    return "endless" if claim.outcome in _ENDLESS else claim.outcome


def _run(pair: Pair, text: str, run: SolveRun, ending: str, *, later: bool) -> Run:
    _, claim = pair
    returned, fault = run.returned, claim.fault
    odd = returned.element if isinstance(returned, OtherValue) else None
    return Run(
        text=text,
        ending=ending,
        kind="" if returned is None else returned.kind,
        value=_vectors(returned.value) if isinstance(returned, VectorsValue) else None,
        element="" if odd is None else odd.type_name,
        is_list=not isinstance(returned, VectorsValue) or returned.counts_as_list,
        streams=tuple(_vectors(stream) for stream in (run.taken, run.asked, run.tested) if stream),
        changed=run.changed is not None,
        later=later,
        outcome="returned" if returned is not None else claim.outcome,
        fault="" if returned is not None or fault is None else f"{fault.kind}: {fault.message}",
    )


def _vectors(positions: Positions) -> Way:
    return tuple(Vector(*position) for position in positions)


# --- does a journey explain a run? --------------------------------------------------------------


def steps(cells: Sequence[Vector]) -> Way:
    """Return the moves from cell to cell."""
    return tuple(Vector(b.row - a.row, b.column - a.column) for a, b in pairwise(cells))


def returning(made_of: Callable[[Way], Way]) -> Returns:
    """Return a test whether a run returned ``made_of`` the way's cells, or None if there is no way."""

    def returns(run: Run, made: Journey) -> bool:
        return run.kind == "none" if made.cells is None else run.moves == made_of(made.cells)

    return returns


returns_the_way = returning(steps)
"""Whether the way's moves were returned, or None if there is no way."""


def explains_run(style: Style, returns: Returns, run: Run) -> bool:
    """Return whether a solver of this style would have done exactly this."""
    if run.changed:
        return False
    made = journey(style, run.text)
    if made.endless or run.ending != "returned":
        return made.endless and run.ending in ("endless", "too deep")
    return returns(run, made) and same_visits(run, made)


def same_visits(run: Run, made: Journey) -> bool:
    """Return whether one of the observed streams is the journey's, or nothing could be observed."""
    wanted = _tidy(made.visits, run.text)
    if any(_tidy(stream, run.text) == wanted for stream in run.streams):
        return True
    return all(_shows_nothing(stream, run.text) for stream in run.streams)


@lru_cache(maxsize=10_000)
def _tidy(visits: Way, text: str) -> list[Vector]:
    """Return visits in normal form, cached since dozens of models use them."""
    return tidy(visits, maze_of(text))


@lru_cache(maxsize=10_000)
def _shows_nothing(stream: Way, text: str) -> bool:
    """Return whether the whole maze was read before the search began."""
    maze = maze_of(text)
    positions = maze.dimension.all_positions()
    return stream == positions or (set(stream) >= set(positions) and not is_exploration(stream, maze))


def searched(run: Run, made: Journey) -> bool:
    """Tell whether something was seen of a search, where there is more than one cell to visit."""
    return bool(run.streams) or len(made.visits) <= 1


def is_right(exercise: str, run: Run) -> bool:
    """Return whether a right solver of some style would have done exactly this."""
    return any(explains_run(style, returns_the_way, run) for style in right_styles(exercise))


# --- models -------------------------------------------------------------------------------------


def by_styles(styles: Callable[[str], Iterable[Style]], returns: Returns = returns_the_way) -> Explains:
    """Return a model of a solver that explores in one of these styles, the same in every run."""
    made = cache(lambda exercise: tuple(styles(exercise)))  # a journey is kept by its style
    return by_runs(lambda exercise: [partial(explains_run, style, returns) for style in made(exercise)])


def by_returns(*mistakes: Returns) -> Explains:
    """Return a model of a solver that explores rightly, and makes one of these mistakes with the way."""
    return by_runs(
        lambda exercise: [
            partial(explains_run, style, returns)
            for returns, style in product(mistakes, right_styles(exercise))
        ]
    )


def by_runs(variants: Callable[[str], Iterable[Callable[[Run], bool]]]) -> Explains:
    """Return a model that holds if one variant explains every run."""

    def explains(exercise: str, runs: Sequence[Run]) -> bool:
        return any(all(map(variant, runs)) for variant in variants(exercise))

    return explains


def by_endings(ending: str, *whens: Callable[[Run], bool]) -> Explains:
    """Return a model of a solver that ends badly in some mazes, and is right in all others."""
    return by_runs(lambda exercise: [partial(_ends, exercise, ending, when) for when in whens])


def _ends(exercise: str, ending: str, when: Callable[[Run], bool], run: Run) -> bool:
    return run.ending == ending if when(run) else is_right(exercise, run)


def by_each(explains_each: Callable[[str, Run], bool]) -> Explains:
    """Return a model that explains each run on its own."""
    return by_runs(lambda exercise: [partial(explains_each, exercise)])
