from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        parent = {}
        dist = {maze.entry: 0}
        open_cells = [maze.entry]
        while open_cells:
            cell = min(open_cells, key=dist.get)
            open_cells.remove(cell)
            if maze.is_exit(cell):
                return self.path(parent, maze.entry, cell)
            for move in maze.valid_moves_at(cell):
                other = cell + move
                if other not in dist:
                    dist[other] = dist[cell] + 1
                    open_cells.append(other)
                parent[other] = (cell, move)
        return None

    def path(self, parent, start, cell):
        moves = []
        while cell != start:
            cell, move = parent[cell]
            moves.append(move)
        return moves[::-1]
