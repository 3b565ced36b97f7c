from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        ways = {maze.entry: []}
        frontier = {maze.entry}
        while frontier:
            following = set()
            for cell in sorted(frontier):
                if maze.is_exit(cell):
                    return ways[cell]
                for move in maze.valid_moves_at(cell):
                    if cell + move not in ways:
                        ways[cell + move] = ways[cell] + [move]
                        following.add(cell + move)
            frontier = following
        return None
