"""Where a recorded solver parts from a right one."""

from __future__ import annotations

from collections.abc import Sequence

from grader.exercises.kit.check import Wrong
from grader.exercises.kit.facts import Facts
from grader.exercises.kit.findings import cell_text
from grader.exercises.kit.solvers.ways import moves_of
from grader.model import Claim
from grader.model.claims import NoneValue, SolveRun
from lab import MOVES, Vector
from lab.maze import Position
from lab.order_judge import evidence, is_cleared, nearest_order
from lab.recorded import Told
from lab.story import Recorded
from lab.visits import tidy, up_to_the_exit


def story(exercise: str, wrong: Wrong, claim: Claim, run: Recorded) -> list[Told]:
    """Tell where the visits, or the moves of the way, depart from right ones; nothing where they do not."""
    facts = wrong.case.given
    if not isinstance(facts, Facts) or facts.length is None or not claim.runs:
        return []
    return _of_visits(exercise, facts, claim.runs[-1], run) or _of_way(exercise, facts, claim.runs[-1], run)


def _of_visits(exercise: str, facts: Facts, seen: SolveRun, run: Recorded) -> list[Told]:
    right = facts.right_orders.get(exercise)
    if right is None or seen.returned is None:
        return []
    way = moves_of(seen.returned)
    shown = None if is_cleared(right, seen.streams, way) else evidence(right, seen.streams, way)
    if shown is None and isinstance(seen.returned, NoneValue):  # it gave up: where was it to go on?
        shown = next(iter(seen.streams.values()), ())
    if shown is None:
        return []
    order, index = nearest_order(right, [Vector(*cell) for cell in shown])
    wanted, came = tidy(order, facts.maze), tidy(up_to_the_exit(shown, facts.maze), facts.maze)
    due = wanted[index] if index < len(wanted) else facts.maze.exit
    cells = [*came, *([facts.maze.exit] if facts.maze.exit in shown else [])]
    here = cells[index] if index < len(cells) and cells[index] != due else None
    before = came[index - 1] if 0 < index <= len(came) else facts.maze.entry
    if due is None:
        return []
    return run.of_parting(index + 2, cell_text(due), here and cell_text(here), cell_text(before))


def _of_way(exercise: str, facts: Facts, seen: SolveRun, run: Recorded) -> list[Told]:
    way = None if seen.returned is None else moves_of(seen.returned)
    ways = [right for right in facts.ways.get(exercise, ()) if right]
    if way is None or not ways:
        return []
    alike, due = max((_alike(way, right), right) for right in ways)
    if alike >= min(len(way), len(due)) or way[alike] not in MOVES:
        return []
    cells = [facts.maze.entry]
    for move in way:
        if Vector(*move) not in facts.maze.valid_moves_at(cells[-1]) and len(cells) - 1 != alike:
            return []  # it goes through a wall elsewhere
        cells.append(cells[-1] + move)
    cell = cells[alike]
    wanted, came = Vector(*due[alike]), Vector(*way[alike])
    told = run.of_element(alike, wanted.name)
    return told or run.of_way(cell_text(cell), came.name, wanted.name, cell_text(cell + wanted))


def _alike(one: Sequence[Position], other: Sequence[Position]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
