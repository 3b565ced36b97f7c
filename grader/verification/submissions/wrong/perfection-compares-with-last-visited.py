class PerfectionChecker:
    def is_perfect(self, maze):
        seen, todo, last = {maze.entry}, [maze.entry], None
        while todo:
            cell = todo.pop()
            for move in maze.valid_moves_at(cell):
                if cell + move in seen and cell + move != last:
                    return False
                if cell + move not in seen:
                    seen.add(cell + move)
                    todo.append(cell + move)
            last = cell
        return len(seen) == maze.dimension.position_count
