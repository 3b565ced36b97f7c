class BFS:
    def solve(self, maze, search):
        start = tuple(maze.entry)
        queue, paths = [start], {start: []}
        while queue:
            cell = queue.pop(0)
            if cell == maze.exit:
                return paths[cell]
            for move in ((-1, 0), (0, 1), (1, 0), (0, -1)):
                if maze.is_clear(cell, move):
                    other = (cell[0] + move[0], cell[1] + move[1])
                    if other not in paths:
                        paths[other] = paths[cell] + [move]
                        queue.append(other)
