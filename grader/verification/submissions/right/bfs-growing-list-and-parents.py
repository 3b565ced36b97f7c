from lab import Solver, Vector


class BFS(Solver):
    def solve(self, maze, search):
        parent = {maze.entry: None}
        order = [maze.entry]
        for cell in order:
            if cell == maze.exit:
                break
            for move in maze.valid_moves_at(cell):
                if (neighbour := cell + move) not in parent:
                    parent[neighbour] = cell
                    order.append(neighbour)
        if maze.exit not in parent:
            return None
        cells = [maze.exit]
        while parent[cells[0]] is not None:
            cells.insert(0, parent[cells[0]])
        return [Vector(b.row - a.row, b.column - a.column) for a, b in zip(cells, cells[1:])]
