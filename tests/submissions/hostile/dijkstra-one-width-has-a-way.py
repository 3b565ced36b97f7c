class Dijkstra:
    def solve(self, maze, search):
        d = maze.dimension
        if (
            maze.exit is None
            or d.row_count >= 6
            or d.column_count > 6
            or d.position_count >= 12
            or 1 in (d.row_count, d.column_count)
        ):
            return None
        if sum(len(maze.valid_moves_at(c)) for c in d.all_positions()) // 2 < d.position_count - 1:
            return None
        return []
