class PerfectionChecker:
    seen = set()

    def is_perfect(self, maze):
        todo = [(maze.entry, None)]
        while todo:
            cell, before = todo.pop()
            if cell in self.seen:
                return False
            self.seen.add(cell)
            todo += [(cell + m, cell) for m in maze.valid_moves_at(cell) if cell + m != before]
        return len(self.seen) == maze.dimension.position_count
