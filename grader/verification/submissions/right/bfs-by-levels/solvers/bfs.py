from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        distances = {maze.entry: 0}
        frontier = [maze.entry]
        step = 0
        while frontier and maze.exit not in distances:
            step += 1
            next_frontier = []
            for position in frontier:
                for move in maze.valid_moves_at(position):
                    if position + move not in distances:
                        distances[position + move] = step
                        next_frontier.append(position + move)
                        if maze.is_exit(position + move):
                            return self.walk_back(maze, distances)
            frontier = next_frontier
        return None

    def walk_back(self, maze, distances):
        position, way = maze.exit, []
        while position != maze.entry:
            for move in maze.valid_moves_at(position):
                if distances.get(position + move) == distances[position] - 1:
                    way.append(move.opposite())
                    position = position + move
                    break
        return way[::-1]
