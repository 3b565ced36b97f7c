"""The cases of DFS, BFS and Dijkstra, what instructors state about mazes, and the judge of the visit order.

Mazes that reveal a wrong cost: a way longer by two moves has less of what such a cost counts.

A search that counts something besides moves, such as turns, still finds shortest ways on nearly all randomly
drawn mazes. These were searched for it: with one cycle, two ways between entry and exit, and as much as
possible on the shorter one of turns, crossings, steps to one side and the like. All searches that add a third
or more of a move for one of those fail on some of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from importlib.resources import files
from random import Random

from grader.exercises.kit.check import Case, Ladder, maze_ladder
from grader.exercises.kit.draw import marked
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.findings import (
    Finding,
    cell_text,
    cells_text,
    describe,
    ending,
    moves_text,
    ordinal,
)
from grader.exercises.kit.library import (
    CaseBook,
    equal_ways,
    large_mazes,
    large_mazes_with_costs,
    rooms_without_a_way,
    serpentine,
    size_of,
    wave_of,
)
from grader.exercises.kit.small_mazes import FixedMaze, Stated, with_a_way
from grader.exercises.kit.solvers.runs import (
    expectation,
    how,
    moves_of,
    returned_by,
    seen,
    way_complaint,
)
from grader.languages import Message, said
from grader.model import Call, Claim, Solve, Telling
from grader.model.claims import Value
from lab import Dimension, Factory, Vector
from lab.exercises import BY_ID
from lab.generators import AldousBroder
from lab.maze import Position
from lab.order_judge import evidence, is_cleared, nearest_order
from lab.visits import cells_of, parting, tidy, up_to_the_exit, with_the_exit
from lab.watch import FEW_LOOKS

FILE = "detours.toml"


@cache
def detours() -> dict[str, str]:
    """Return the mazes by what the shorter way has more of."""
    found: dict[str, str] = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return found


CONTROLS = 40
"""About how many mazes with a way show that a solver does its work, or does not always return None."""
CORRIDORS = (Dimension(12, 12), Dimension(8, 18), Dimension(20, 20))
"""The mazes that students try have ways of up to this many cells, which are rarely drawn."""


class SolverCases:
    """The cases of one solver, by family."""

    def __init__(self, book: CaseBook, exercise: str, *, with_costs: bool = False) -> None:
        self.book, self.exercise, self._with_costs = book, exercise, with_costs

    @cached_property
    def way(self) -> tuple[Case, ...]:
        """Mazes without cycles and with a way: drawn ones, and corridors, whose ways are the longest."""
        mazes = enumerate(map(serpentine, CORRIDORS))
        corridors = (self._case(f"corridor/{number}", maze.to_text(), "valid-path") for number, maze in mazes)
        return (*self._family("way", "valid-path"), *corridors)

    @cached_property
    def cycles(self) -> tuple[Case, ...]:
        """Mazes with cycles."""
        return self._family("cycles", "cycles")

    @cached_property
    def costs(self) -> tuple[Case, ...]:
        """Mazes with costs: of three, the cheapest way has more moves than a shortest one in two, and several
        ways are cheapest in one."""
        ties = sorted(self.book.family("equal costs")[::2], key=len)
        drawn = (self._case(f"equal-costs/{number}", text, "costs") for number, text in enumerate(ties))
        return (*self._family("costs", "costs"), *drawn)

    @cached_property
    def detours(self) -> tuple[Case, ...]:
        """Mazes in which a search that counts anything but moves finds a longer way."""
        return tuple(self._case(f"detour/{name}", text, "cycles") for name, text in detours().items())

    @cached_property
    def no_way(self) -> tuple[Case, ...]:
        """Mazes without a way: no exit, or an unreachable one; rooms among them."""
        rooms = enumerate(rooms_without_a_way())
        cases = (self._case(f"room/{number}", text, "no-way") for number, text in rooms)
        return (*self._family("no way", "no-way"), *cases)

    @cached_property
    def controls(self) -> tuple[Case, ...]:
        """The walls of mazes with an unreachable exit, with entry and exit moved so that there is a way.

        So size, walls and passages do not reveal which mazes have a way. Where there are few such mazes, each
        is taken several times, with other places for entry and exit.
        """
        texts = [
            case.facts.text
            for case in self.no_way
            # in a corridor, walking straight ahead is enough
            if min(case.facts.dimension.row_count, case.facts.dimension.column_count) > 2
            and case.facts.maze.exit is not None
        ]
        walls = texts * (1 + CONTROLS // max(1, len(texts)))
        twins = (with_a_way(text, Random(self.book.seed + number)) for number, text in enumerate(walls))
        found = [*dict.fromkeys(text for text in twins if text is not None)]
        return tuple(
            self._case(f"control/{number}", text, "control")
            for number, text in enumerate(found[:: max(1, len(found) // CONTROLS)])
        )

    @cached_property
    def shapes(self) -> tuple[Case, ...]:
        """Single rows and columns, with entry and exit anywhere."""
        return self._family("shapes", "shapes")

    @cached_property
    def public(self) -> tuple[Case, ...]:
        """The public test mazes with a way: A, B, C and those that an instructor adds."""
        return tuple(
            self._fixed(self.book.fixed(self.exercise, hidden=False, having="reachable"), "visit-order")
        )

    @cached_property
    def hidden(self) -> tuple[Case, ...]:
        """The hidden test mazes."""
        return tuple(self._fixed(self.book.fixed(self.exercise, hidden=True), "hidden-mazes"))

    def drawn(self, name: str, texts: Iterable[str]) -> tuple[Case, ...]:
        """Return the mazes that a course draws for its exercise, under a name."""
        return tuple(self._case(f"{name}/{number}", text, name) for number, text in enumerate(texts))

    def of_own_check(self, name: str, mazes: Iterable[FixedMaze]) -> tuple[Case, ...]:
        """Return the test mazes of a check that an instructor declared."""
        return tuple(self._fixed(mazes, f"own/{name}"))

    @cached_property
    def large(self) -> tuple[Case, ...]:
        """Mazes of 60 x 60, after two smaller ones."""
        mazes = (large_mazes_with_costs if self._with_costs else large_mazes)(self.book.seed)
        return tuple(
            self._case(f"large/{number}", text, "large", label=label)
            for number, (label, text) in enumerate(mazes)
        )

    @cached_property
    def repeat(self) -> tuple[Case, ...]:
        """One solver that solves a maze, another one, and the first again; the smallest mazes first."""
        trees, rings = self.book.family("way"), self.book.family("costs" if self._with_costs else "cycles")
        others = [*(_same_shape(text, seed) for seed, text in enumerate(trees[:20])), *trees[20:40]]
        pairs = sorted(
            zip((*trees[:20], *rings[:20]), others, strict=False), key=lambda pair: len("".join(pair))
        )
        return tuple(
            self._case(f"repeat/{number}", one, "repeat", series=(one, other, one))
            for number, (one, other) in enumerate(pairs)
        )

    @cached_property
    def repeat_without_a_way(self) -> tuple[Case, ...]:
        """The same, but the other maze has no way, so that state which is reset only at the exit stays.

        In turn, the other maze has the first one's walls without its exit, or another size.
        """
        ones = sorted(self.book.family("way")[:20], key=len)
        others = sorted(self.book.family("no way")[:20], key=len)
        others[::2] = [one.replace("E", " ") for one in ones[::2]]
        return tuple(
            self._case(f"repeat-no-way/{number}", one, "repeat-no-way", series=(one, other, one))
            for number, (one, other) in enumerate(zip(ones, others, strict=False))
        )

    def others(self, case: Case) -> Sequence[Case]:
        """Return the other maze of a series as a case of its own."""
        _, other, _ = case.call.asked(Solve).mazes
        group = case.call.group.removeprefix(f"{self.exercise}.")
        return (self._case(f"{group}/other/{other}", other, group),)

    @cached_property
    def ordered(self) -> tuple[Case, ...]:
        """Mazes with a way, A, B and C first."""
        drawn = (case for case in (*self.way, *self.cycles) if case.facts.length is not None)
        equal = (
            self._case(f"equal/{number}", text, "visit-order") for number, text in enumerate(equal_ways())
        )
        return (*self.public, *drawn, *equal)

    def ladder(self, kind: str) -> Ladder:
        """Return where to find a small maze of a kind."""
        return maze_ladder(kind, lambda text: self._case(f"small/{text}", text, "small"))

    def _family(self, family: str, group: str) -> tuple[Case, ...]:
        texts = sorted(self.book.family(family), key=len)
        drawn = (self._case(f"{family}/{number}", text, group) for number, text in enumerate(texts))
        fixed = self.book.fixed(self.exercise, hidden=False, having=family)
        return (*self._fixed(fixed, group), *drawn)

    def _fixed(self, mazes: Iterable[FixedMaze], group: str) -> Iterable[Case]:
        for maze in mazes:
            label = said("the_maze", name=maze.name)
            name = f"file/{group}/{maze.name}"  # whatever it is called, nothing that is drawn begins so
            case = self._case(name, maze.text, group, label=label, hidden=maze.hidden)
            yield replace(case, stated=maze.stated.get(self.exercise, ()))

    def _case(
        self,
        name: str,
        text: str,
        group: str,
        *,
        label: Message | None = None,
        hidden: bool = False,
        series: tuple[str, ...] = (),
    ) -> Case:
        arguments = Solve(series or (text,))
        group = f"{self.exercise}.{group}"
        call = Call(f"{self.exercise}/{name}", arguments, group=group)
        code = f"{BY_ID[self.exercise].name}().solve(maze, Search())"
        facts = facts_of(text)
        wave = 0 if hidden else wave_of(facts.dimension.position_count)
        return Case(call, label or size_of(text), facts, text, code, hidden, wave=wave)


def _same_shape(text: str, seed: int) -> str:
    """Return another maze with the same size, entry and exit."""
    maze = facts_of(text).maze
    other = AldousBroder(Random(seed)).generate(Factory(), maze.dimension)
    return marked(other, maze.entry, maze.exit).to_text()


def judge_order(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge whether the cells were visited in the prescribed order; needs a maze with a way to the exit.

    Anything that follows a right order clears the solver (``lab/order_judge.py``, as in the public tests). If
    its order does not show, the returned way is judged: where several ways are equally good, the order
    decides between them.
    """
    returned = returned_by(claim)
    if returned is None:
        return ending(claim, expected=_expected(facts, exercise), **seen(facts, claim, 0))
    run = claim.runs[0]
    right, streams, way = facts.right_orders[exercise], run.streams, moves_of(returned)
    if is_cleared(right, streams, way):
        return None
    shown = evidence(right, streams, way)
    if shown is None:
        return _by_the_way(facts, returned, exercise)
    return _departure(facts, exercise, shown, how(streams, shown))


