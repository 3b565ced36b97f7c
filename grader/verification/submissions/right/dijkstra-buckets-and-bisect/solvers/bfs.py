from bisect import insort
from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        distance = {maze.entry: 0}
        moves = {}
        queue = [maze.entry]
        while queue:
            cell = queue.pop(0)
            if cell == maze.exit:
                way = []
                while cell != maze.entry:
                    way.append(moves[cell])
                    cell = cell + moves[cell].opposite()
                return [*reversed(way)]
            for move in maze.valid_moves_at(cell):
                other = cell + move
                if other not in distance:
                    distance[other] = distance[cell] + 1
                    moves[other] = move
                    insort(queue, other, key=distance.get)
        return None
