import heapq

from lab import Solver, Vector


class Cell(Vector):
    """A cell that knows how far it is."""

    def __new__(cls, position, distance):
        cell = super().__new__(cls, *position)
        cell.distance = distance
        return cell

    def __lt__(self, other):
        return self.distance < other.distance


class Dijkstra(Solver):
    def solve(self, maze, search):
        start = Cell(maze.entry, 0)
        found, heap, came_by = 0, [(0, 0, start)], {start: None}
        while heap:
            _, _, cell = heapq.heappop(heap)
            if cell == maze.exit:
                return self.way_back(came_by, cell)
            for move in maze.valid_moves_at(cell):
                end = Cell(cell + move, cell.distance + 1)
                if end not in came_by:
                    found += 1
                    came_by[end] = move
                    heapq.heappush(heap, (end.distance, found, end))
        return None

    def way_back(self, came_by, cell):
        moves = []
        while came_by[cell] is not None:
            moves.append(came_by[cell])
            cell = cell + came_by[cell].opposite()
        return moves[::-1]
