from lab import EAST, Vector


class DFS:
    def solve(self, maze, search):
        length = 60 * maze.dimension.position_count
        search.mark_as_pending(Vector(1, 1))
        for column in range(1, length):
            search.record(Vector(1, column), EAST, Vector(1, column + 1))
        while True:
            search.moves_to(Vector(1, length))
