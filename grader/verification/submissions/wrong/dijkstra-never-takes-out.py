from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        distance, ways = {maze.entry: 0}, {maze.entry: []}
        waiting = [maze.entry]
        while waiting:
            cell = min(waiting, key=distance.get)
            if cell == maze.exit:
                return ways[cell]
            for move in maze.valid_moves_at(cell):
                known = distance.get(cell + move, maze.dimension.position_count)
                if distance[cell] + 1 < known:
                    distance[cell + move] = distance[cell] + 1
                    ways[cell + move] = ways[cell] + [move]
                    waiting.append(cell + move)
        return None