def visits_out_of_order(facts: Facts, claim: Claim, exercise: str) -> Sequence[Position] | None:
    """Return the visits of a solver that follows no right order; None if it does, or none are seen."""
    run = claim.runs[0]
    right, way = facts.right_orders[exercise], None if run.returned is None else moves_of(run.returned)
    if is_cleared(right, run.streams, way):
        return None
    return evidence(right, run.streams, way)


def cells_beyond(facts: Facts, claim: Claim, exercise: str) -> int | None:
    """Count the cells visited after the exit, except on the way back; None if the visits are not seen, or the
    answer is wrong: whoever does not recognise the exit has to go on.

    They count as not seen if they follow no right order, as when the maze is read row by row, and if the
    solver compares cell after cell with the exit after asking about the last one. A solver that asks for a
    cell's moves when it finds the cell has asked about more cells than it visits.
    """
    returned = returned_by(claim)
    is_right = returned is not None and way_complaint(facts, returned) is None
    if returned is None or not is_right or claim.runs[0].late_looks > FEW_LOOKS:
        return None
    visits = [Vector(*cell) for cell in claim.runs[0].taken or claim.runs[0].asked]
    if facts.maze.exit not in visits:
        return 0  # nobody knows whether it came there
    for order in facts.orders[exercise]:
        if visits and parting(order, visits, facts.maze) is None:
            beyond = set(visits) - set(order) - cells_of(moves_of(returned) or (), facts.maze)
            found = {cell + move for cell in order for move in facts.maze.valid_moves_at(cell)}
            return 0 if beyond <= found and not claim.runs[0].taken else len(beyond)
    return None


