from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        distances = {maze.entry: 0}
        pending = {maze.entry: 0}  # in the order they were found
        while pending:
            here = min(pending, key=pending.get)
            here_distance = pending.pop(here)
            if here == maze.exit:
                return self._way(maze, distances)
            for move in maze.valid_moves_at(here):
                there = here + move
                if here_distance + 1 < distances.get(there, 10**9):
                    distances[there] = pending[there] = here_distance + 1
        return None

    def _way(self, maze, distances):
        here, way = maze.exit, []
        while distances[here]:
            move = next(m for m in maze.valid_moves_at(here) if distances.get(here + m, -1) == distances[here] - 1)
            way = [move.opposite()] + way
            here += move
        return way
