from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        left = list(maze.dimension.all_positions())
        distance = {cell: float("inf") for cell in left}
        came_by = {}
        while left:
            cell = min(left, key=distance.get)
            left.remove(cell)
            for move in maze.valid_moves_at(cell):
                if distance[cell] + 1 < distance[cell + move]:
                    distance[cell + move] = distance[cell] + 1
                    came_by[cell + move] = move
        if maze.exit not in came_by:
            return None
        moves, cell = [], maze.exit
        while cell != maze.entry:
            moves.insert(0, came_by[cell])
            cell = cell + came_by[cell].opposite()
        return moves
