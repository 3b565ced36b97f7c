from math import inf

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        dist = {cell: inf for cell in maze.dimension.all_positions()}
        move_to = dict.fromkeys(dist)
        dist[maze.entry] = 0
        pending = [maze.entry]
        finished = []
        while pending:
            nearest = pending[0]
            for cell in pending:
                if dist[cell] < dist[nearest]:
                    nearest = cell
            pending.remove(nearest)
            finished.append(nearest)
            if nearest == maze.exit:
                break
            for move in maze.valid_moves_at(nearest):
                cell = nearest + move
                if dist[nearest] + 1 < dist[cell]:
                    if dist[cell] is inf:
                        pending.append(cell)
                    dist[cell] = dist[nearest] + 1
                    move_to[cell] = move
        if maze.exit is None or dist[maze.exit] == inf:
            return None
        way = []
        cell = maze.exit
        while move_to[cell] is not None:
            way.append(move_to[cell])
            cell += move_to[cell].opposite()
        way.reverse()
        return way
