from dataclasses import dataclass, field

from lab import EAST, SOUTH, Generator, Vector


@dataclass(order=True, frozen=True)
class Edge:
    weight: float
    cell: Vector = field(compare=False)
    move: Vector = field(compare=False)


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        edges = []
        for cell in dimension.all_positions():
            for move in (EAST, SOUTH):
                if dimension.includes(cell + move):
                    edges.append(Edge(self.rng.random(), cell, move))
        group = {cell: cell for cell in dimension.all_positions()}

        def find(cell):
            while group[cell] != cell:
                cell = group[cell]
            return cell

        for edge in sorted(edges):
            one, other = find(edge.cell), find(edge.cell + edge.move)
            if one != other:
                group[one] = other
                maze.break_wall(edge.cell, edge.move)
        return maze
