from lab import Vector


class Dijkstra:
    def solve(self, maze, search):
        if maze.exit is None:
            return None
        (r, c), (er, ec) = maze.entry, maze.exit
        way = [Vector(1 if er > r else -1, 0)] * abs(er - r) + [Vector(0, 1 if ec > c else -1)] * abs(ec - c)
        return way
