import heapq
from dataclasses import dataclass, field


@dataclass(order=True)
class Node:
    cost: int
    cell: object = field(compare=False)
    parent: object = field(compare=False, default=None)
    move: object = field(compare=False, default=None)


class Cheapest:
    def solve(self, maze, search):
        heap, done = [Node(0, maze.entry)], set()
        while heap:
            node = heapq.heappop(heap)
            if node.cell in done:
                continue
            done.add(node.cell)
            if maze.is_exit(node.cell):
                way = []
                while node.parent is not None:
                    way.append(node.move)
                    node = node.parent
                way.reverse()
                return way
            for move in maze.valid_moves_at(node.cell):
                cost = node.cost + maze.cost_of(node.cell, move)
                heapq.heappush(heap, Node(cost, node.cell + move, node, move))
        return None
