from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        pending = [maze.entry]
        ways = {maze.entry: []}
        while pending:
            cell = min(pending, key=lambda each: len(ways[each]))
            pending.remove(cell)
            if cell == maze.exit:
                return ways[cell]
            for move in maze.valid_moves_at(cell):
                way = ways[cell] + [move]
                if cell + move not in ways or len(way) < len(ways[cell + move]):
                    ways[cell + move] = way
                    pending.append(cell + move)
        return None
