"""What is told of a recorded call, in ``maze check`` as in the grade: where it parts from right ones.

What is right is given by whoever asks; nothing is worked out here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from lab.maze import Maze, Position
from lab.order_judge import RightOrders, Streams, evidence, is_cleared, nearest_order
from lab.read_back import MOVES_BY_NAME
from lab.recorded import Told
from lab.story import FATES, MOST_STEPS, Recorded
from lab.vector import MOVES, Vector
from lab.visits import is_exploration, parting, tidy, up_to_the_exit, with_the_exit
from lab.way import cell_text

TELLING: Final = {
    *("parts", "past", "stops", "again", "element", "shorter", "longer", "broke", "was_whole", "raised"),
    *("cycle", "apart", "unopened", "state", "left", "state_endless", "state_new"),
    *("no_exit", "exit", "marks", "open", "wall", "moved", "drew", "drew_other", "undrawn", "unordered"),
}
"""Beginnings of a story that say where a run parts from a right one."""
_FIRST: Final = {"way", "called", "not_begun", "differs"} | (
    TELLING - {"raised", "element", "shorter", "longer", "broke", "was_whole", "cycle", "apart"}
)
"""What stands before the lines in the order in which they ran."""
_TESTS: Final = ("differs", "decided", "test")
"""Sentences that tell how a condition came out."""


_SPARE: Final = 1
"""Where there is no room for it, what wrote a value takes the place of one condition, the first."""


class Solved(NamedTuple):
    """What was seen of a solver in a maze that has a way."""

    maze: Maze
    streams: Streams
    way: Sequence[Position] | None
    """The moves that it returned; None if it returned something else."""
    gave_up: bool
    """Whether it returned None."""


def of_solver(
    run: Recorded, seen: Solved, right: RightOrders | None, ways: Sequence[Sequence[Position]]
) -> list[Told]:
    """Tell where the visits, or the moves of the way, depart from right ones; nothing where they do not."""
    told = _of_visits(run, seen, right) or _of_tie(run, seen, right) if right is not None else []
    return told or _of_way(run, seen, ways)


def _of_tie(run: Recorded, seen: Solved, right: RightOrders) -> list[Told]:
    """Tell where a tie led elsewhere than it was to, where what was asked is no evidence of the visits."""
    shown = next(iter(seen.streams.values()), ())
    if is_cleared(right, seen.streams, seen.way) or not is_exploration(shown, seen.maze):
        return []
    told = _parted(run, seen, shown, *nearest_order(right, [Vector(*cell) for cell in shown]))
    return told if any(each.key in ("tie", "tie_then") for each in told) else []


def _of_visits(run: Recorded, seen: Solved, right: RightOrders) -> list[Told]:
    maze = seen.maze
    is_right = is_cleared(right, seen.streams, seen.way)
    shown = None if is_right else evidence(right, seen.streams, seen.way)
    if shown is None and seen.gave_up:  # where was it to go on?
        shown = next(iter(seen.streams.values()), ())
    if shown is None:
        return []
    order, index = nearest_order(right, [Vector(*cell) for cell in shown])
    is_whole = parting(order, shown, maze) is None or (is_right and maze.exit in shown)
    if is_whole:
        return _of_the_exit(run, seen, order, shown) if seen.gave_up and maze.exit is not None else []
    return _parted(run, seen, shown, order, index)


def _parted(
    run: Recorded, seen: Solved, shown: Sequence[Position], order: Sequence[Position], index: int
) -> list[Told]:
    """Tell where visits part from an order."""
    maze = seen.maze
    if shown and shown[0] == maze.exit:
        entry = cell_text(maze.entry)
        return run.of_parting(1, entry, cell_text(shown[0]), entry)
    wanted, came = tidy(order, maze), with_the_exit(shown, maze)
    due = wanted[index] if index < len(wanted) else maze.exit
    here = came[index] if index < len(came) and came[index] != due else None
    before = came[index - 1] if 0 < index <= len(came) else maze.entry
    if due is None:
        return []
    told = index + 2, cell_text(due), here and cell_text(here), cell_text(before)
    return run.of_parting(*told, is_exit=due == maze.exit and "taken" not in seen.streams)


def _of_the_exit(
    run: Recorded, seen: Solved, order: Sequence[Position], shown: Sequence[Position]
) -> list[Told]:
    """Tell what became of the exit where all visits before it were right."""
    maze, hides_exit = seen.maze, "taken" not in seen.streams
    wanted, came = tidy(order, maze), tidy(up_to_the_exit(shown, maze), maze)
    due, right = cell_text(maze.exit or maze.entry), came[: len(wanted)]
    before = cell_text(right[-1] if right else maze.entry)
    if came[len(wanted) :]:
        came_to = cell_text(came[len(wanted)])
        return run.of_parting(len(wanted) + 2, due, came_to, before, is_exit=hides_exit)
    told = run.of_cell(due)
    is_told = bool(told) and told[0].key in {*FATES, "raised", "not_begun"}
    return told if is_told else run.of_parting(0, due, None, before)


def _of_way(run: Recorded, seen: Solved, ways: Sequence[Sequence[Position]]) -> list[Told]:
    maze, way = seen.maze, seen.way
    if way is None or not ways:
        return []
    if _end(maze, way) != maze.exit and (told := _of_list(run, maze)):
        return told
    alike, due = max((_alike(way, right), right) for right in ways)
    if alike >= min(len(way), len(due)) or way[alike] not in MOVES:
        return []
    cells = [maze.entry]
    for move in way:
        if Vector(*move) not in maze.valid_moves_at(cells[-1]) and len(cells) - 1 != alike:
            return []  # it goes through a wall elsewhere
        cells.append(cells[-1] + move)
        if not maze.dimension.includes(cells[-1]):
            break
    cell = cells[alike]
    wanted, came = Vector(*due[alike]), Vector(*way[alike])
    told = run.of_element(alike, wanted.name)
    if told and told[0].key != "held":
        return [*told, *run.of_ending()[-1:]]
    return [*run.of_way(cell_text(cell), came.name, wanted.name, cell_text(cell + wanted))[:4], *told]


def _end(maze: Maze, moves: Sequence[Position]) -> Position | None:
    """Return to which cell moves lead from the entry; None where they lead through a wall."""
    cell = maze.entry
    for move in moves:
        if move not in maze.valid_moves_at(cell):
            return None
        cell += move
    return cell


def _of_list(run: Recorded, maze: Maze) -> list[Told]:
    """Tell where a list of moves that leads nowhere was led astray, or changed under several names."""

    def end(names: Sequence[str]) -> str:
        cell = _end(maze, [Vector(*MOVES_BY_NAME[name]) for name in names])
        return "" if cell is None else cell_text(cell)

    told = run.of_spoilt(cell_text(maze.exit), end) if maze.exit is not None else []
    told = told or run.of_broken(cell_text(maze.entry), end) or run.of_shared() or run.of_entries()
    return [*told, *run.of_ending()[-1:]] if told else []


def _alike(one: Sequence[Position], other: Sequence[Position]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def of_maze(run: Recorded, maze: Maze) -> list[Told]:
    """Tell which wall of a maze that was made closed a cycle, or which cells stayed apart."""
    cells = maze.dimension.all_positions()
    passages = [(cell, cell + move) for cell in cells for move in maze.valid_moves_at(cell)]
    told = [(cell_text(one), cell_text(other)) for one, other in passages]
    return run.of_walls(told, [cell_text(cell) for cell in cells])


def of_answer(run: Recorded) -> list[Told]:
    """Tell how a call came to a wrong answer: by an exception that was caught, or what was decided last."""
    return run.of_swallowed() or [*run.of_entries(), *run.of_ending()]


def in_full(run: Recorded, told: Sequence[Told]) -> list[Told]:
    """Return a story with what lies behind its steps."""
    causes = run.causes(told)
    told = told or (run.of_ending()[-1:] if causes else [])
    first = next((n for n, each in enumerate(told) if each.key not in _FIRST), len(told))
    return shortened([*told[:first], *causes, *told[first:], *run.deeper(told)])


def shortened(told: Sequence[Told]) -> list[Told]:
    """Return what a story has room for, each event once: first what went wrong, then what ran, as it ran."""
    kept, seen = list[Told](), list[object]()
    for each in told:
        events: list[object] = [each[:4], *([each.at] if each.at >= 0 and each.key in _TESTS else [])]
        if not any(event in seen for event in events):
            kept.append(each)
        seen += events
    spare = [each for each in kept[:MOST_STEPS] if each.key == "test"][:_SPARE]
    wrote = [each for each in kept[MOST_STEPS:] if each.key == "made"][: len(spare)]
    kept = [each for each in kept[:MOST_STEPS] if each not in spare[: len(wrote)]] + wrote
    first = next((n for n, each in enumerate(kept) if each.key not in _FIRST), len(kept))
    moments = [max(each.at, each.out) for each in kept]
    for place in range(first + 1, len(kept)):
        moments[place] = moments[place - 1] if moments[place] < 0 else moments[place]
    ran = sorted(range(first, len(kept)), key=moments.__getitem__)
    return [*kept[:first], *(kept[place] for place in ran)]


def excerpt(lines: Sequence[int], code: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Return the lines of the code to show, those told of and three around them, and the number of the first;
    where no line is told of, the first 30."""
    first, last = (max(1, min(lines) - 3), max(lines) + 3) if lines else (1, 30)
    return first, tuple(code[first - 1 : last])
