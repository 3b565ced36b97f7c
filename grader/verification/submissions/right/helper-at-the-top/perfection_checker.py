import helper


class PerfectionChecker:
    def is_perfect(self, maze):
        cells = list(maze.dimension.all_positions())
        doors = sum(len(helper.neighbours(maze, cell)) for cell in cells) // 2
        return doors == len(cells) - 1 and len(helper.everything_from(maze, cells[0])) == len(cells)
