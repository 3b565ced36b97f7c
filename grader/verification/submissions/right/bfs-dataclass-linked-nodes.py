from __future__ import annotations
from collections import deque
from dataclasses import dataclass, field
from lab import Solver, Vector


@dataclass(frozen=True, order=True)
class Node:
    cell: Vector
    parent: Node | None = field(default=None, compare=False, repr=False)
    move: Vector | None = field(default=None, compare=False)

    def way(self):
        node, out = self, deque()
        while node.parent is not None:
            out.appendleft(node.move)
            node = node.parent
        return list(out)


class BFS(Solver):
    def solve(self, maze, search):
        q, known = deque([Node(maze.entry)]), {Node(maze.entry)}
        while q:
            node = q.popleft()
            if maze.is_exit(node.cell):
                return node.way()
            for m in maze.valid_moves_at(node.cell):
                child = Node(node.cell + m, node, m)
                if child not in known:
                    known.add(child)
                    q.append(child)
