from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        queue, known, came_from = [maze.entry], [maze.entry], [None]
        while len(queue) > 0:
            cell = queue.pop(0)
            if maze.is_exit(cell):
                way = []
                while came_from[known.index(cell)] != None:
                    move = came_from[known.index(cell)]
                    way.insert(0, move)
                    cell = cell + move.opposite()
                return way
            for move in maze.valid_moves_at(cell):
                if cell + move not in known:
                    known.append(cell + move)
                    came_from.append(move)
                    queue.append(cell + move)
        return None
