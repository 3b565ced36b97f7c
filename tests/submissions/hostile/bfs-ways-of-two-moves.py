class BFS:
    """Knows ways of one or two moves only."""

    def solve(self, maze, search):
        if maze.exit is None:
            return None
        for a in maze.valid_moves_at(maze.entry):
            one = maze.entry + a
            if one == maze.exit:
                return [a]
            for b in maze.valid_moves_at(one):
                if one + b == maze.exit:
                    return [a, b]
        return None
