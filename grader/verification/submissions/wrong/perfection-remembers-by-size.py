class PerfectionChecker:
    """A cache whose key is too small."""

    def __init__(self):
        self.known = {}

    def is_perfect(self, maze):
        d = maze.dimension
        key = (d.row_count, d.column_count)
        if key not in self.known:
            self.known[key] = self._look(maze)
        return self.known[key]

    def _look(self, maze):
        cells = maze.dimension.all_positions()
        if sum(len(maze.valid_moves_at(cell)) for cell in cells) != 2 * (len(cells) - 1):
            return False
        reached, todo = {maze.entry}, [maze.entry]
        while todo:
            cell = todo.pop()
            for move in maze.valid_moves_at(cell):
                if cell + move not in reached:
                    reached.add(cell + move)
                    todo.append(cell + move)
        return len(reached) == len(cells)
