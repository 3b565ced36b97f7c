"""Returns every move that it made, those into dead ends and back included."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.sights import Sight, by_answers, gives_the_way, steps
from lab import Vector


def _walked(made: Journey, sight: Sight, *, back: bool) -> tuple[Vector, ...]:
    """The moves of the whole walk over the visited cells."""
    moves: list[Vector] = []
    stack = [made.visits[0]]
    for cell in made.visits[1:]:
        while not _next_to(sight, stack[-1], cell):
            gone = stack.pop()
            moves += steps((gone, stack[-1])) if back else ()
        moves += steps((stack[-1], cell))
        stack.append(cell)
    return tuple(moves)


def _next_to(sight: Sight, one: Vector, other: Vector) -> bool:
    return any(one + move == other for move in sight.maze.valid_moves_at(one))


def _with_the_way_back(sight: Sight, made: Journey) -> bool:
    if made.cells is None:
        return gives_the_way(sight, made)
    return sight.moves == _walked(_to_the_exit(made), sight, back=True)


def _without_the_way_back(sight: Sight, made: Journey) -> bool:
    if made.cells is None:
        return gives_the_way(sight, made)
    return sight.moves == _walked(_to_the_exit(made), sight, back=False)


def _to_the_exit(made: Journey) -> Journey:
    end = made.cells[-1] if made.cells else made.visits[-1]
    visits = made.visits if made.visits[-1] == end else (*made.visits, end)
    return Journey(visits, made.cells)


MODEL = Model(
    name="keeps-the-dead-ends",
    exercises=("dfs",),
    explains=by_answers(_with_the_way_back, _without_the_way_back),
    hints={
        "en": (
            "The list that your solver returns holds every move that it made, those into dead ends as "
            "well. When you turn back from a dead end, what has to happen to the move that led into "
            "it?"
        ),
        "nb": (
            "Listen løseren din returnerer, inneholder hvert trekk den gjorde, også de inn i "
            "blindveier. Når du snur i en blindvei, hva må skje med trekket som førte inn i den?"
        ),
    },
)