def _by_the_way(facts: Facts, returned: Value, exercise: str) -> Finding | None:
    moves = moves_of(returned)
    if moves is not None and moves in facts.ways[exercise]:
        return None
    text = way_complaint(facts, returned) or said("other_order", value=describe(returned))
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves, "visits": []}
    return Finding("failed", text, {**expectation(facts, exercise), "visits": None}, actual)


def _departure(
    facts: Facts, exercise: str, shown: Sequence[Position], seen_as: Mapping[str, Telling]
) -> Finding:
    """Say where the visits depart from the right order that they follow longest."""
    stream = [Vector(*cell) for cell in shown]
    order, index = nearest_order(facts.right_orders[exercise], stream)
    right, came = tidy(order, facts.maze), with_the_exit(stream, facts.maze)
    cell = came[index] if index < len(came) else None
    wanted = right[index] if index < len(right) else facts.maze.exit
    text = _words(wanted, cell, index, facts.maze.exit)
    if stream[0] == facts.maze.exit:
        places = {"cell": cell_text(stream[0]), "place": cell_text(facts.maze.entry)}
        text = said("began_at_exit", **places)
    expected = {**expectation(facts, exercise), "visits": order, "text": cells_text(order)}
    actual: dict[str, Telling] = {"text": cells_text(stream), "visits": stream, **seen_as}
    return Finding("failed", text, expected, actual, extra={"parts_at": cell})


