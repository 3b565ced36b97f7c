"""What a student may have done, where moves are nearly a way, or a checker finds no maze perfect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import pytest

from lab.commands.suspicions import counted_twice, suspicion
from lab.maze import Maze
from lab.vector import EAST, MOVES, NORTH, SOUTH, WEST, Vector
from reference.perfection_checker import PerfectionChecker

DEAD_END = Maze.from_text("+-+-+-+\n|S    |\n+ +-+-+\n|    E|\n+-+-+-+")


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ([EAST, EAST, SOUTH], "Read from its end, the list is a way"),
        ([WEST, WEST, NORTH], "It holds the moves that lead from E to S"),
        ([NORTH, WEST, WEST], "It holds the moves that lead from E to S"),
        ([EAST, EAST, SOUTH, EAST, EAST], "Without moves 1 to 2 it is a way"),
        ([SOUTH, EAST, EAST, EAST], "Without move 2 it is a way"),
        ([EAST, SOUTH, EAST, WEST, EAST], "Some of its moves are a way"),
        ([EAST, EAST], ""),
        ([EAST] * 40 + [SOUTH, EAST, EAST], ""),
        ([(1, 1)], ""),
        (3, ""),
    ],
)
def test_one_change_makes_it_a_way(returned: object, said: str) -> None:
    assert suspicion(DEAD_END, returned)[: len(said) or None] == said


def tells_by_the_way_back(maze: Maze) -> bool:
    waiting, known = [maze.entry], {maze.entry}
    while waiting:
        cell = waiting.pop()
        for there in [cell + move for move in maze.valid_moves_at(cell)]:
            if there in known:
                return False
            known.add(there)
            waiting.append(there)
    return len(known) == maze.dimension.position_count


def tells_by_the_way_back_when_taken(maze: Maze) -> bool:
    waiting, known = [maze.dimension.all_positions()[-1]], set[Vector]()
    while waiting:
        cell = waiting.pop(0)
        if cell in known:
            return False
        known.add(cell)
        waiting += [cell + move for move in MOVES if maze.is_clear(cell, move)]
    return len(known) == maze.dimension.position_count


def tells_by_the_way_back_in_a_recursion(order: Sequence[Vector]) -> Callable[[Maze], bool]:
    def is_perfect(maze: Maze) -> bool:
        seen: set[Vector] = set()

        def tree(cell: Vector) -> bool:
            if cell in seen:
                return False
            seen.add(cell)
            return all(tree(cell + move) for move in order if maze.is_valid_at(cell, move))

        return tree(maze.entry) and len(seen) == maze.dimension.position_count

    return is_perfect


def counts_both_sides(maze: Maze) -> bool:
    cells = maze.dimension.all_positions()
    return sum(len(maze.valid_moves_at(cell)) for cell in cells) == len(cells) - 1


def never_goes_on(maze: Maze) -> bool:
    maze.valid_moves_at(maze.entry)
    return maze.dimension.position_count == 1


def takes_crossings_for_cycles(maze: Maze) -> bool:
    return all(len(maze.valid_moves_at(cell)) < 2 for cell in maze.dimension.all_positions())


def is_one_off(maze: Maze) -> bool:
    cells = maze.dimension.all_positions()
    return sum(len(maze.valid_moves_at(cell)) for cell in cells) == 2 * len(cells)


def fails(maze: Maze) -> bool:
    for cell in ((1, 1), (1, 2)):
        maze.valid_moves_at(cell)
    if maze.dimension.column_count > 2:
        raise KeyError
    return False


@pytest.mark.parametrize(
    ("is_perfect", "said"),
    [
        (tells_by_the_way_back, "In a corridor it stops in the second cell"),
        (tells_by_the_way_back_when_taken, "In a corridor it stops in the second cell"),
        *(
            (tells_by_the_way_back_in_a_recursion(order), "In a corridor it stops in the second cell")
            for order in permutations(MOVES)
        ),
        (counts_both_sides, "It calls three cells with one passage perfect"),
        (never_goes_on, ""),
        (takes_crossings_for_cycles, ""),
        (is_one_off, ""),
        (fails, ""),
        (lambda maze: not PerfectionChecker().is_perfect(maze), ""),
        (lambda maze: maze.dimension.position_count % 2 == 1, ""),
        (lambda maze: False, ""),
        (lambda maze: None, ""),
        (PerfectionChecker().is_perfect, ""),
    ],
)
def test_passages_that_count_twice_are_told(is_perfect: Callable[[Maze], object], said: str) -> None:
    assert counted_twice(is_perfect)[: len(said) or None] == said
