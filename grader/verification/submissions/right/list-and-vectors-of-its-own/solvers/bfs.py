from collections import deque, namedtuple
from enum import IntEnum

from lab import Solver

Move = namedtuple("Move", ["rows", "columns"])


class Step(IntEnum):
    BACK = -1
    STAY = 0
    ON = 1


MOVES = [
    Move(Step.BACK, Step.STAY),
    Move(Step.STAY, Step.ON),
    Move(Step.ON, Step.STAY),
    Move(Step.STAY, Step.BACK),
]


class BFS(Solver):
    def solve(self, maze, search):
        ways, queue = {maze.entry: []}, deque([maze.entry])
        while queue:
            position = queue.popleft()
            if position == maze.exit:
                return ways[position]
            for move in MOVES:
                end = position + move
                if maze.dimension.includes(end) and maze.is_clear(position, move) and end not in ways:
                    ways[end] = [*ways[position], move]
                    queue.append(end)
        return None