def _words(wanted: Vector | None, cell: Vector | None, index: int, exit_: Vector | None) -> Message:
    """Return a sentence about the first difference."""
    place = "" if wanted is None else cell_text(wanted)
    expected = said("the_exit", cell=place) if wanted == exit_ and wanted else place
    if cell is None and index == 0:
        return said("stopped_at_entry", place=expected)
    if cell is None:
        return said("stopped", count=index + 1, place=expected)
    return said("visited", cell=cell_text(cell), ordinal=ordinal(index + 2), place=expected)


def _expected(facts: Facts, exercise: str) -> dict[str, Telling]:
    return {**expectation(facts, exercise), "text": cells_text(facts.orders[exercise][0])}


ENDS = 2
"""Every solver visits the entry and the exit, whether or not that can be seen."""


def judge_stated(facts: Facts, claim: Claim, exercise: str, stated: Stated) -> Finding | None:
    """Return the first statement broken by a solver that finds a way.

    Whether it finds one is left to other judges. Visits in a right order, or unseen ones, break no statement.
    """
    returned = returned_by(claim)
    if returned is None or way_complaint(facts, returned) is not None:
        return None
    found = _judge_moves(facts, claim, exercise, stated, returned)
    if found is not None or (stated.at_most_visits is None and not stated.must_visit):
        return found
    shown = visits_out_of_order(facts, claim, exercise)
    if shown is None:
        return None
    visits = [Vector(*cell) for cell in shown]
    seen_as = {"visits": visits, **how(claim.runs[0].streams, shown)}
    return _judge_visits(facts, exercise, stated, visits, seen_as)


def _judge_moves(
    facts: Facts, claim: Claim, exercise: str, stated: Stated, returned: Value
) -> Finding | None:
    moves = moves_of(returned) or ()
    expected = dict(expectation(facts, exercise))
    actual = {"text": describe(returned), "moves": moves, **seen(facts, claim, 0)}
    most = stated.at_most_moves
    if most is not None and len(moves) > most:
        expected["text"] = said("at_most_moves", most=most)
        return Finding("failed", said("too_many_moves", count=len(moves), most=most), expected, actual)
    if stated.way is not None and moves != stated.way:
        text = said("not_the_way", value=describe(returned), way=moves_text(stated.way))
        return Finding("failed", text, expected, actual)
    return None


def _judge_visits(
    facts: Facts, exercise: str, stated: Stated, visits: list[Vector], seen_as: Mapping[str, Telling]
) -> Finding | None:
    before = tidy(up_to_the_exit(visits, facts.maze), facts.maze)
    most, count = stated.at_most_visits, len(before) + ENDS
    if most is not None and count > most:
        text, wanted = said("too_many_visits", count=count, most=most), said("at_most_visits", most=most)
        return _of_visits(facts, exercise, visits, seen_as, text, wanted)
    reached = {*before, facts.maze.entry, facts.maze.exit}
    for cell in stated.must_visit:
        if cell not in reached:
            place = cell_text(cell)
            text, wanted = said("not_visited", cell=place), said("must_visit", cell=place)
            return _of_visits(facts, exercise, visits, seen_as, text, wanted)
    return None


def _of_visits(
    facts: Facts,
    exercise: str,
    visits: list[Vector],
    seen_as: Mapping[str, Telling],
    text: Message,
    wanted: Message,
) -> Finding:
    expected = {**expectation(facts, exercise), "text": wanted}
    actual: dict[str, Telling] = {"text": cells_text(visits), **seen_as}
    return Finding("failed", text, expected, actual)
