class PerfectionChecker:
    def is_perfect(self, maze):
        left = set(maze.dimension.all_positions())
        changed = True
        while changed:
            changed = False
            for cell in sorted(left):
                moves = maze.valid_moves_at(cell)
                if len(moves) == 1:
                    maze.build_wall(cell, moves[0])
                    left.remove(cell)
                    changed = True
        return len(left) == 1
