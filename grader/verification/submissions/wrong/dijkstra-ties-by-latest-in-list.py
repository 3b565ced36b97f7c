from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        best = {maze.entry: (0, None)}
        open_cells = [maze.entry]
        while open_cells:
            here = open_cells[0]
            for cell in open_cells:
                if best[cell][0] <= best[here][0]:
                    here = cell
            open_cells.remove(here)
            if maze.is_exit(here):
                way = []
                while best[here][1]:
                    way.insert(0, best[here][1])
                    here = here + best[here][1].opposite()
                return way
            for move in maze.valid_moves_at(here):
                if here + move not in best:
                    best[here + move] = (best[here][0] + 1, move)
                    open_cells.append(here + move)
        return None
