"""Edits that mend by accident, in a real process: they are no place to look at."""

from __future__ import annotations

import pytest

from lab.exercises import BY_ID
from tests.grader.grading.explain.test_places import graded
from tests.submissions.loader import base

pytestmark = pytest.mark.usefixtures("_untraced")

JOINS_CELLS = """from lab import EAST, MOVES, SOUTH, Generator


class MyGenerator(Generator):
    def __init__(self, rng):
        self.rng = rng

    def below(self, n):
        while (k := self.rng.getrandbits(n.bit_length())) >= n:
            pass
        return k

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        edges = [(c, m) for c in dimension.all_positions() for m in MOVES[1:3] if dimension.includes(c + m)]
        for i in range(len(edges) - 1, 0, -1):
            j = self.below(i + 1)
            edges[i], edges[j] = edges[j], edges[i]
        root = list(range(dimension.position_count))

        def find(i):
            while root[i] != i:
                root[i] = root[root[i]]
                i = root[i]
            return i

        for cell, move in edges:
            a = (cell.row - 1) * dimension.column_count + cell.column - 1
            b = a + move.row * dimension.column_count + move.column
            if find(a) != find(b):
                root[a] = b
                maze.break_wall(cell, move)
        return maze
"""
AS_PRINTED = """class PerfectionChecker:
    def is_perfect(self, maze):
        visited = []
        pending = [maze.entry]
        while pending:
            last = visited[-1] if visited else None
            current = pending.pop()
            visited.append(current)
            for move in maze.valid_moves_at(current):
                destination = current + move
                if last is not None and destination == last:
                    continue
                if destination not in visited:
                    pending.append(destination)
                else:
                    return False
        return len(visited) == len(maze.dimension.all_positions())
"""
TOO_NEAR = """import heapq

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        infinity = maze.dimension.row_count + maze.dimension.column_count
        dist = {maze.entry: 0}
        prev = {}
        count = 0
        heap = [(0, count, maze.entry)]
        while heap:
            d, _, cell = heapq.heappop(heap)
            if d > dist[cell]:
                continue
            if maze.is_exit(cell):
                return self.way(prev, cell)
            for move in maze.valid_moves_at(cell):
                new = d + 1
                if new < dist.get(cell + move, infinity):
                    dist[cell + move] = new
                    prev[cell + move] = move
                    count += 1
                    heapq.heappush(heap, (new, count, cell + move))
        return None

    def way(self, prev, cell):
        moves = []
        while cell in prev:
            moves.append(prev[cell])
            cell = cell + prev[cell].opposite()
        return moves[::-1]
"""
WEIGHTED = """import heapq
from lab import Solver


class Dijkstra(Solver):
    def estimate(self, maze, cell):
        if maze.exit is None:
            return 0
        return abs(cell.row - maze.exit.row) + abs(cell.column - maze.exit.column)

    def solve(self, maze, search):
        count = 0
        best = {maze.entry: 0}
        moves = {maze.entry: []}
        heap = [(0, count, maze.entry)]
        done = set()
        while heap:
            _, _, cell = heapq.heappop(heap)
            if cell in done:
                continue
            done.add(cell)
            if maze.is_exit(cell):
                return moves[cell]
            for move in maze.valid_moves_at(cell):
                end = cell + move
                new = best[cell] + 1
                if end not in best or new < best[end]:
                    best[end] = new
                    moves[end] = moves[cell] + [move]
                    count += 1
                    heapq.heappush(heap, (new + 2 * self.estimate(maze, end), count, end))
        return None
"""


@pytest.mark.parametrize(
    ("exercise", "text", "line"),
    [
        ("generator", JOINS_CELLS, "root[a] = b"),
        ("dijkstra", TOO_NEAR, "infinity = maze.dimension.row_count + maze.dimension.column_count"),
        ("dijkstra", WEIGHTED, "heapq.heappush(heap, (new + 2 * self.estimate(maze, end), count, end))"),
        ("perfection", AS_PRINTED, None),
    ],
)
def test_the_place_is_where_the_mistake_is(exercise: str, text: str, line: str | None) -> None:
    """A binary tree in the place of Kruskal's, steps that cost nothing, an estimate that is always 0, and a
    checker that says nothing of a cycle all pass the cases that led to them."""
    found = graded(exercise, {**base(), BY_ID[exercise].file: text.encode()}).look_at
    assert (found and found.code[found.line - found.first_line].strip()) == line
