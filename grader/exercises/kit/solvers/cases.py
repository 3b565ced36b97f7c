"""The cases of DFS, BFS and Dijkstra by family, made once, and shared by all checks that use them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random

from grader.exercises.kit.cases.controls import with_a_way
from grader.exercises.kit.cases.edits import marked
from grader.exercises.kit.cases.fixed_mazes import FixedMaze
from grader.exercises.kit.cases.library import (
    CaseBook,
    equal_ways,
    large_mazes,
    rooms_without_a_way,
    serpentine,
    size_of,
    wave_of,
    wide_mazes,
)
from grader.exercises.kit.check import Case, Ladder
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.ladders import maze_ladder
from grader.exercises.kit.solvers.detours import detours
from grader.languages import Message, said
from grader.model import Call, Solve
from lab import Dimension, Factory
from lab.exercises import BY_ID
from lab.generators import AldousBroder

CONTROLS = 40
"""About how many mazes with a way show that a solver does its work, or does not always return None."""
CORRIDORS = (Dimension(12, 12), Dimension(8, 18), Dimension(20, 20))
"""The mazes that students try have ways of up to this many cells, which are rarely drawn."""


class SolverCases:
    """The cases of one solver, by family."""

    def __init__(self, book: CaseBook, exercise: str) -> None:
        self.book, self.exercise = book, exercise

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
            if _is_wide(case.facts) and case.facts.maze.exit is not None
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

    def of_own_check(self, name: str, mazes: Iterable[FixedMaze]) -> tuple[Case, ...]:
        """Return the test mazes of a check that an instructor declared."""
        return tuple(self._fixed(mazes, f"own/{name}"))

    @cached_property
    def large(self) -> tuple[Case, ...]:
        """Mazes of 60 x 60, after two smaller ones."""
        mazes = large_mazes(self.book.seed)
        return tuple(
            self._case(f"large/{number}", text, "large", label=label)
            for number, (label, text) in enumerate(mazes)
        )

    @cached_property
    def wide(self) -> tuple[Case, ...]:
        """Mazes as wide as the large ones, but not as high."""
        texts = enumerate(wide_mazes(self.book.seed))
        return tuple(self._case(f"wide/{number}", text, "large") for number, text in texts)

    @cached_property
    def repeat(self) -> tuple[Case, ...]:
        """One solver that solves a maze, another one, and the first again; the smallest mazes first."""
        trees, rings = self.book.family("way"), self.book.family("cycles")
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


def _is_wide(facts: Facts) -> bool:
    """Return whether a maze is more than a corridor, where walking straight ahead is enough."""
    return min(facts.dimension.row_count, facts.dimension.column_count) > 2


def _same_shape(text: str, seed: int) -> str:
    """Return another maze with the same size, entry and exit."""
    maze = facts_of(text).maze
    other = AldousBroder(Random(seed)).generate(Factory(), maze.dimension)
    return marked(other, maze.entry, maze.exit).to_text()
