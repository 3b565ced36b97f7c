"""What a perfection checker answered, maze by maze, and the features that wrong answers go by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grader.misconceptions.model import Explains, Pair
from lab import EAST, SOUTH, Maze, Vector

_ENDLESS = ("timeout", "out-of-memory", "output-limit")


@dataclass(frozen=True)
class Features:
    """What is true of a maze, as graph."""

    maze: Maze

    @cached_property
    def cells(self) -> tuple[Vector, ...]:
        """All cells."""
        return self.maze.dimension.all_positions()

    @cached_property
    def edges(self) -> tuple[tuple[Vector, Vector], ...]:
        """All passages."""
        return tuple(
            (cell, cell + move)
            for cell in self.cells
            for move in (EAST, SOUTH)
            if move in self.maze.valid_moves_at(cell)
        )

    @cached_property
    def reached(self) -> frozenset[Vector]:
        """The cells in reach of the entry."""
        seen, pending = {self.maze.entry}, [self.maze.entry]
        while pending:
            cell = pending.pop()
            for move in self.maze.valid_moves_at(cell):
                if cell + move not in seen:
                    seen.add(cell + move)
                    pending.append(cell + move)
        return frozenset(seen)

    @property
    def connected(self) -> bool:
        """Every cell can be reached."""
        return len(self.reached) == len(self.cells)

    @cached_property
    def part_count(self) -> int:
        """The number of parts without a way between them."""
        root = {cell: cell for cell in self.cells}

        def find(cell: Vector) -> Vector:
            while root[cell] != cell:
                root[cell] = root[root[cell]]
                cell = root[cell]
            return cell

        for one, other in self.edges:
            root[find(one)] = find(other)
        return sum(root[cell] == cell for cell in self.cells)

    @property
    def acyclic(self) -> bool:
        """There is no cycle anywhere."""
        return len(self.edges) == len(self.cells) - self.part_count

    @property
    def acyclic_in_reach(self) -> bool:
        """There is no cycle in reach of the entry."""
        inside = sum(one in self.reached for one, _ in self.edges)
        return inside == len(self.reached) - 1

    @property
    def perfect(self) -> bool:
        """The right answer."""
        return self.connected and self.acyclic


@lru_cache(maxsize=2_000)
def features_of(text: str) -> Features:
    """The features of a maze, kept for the next submission."""
    return Features(Maze.from_text(text))


@dataclass(frozen=True, slots=True)
class Sight:
    """One answer."""

    text: str
    answer: str
    """True, False, endless, raised, deep (a RecursionError), or the type of R in PROTOCOL.md."""
    value: str
    """What it was, as text."""
    changed: bool

    @property
    def features(self) -> Features:
        """What is true of the maze."""
        return features_of(self.text)


def sights_of(pairs: Sequence[Pair]) -> list[Sight]:
    """The answers to all calls."""
    return [_sight(pair) for pair in pairs]


def _sight(pair: Pair) -> Sight:
    call, claim = pair
    text = call.arguments["maze"]
    if claim.outcome != "returned":
        deep = claim.fault is not None and claim.fault.kind == "RecursionError"
        ending = "endless" if claim.outcome in _ENDLESS else claim.outcome
        return Sight(text, "deep" if deep else ending, "", changed=False)
    returned = claim.value["returned"]
    value = returned.get("text", str(returned.get("value")))
    answer = value if returned["type"] == "bool" else returned["type"]
    return Sight(text, answer, value, claim.value.get("changed") is not None)


def is_right(_exercise: str, sight: Sight) -> bool:
    """The answer is right, and the maze as it was."""
    return sight.answer == str(sight.features.perfect) and not sight.changed


Answer = Callable[[Features], "bool | str"]


def by_features(*answers: Answer) -> Explains:
    """The model that goes by features: what it answers, or how it ends, of each maze."""

    def explains(_exercise: str, sights: Sequence[Sight]) -> bool:
        return any(
            all(sight.answer == str(answer(sight.features)) and not sight.changed for sight in sights)
            for answer in answers
        )

    return explains
