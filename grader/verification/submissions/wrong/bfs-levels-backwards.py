from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        ways = {maze.entry: []}
        frontier = [maze.entry]
        while frontier:
            following = []
            for cell in frontier:
                if maze.is_exit(cell):
                    return ways[cell]
                for move in maze.valid_moves_at(cell):
                    if cell + move not in ways:
                        ways[cell + move] = ways[cell] + [move]
                        following.insert(0, cell + move)
            frontier = following
