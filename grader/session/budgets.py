"""What a call of the submission may use, by the size of what it is asked.

Turns, questions and depth decide: all right submissions of the tests stay a factor of 20 below the first two.
Seconds are the safety net behind them, for loops inside of C and for code that sleeps.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from grader.model import Ask, Call, Generate, IsPerfect, Limits, RunScript, Solve
from grader.session.wire import Budget
from lab.watch import QUESTIONS

TURNS: Final = (500_000, 2_000, 20)
"""The turns of a call: these numbers times 1, the size and its square. The most that a right submission
of the tests takes is 1.03 times the square, on 60 x 60 cells: its Search looks through a list each time."""
TIRED_TURNS: Final = (50_000, 500)
"""The same once a call of the file was endless: its points on large mazes are lost by then in most cases,
and a loop on 60 x 60 cells would take its time."""
TRIED_TURNS: Final = (3_000, 100, 2)
TRIED_QUESTIONS: Final = (1_000, 100)
"""The turns and the questions of a call on another version of the file: many are tried, each on small cases,
and a good part never ends."""
ASKED_QUESTIONS: Final = (1_000, 120)
"""The same where the grader answers for the Search: what is asked of it counts as well, 12 a cell more at
most, and each takes its way over the wire."""
DEPTH: Final = (5_000, 10)
"""The nested frames of a call: these numbers times 1 and the size. A serpentine is as many levels deep as it
has cells, with room for eleven frames a level on 60 x 60 cells. Code that calls itself endlessly is stopped
this way before its arguments fill the memory: lists that grow by one element a level take 320 MB on 400
cells."""
USUAL_SIZE: Final = 400
"""The rubric's seconds are those of a maze of up to 400 cells; a larger one has as many times more."""
WALL_FACTOR: Final = 3.0
"""A call may last at most 3 times its CPU seconds: it may sleep, but not for long."""


def tried_turns(call: Call) -> int:
    """Return how many turns a call on another version of the file may take."""
    return _at(size_of(call), TRIED_TURNS)


def budget_of(call: Call, limits: Limits, *, search_is_asked: bool = False) -> Budget:
    """Return the whole budget of a call; ``search_is_asked`` where the grader answers for its search."""
    budget = _budget(size_of(call), limits.call_cpu_seconds, limits.call_wall_seconds, search_is_asked)
    if call.version is None:
        return budget
    turns = tried_turns(call)
    questions = _at(size_of(call), TRIED_QUESTIONS)
    return budget._replace(turns=turns, tired_turns=turns, questions=min(questions, budget.questions))


@lru_cache(maxsize=1024)
def _budget(size: int, cpu_seconds: float, wall_seconds: float, search_is_asked: bool) -> Budget:
    """Return the budget for a size; it is cached, since thousands of calls have the same few."""
    scale = max(1.0, size / USUAL_SIZE)
    cpu_seconds *= scale
    return Budget(
        turns=_at(size, TURNS),
        tired_turns=_at(size, TIRED_TURNS),
        questions=_at(size, ASKED_QUESTIONS if search_is_asked else QUESTIONS),
        depth=_at(size, DEPTH),
        cpu_seconds=round(cpu_seconds, 3),
        wall_seconds=round(max(cpu_seconds, min(wall_seconds * scale, WALL_FACTOR * cpu_seconds)), 3),
    )


def _at(size: int, factors: tuple[int, ...]) -> int:
    """Return the value of a polynomial at a size; its factors begin with the constant one."""
    return sum(factor * size**power for power, factor in enumerate(factors))


def size_of(call: Call) -> int:
    """Return the number of cells of all the mazes of a call, or of the steps of a script."""
    match call.arguments:
        case Solve(mazes):
            return sum(map(cells_of, mazes))
        case RunScript(steps):
            return len(steps)
        case IsPerfect(maze, before):
            return sum(map(cells_of, (maze, *before)))
        case Generate(rows, columns, _, times):
            return rows * columns * times
        case Ask(_, _, size):
            return size


def cells_of(text: str) -> int:
    """Return the number of cells of a maze."""
    return (text.count("\n") // 2) * (text.find("\n") // 2)
