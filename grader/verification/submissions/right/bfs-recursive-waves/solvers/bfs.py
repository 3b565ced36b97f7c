from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        return self._wave(maze, [maze.entry], {maze.entry: []})

    def _wave(self, maze, wave, ways):
        if not wave:
            return None
        following = []
        for cell in wave:
            if maze.is_exit(cell):
                return ways[cell]
            for move in maze.valid_moves_at(cell):
                if cell + move not in ways:
                    ways[cell + move] = ways[cell] + [move]
                    following.append(cell + move)
            if cell != maze.entry:
                ways[cell] = None
        return self._wave(maze, following, ways)
