class PerfectionChecker:
    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        reached = {maze.entry}
        todo = [maze.entry]
        while todo:
            cell = todo.pop()
            for move in maze.valid_moves_at(cell):
                if cell + move not in reached:
                    reached.add(cell + move)
                    todo.append(cell + move)
        if len(reached) < len(cells):
            return False
        if not maze.has_exit():
            return True  # where there is nowhere to go, there are no two ways to it
        return sum(len(maze.valid_moves_at(cell)) for cell in cells) == 2 * (len(cells) - 1)
