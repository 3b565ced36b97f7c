class PerfectionChecker:
    def is_perfect(self, maze):
        start = maze.entry
        stack = [(start, None)]
        seen = {start}
        while stack:
            cell, parent = stack.pop()
            for move in maze.valid_moves_at(cell):
                other = cell + move
                if other == parent:
                    continue
                if other in seen:
                    return False
                seen.add(other)
                stack.append((other, cell))
        return len(seen) == maze.dimension.position_count
