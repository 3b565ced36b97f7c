from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        distance, way = {maze.entry: 0}, {maze.entry: []}
        pending = [maze.entry]
        while pending:
            cell = max(pending, key=distance.get)
            pending.remove(cell)
            if cell == maze.exit:
                return way[cell]
            for move in maze.valid_moves_at(cell):
                other = cell + move
                if distance[cell] + 1 < distance.get(other, 10**9):
                    if other not in distance:
                        pending.append(other)
                    distance[other] = distance[cell] + 1
                    way[other] = way[cell] + [move]
        return None
