from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        queue = [maze.entry]
        came = {maze.entry: None}
        while queue:
            cell = queue.pop(0)
            if cell == maze.exit:
                return self.back(came, cell)
            for move in maze.valid_moves_at(cell):
                neighbour = cell + move
                if neighbour not in came:
                    came[neighbour] = move
                    queue.append(neighbour)
        return None

    def back(self, came, cell):
        way = []
        while came[cell] is not None:
            way.append(came[cell])
            cell = cell + came[cell].opposite()
        return way[::-1]
