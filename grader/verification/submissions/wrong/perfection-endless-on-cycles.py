class PerfectionChecker:
    def is_perfect(self, maze):
        todo, count = [(maze.entry, None)], 0
        while todo:
            cell, back = todo.pop()
            count += 1
            todo += [(cell + m, m.opposite()) for m in maze.valid_moves_at(cell) if m != back]
        return count == maze.dimension.position_count
