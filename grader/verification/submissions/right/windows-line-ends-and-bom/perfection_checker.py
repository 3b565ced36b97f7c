class PerfectionChecker:
    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        openings = sum(len(maze.valid_moves_at(cell)) for cell in cells)
        if openings != 2 * (len(cells) - 1):
            return False
        return len(self._reachable_from(maze, maze.entry)) == len(cells)

    def _reachable_from(self, maze, start):
        reached = {start}
        todo = [start]
        while todo:
            cell = todo.pop()
            for move in maze.valid_moves_at(cell):
                neighbour = cell + move
                if neighbour not in reached:
                    reached.add(neighbour)
                    todo.append(neighbour)
        return reached
