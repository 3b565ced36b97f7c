from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        known, way = [maze.entry], {maze.entry: []}
        while True:
            new = []
            for cell in known:
                for move in maze.valid_moves_at(cell):
                    if not any(cell + move == other for other in known):
                        new.append((len(way[cell]), cell, move))
            if maze.exit in known:
                return way[maze.exit]
            if not new:
                return None
            nearest = min(new, key=lambda entry: entry[0])
            known.append(nearest[1] + nearest[2])
            way[known[-1]] = way[nearest[1]] + [nearest[2]]
