class PerfectionChecker:
    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        openings = sum(len(maze.valid_moves_at(cell)) for cell in cells)
        seen = {cells[0]}
        todo = [cells[0]]
        while todo:
            cell = todo.pop()
            for move in maze.valid_moves_at(cell):
                if cell + move not in seen:
                    seen.add(cell + move)
                    todo.append(cell + move)
        return openings == 2 * len(cells) - 2 and all(cell in seen for cell in cells)
