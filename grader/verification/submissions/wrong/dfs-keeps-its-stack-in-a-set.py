from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        ways = {maze.entry: []}
        stack = set()
        stack.add(maze.entry)
        while stack:
            cell = stack.pop()
            if maze.is_exit(cell):
                return ways[cell]
            for move in maze.valid_moves_at(cell)[::-1]:
                if cell + move not in ways:
                    ways[cell + move] = ways[cell] + [move]
                    stack.add(cell + move)
        return None
