class PerfectionChecker:
    def is_perfect(self, maze):
        seen, todo = {maze.entry}, [(maze.entry, None)]
        while todo:
            cell, before = todo.pop()
            for move in maze.valid_moves_at(cell):
                if cell + move != before:
                    if cell + move in seen:
                        return False
                    seen.add(cell + move)
                    todo.append((cell + move, cell))
        return True
