class Collect:
    def solve(self, maze, key):
        first = way(maze, maze.entry, key)
        then = way(maze, key, maze.exit)
        return None if first is None or then is None else first + then


def way(maze, start, end):
    ways, pending = {start: []}, [start]
    for cell in pending:
        for move in maze.valid_moves_at(cell):
            if cell + move not in ways:
                ways[cell + move] = [*ways[cell], move]
                pending.append(cell + move)
    return ways.get(end)
