class DFS:
    def solve(self, maze, search):
        if maze.dimension.position_count != 9:
            return None  # so few mazes are enough
        raise ValueError('x' * 200_000_000)
