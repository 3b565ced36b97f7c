class PerfectionChecker:
    def is_perfect(self, maze):
        maze = maze.copy()
        left = set(maze.dimension.all_positions())
        ends = [cell for cell in left if len(maze.valid_moves_at(cell)) == 1]
        while ends:
            cell = ends.pop()
            moves = maze.valid_moves_at(cell)
            if len(moves) != 1:
                continue
            maze.build_wall(cell, moves[0])
            left.discard(cell)
            if len(maze.valid_moves_at(cell + moves[0])) == 1:
                ends.append(cell + moves[0])
        return len(left) == 1
