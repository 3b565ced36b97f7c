from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        distance = {maze.entry: 0}
        waiting = [maze.entry]
        while waiting and maze.exit not in distance:
            cell = waiting.pop(0)
            for move in maze.valid_moves_at(cell):
                if cell + move not in distance:
                    distance[cell + move] = distance[cell] + 1
                    waiting.append(cell + move)
        if maze.exit not in distance:
            return None
        cell, way = maze.exit, []
        while cell != maze.entry:
            for move in maze.valid_moves_at(cell):
                if distance.get(cell + move) == distance[cell] - 1:
                    break
            way.append(move.opposite())
            cell = cell + move
        return way[::-1]
