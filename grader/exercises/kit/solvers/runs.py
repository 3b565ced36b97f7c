"""What was seen of a solver, maze by maze, and the judges of what it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import pairwise, product

from grader.exercises.kit.check import Wrong
from grader.exercises.kit.facts import Facts, facts_of, goes_deep
from grader.exercises.kit.findings import Finding, cell_text, describe, ending, move_name, moves_text
from grader.exercises.kit.misconception import Explains, Pair
from grader.exercises.kit.solvers.exploring import Journey, Style, journey, maze_of, right_styles
from grader.languages import Message, Text, said
from grader.model import Claim, Solve, Telling
from grader.model.claims import NoneValue, OddElement, OtherValue, Positions, SolveRun, Value, VectorsValue
from lab import MOVES, Maze, MazeFormatError, Vector
from lab.maze import Position
from lab.recorded import Told
from lab.story import Recorded
from lab.telling import Solved, of_solver
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


_MOVES: dict[Position, Vector] = {move: move for move in MOVES}

Complaint = tuple[Message, Text]
"""What is wrong with a way, and a helpful question, if any."""


def judge_way(facts: Facts, claim: Claim, exercise: str, *, run: int = 0) -> Finding | None:
    """Judge whether the way is valid, or None was returned where there is no way.

    Valid means from the entry, through no wall, to the exit, no cell twice.
    """
    returned = returned_by(claim, run)
    if returned is None:
        return ending(claim, expected=expectation(facts, exercise), **seen(facts, claim, run))
    complaint = way_complaint(facts, returned)
    if complaint is None:
        return None
    text, hint = complaint
    hint = hint or none_hint(facts, claim.runs[run])
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves_of(returned)}
    actual |= seen(facts, claim, run)
    return Finding("failed", text, expectation(facts, exercise), actual, hint)


def judge_shortest(facts: Facts, claim: Claim, exercise: str, *, run: int = 0) -> Finding | None:
    """Judge whether the way is valid, and none is shorter."""
    if (wrong := judge_way(facts, claim, exercise, run=run)) is not None:
        return wrong
    returned = returned_by(claim, run)
    if not isinstance(returned, VectorsValue) or len(returned.value) == facts.length:
        return None
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves_of(returned)}
    actual |= seen(facts, claim, run)
    text = said("too_long", count=len(returned.value), shortest=len(facts.ways[exercise][0]))
    return Finding("failed", text, expectation(facts, exercise), actual, said("too_long_hint"))


def judge_something(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Only refuse None where there is a way; accept anything else."""
    if claim.outcome != "returned":
        return ending(claim, expected=expectation(facts, exercise), **seen(facts, claim, 0))
    if not isinstance(returned_by(claim), NoneValue):
        return None
    actual = {"text": "None", "moves": None, **seen(facts, claim, 0)}
    return Finding("failed", said("none_on_a_maze"), expectation(facts, exercise), actual)


