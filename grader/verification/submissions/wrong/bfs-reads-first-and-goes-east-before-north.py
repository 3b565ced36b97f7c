from lab import EAST, NORTH, SOUTH, WEST, Solver


class BFS(Solver):
    def solve(self, maze, search):
        doors = {
            cell: [move for move in (EAST, NORTH, SOUTH, WEST) if maze.is_valid_at(cell, move)]
            for cell in maze.dimension.all_positions()
        }
        ways = {maze.entry: []}
        for cell in (queue := [maze.entry]):
            for move in doors[cell]:
                if cell + move not in ways:
                    ways[cell + move] = [*ways[cell], move]
                    queue.append(cell + move)
        return ways.get(maze.exit)
