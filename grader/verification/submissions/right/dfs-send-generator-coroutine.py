from lab import Solver


def walker(maze, cell, seen):
    seen.add(cell)
    if cell == maze.exit:
        return [cell]
    for m in maze.valid_moves_at(cell):
        if cell + m not in seen:
            r = yield walker(maze, cell + m, seen)
            if r:
                return [m] + r
    return None


class DFS(Solver):
    def solve(self, maze, search):
        stack, value = [walker(maze, maze.entry, set())], None
        while stack:
            try:
                stack.append(stack[-1].send(value))
                value = None
            except StopIteration as stop:
                stack.pop()
                value = stop.value
        return value[:-1] if value else None