def judge_unchanged(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge whether the maze is unchanged, if the solver solves it."""
    if claim.outcome == "returned" and claim.runs[0].changed is None:
        return None
    expected = {**expectation(facts, exercise), "text": said("as_before")}
    if claim.outcome != "returned":
        return ending(claim, expected=expected, **seen(facts, claim, 0))
    actual: dict[str, Telling] = {
        "text": said("was_changed"),
        "mazes": mazes_of_size(facts, claim.runs[0].changed or ""),
    }
    return Finding("failed", said("changed"), expected, actual, said("changed_hint"))


def expectation(facts: Facts, exercise: str) -> Mapping[str, Telling]:
    """Return the right answer as data for the report."""
    ways = facts.ways[exercise]
    visits = facts.orders[exercise][0]
    if not ways:
        return {"text": said("no_way"), "moves": None, "visits": visits}
    text = said("a_way", moves=moves_text(ways[0])) if goes_deep(exercise) else _a_shortest_way(ways[0])
    return {"text": text, "moves": ways[0], "visits": visits}


def _a_shortest_way(way: Positions) -> Message:
    moves = moves_text(way)
    if len(way) == 1:
        return said("a_shortest_way_of_one", moves=moves)
    return said("a_shortest_way", count=len(way), moves=moves)


def seen(facts: Facts, claim: Claim, run: int) -> dict[str, Telling]:
    """Return the observed visits for the report.

    For a search that was stopped, also how many cells were pending, and the first cell outside of the maze;
    for an endless one that stayed inside, where it returned to.
    """
    if run >= len(claim.runs):
        return {"visits": None}
    seen_run = claim.runs[run]
    visits: Positions = next(iter(seen_run.streams.values()), ())
    if claim.outcome not in ("timeout", "endless"):
        return {"visits": visits}
    told: dict[str, Telling] = {"visits": visits, "pending": seen_run.pending}
    cells = (cell for positions in seen_run.streams.values() for cell in positions)
    outside = next((cell for cell in cells if not facts.dimension.includes(cell)), None)
    if outside is not None:
        told["outside"] = outside
    elif claim.outcome == "endless" and (again := seen_run.revisits) is not None:
        how = next(iter(seen_run.streams), "asked")  # of what is far outside, nothing is told
        told["revisits"] = {"cell": again.cell, "times": again.times, "first": again.first, "how": how}
        told["walk"] = again.walk
    elif claim.outcome == "timeout" or seen_run.pending is None:
        inside = [Vector(*cell) for cell in visits if facts.dimension.includes(cell)]
        beside = {cell + move for cell in inside for move in facts.maze.valid_moves_at(cell)}
        told["pending"] = len(beside.difference(inside))
    return told


def mazes_of_size(facts: Facts, text: str) -> list[str]:
    """Return a changed maze for the report; empty if it is no maze of the same size."""
    if len(text) != len(facts.text):
        return []
    try:
        return [Maze.from_text(text).to_text()]
    except MazeFormatError:
        return []


def returned_by(claim: Claim, run: int = 0) -> Value | None:
    """Return what a run of a call returned; None if the call did not end."""
    return claim.runs[run].returned if claim.outcome == "returned" else None


def moves_of(returned: Value) -> Positions | None:
    """Return the vectors of an answer; None if it is anything else."""
    return returned.value if isinstance(returned, VectorsValue) else None


def way_complaint(facts: Facts, returned: Value) -> Complaint | None:
    """Return what is wrong with a returned value, and a helpful question; None if it is right."""
    if facts.length is None:
        if isinstance(returned, NoneValue):
            return None
        return said("something_though", value=describe(returned)), ""
    if isinstance(returned, NoneValue):
        return said("none_though"), ""
    if not isinstance(returned, VectorsValue) or not returned.counts_as_list:
        return said("no_list", value=odd(returned)), ""
    return _walk(facts, returned.value)


def none_hint(facts: Facts, run: SolveRun) -> Text:
    """Return a question about a wrong None, by how far the solver got; empty for other answers."""
    if facts.length is None or not isinstance(run.returned, NoneValue):
        return ""
    if not run.streams:
        return said("none_hint_nothing")
    asked = run.asked if len(set(run.asked)) < facts.maze.dimension.position_count else ()
    exit_ = facts.maze.exit
    if exit_ is not None and exit_ in {*run.taken, *asked, *run.tested}:
        return said("none_hint_exit", cell=cell_text(exit_))
    return said("none_hint")


def odd(returned: Value) -> Text:
    """Describe a returned value that is no list of moves."""
    match returned:
        case OtherValue(container, element=OddElement(index, type_name, text)):
            return said("odd_element", container=container, index=index + 1, element=text, kind=type_name)
    return describe(returned)


def _walk(facts: Facts, vectors: Positions) -> Complaint | None:
    """Follow the moves from the entry, and say where they go wrong."""
    maze, cell = facts.maze, facts.maze.entry
    visited = {cell}
    for number, vector in enumerate(vectors, start=1):
        move = _MOVES.get(vector)
        if move is None:
            return no_move(facts, number, vector)
        if move not in maze.valid_moves_at(cell):
            is_inside = facts.dimension.includes(cell + move)
            text = said(
                "into_a_wall" if is_inside else "into_the_border",
                number=number,
                move=move_name(move),
                cell=cell_text(cell),
            )
            return text, ""
        cell = cell + move
        if cell in visited:
            return said("enters_again", number=number, move=move_name(move), cell=cell_text(cell)), ""
        visited.add(cell)
    return _end(facts, cell, len(vectors))


def no_move(facts: Facts, number: int, vector: Position) -> Complaint:
    """Describe an element that is none of the four moves."""
    text = said("no_move", number=number, cell=cell_text(vector))
    return text, said("no_move_hint") if facts.dimension.includes(vector) else ""


def _end(facts: Facts, cell: Vector, count: int) -> Complaint | None:
    if facts.maze.is_exit(cell):
        return None
    here, exit_ = cell_text(cell), cell_text(facts.maze.exit or cell)
    return said("no_moves" if count == 0 else "wrong_end", cell=here, exit=exit_), ""


def story(exercise: str, wrong: Wrong, claim: Claim, run: Recorded) -> list[Told]:
    """Tell where the visits, or the moves of the way, depart from right ones; nothing where they do not."""
    facts = wrong.case.given
    if not isinstance(facts, Facts) or facts.length is None or not claim.runs:
        return []
    seen = claim.runs[-1]
    if seen.returned is None:
        return []
    gave_up = isinstance(seen.returned, NoneValue)
    solved = Solved(facts.maze, seen.streams, moves_of(seen.returned), gave_up)
    ways = [right for right in facts.ways[exercise] if right]
    return of_solver(run, solved, facts.right_orders[exercise], ways)
