class PerfectionChecker:
    def __init__(self):
        self.seen = set()

    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        openings = sum(len(maze.valid_moves_at(cell)) for cell in cells)
        self.seen.add(maze.entry)
        todo = [maze.entry]
        while todo:
            cell = todo.pop()
            for move in maze.valid_moves_at(cell):
                if cell + move not in self.seen:
                    self.seen.add(cell + move)
                    todo.append(cell + move)
        return openings == 2 * (len(cells) - 1) and len(self.seen) == len(cells)
