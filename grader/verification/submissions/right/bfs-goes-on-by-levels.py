from lab import MOVES, Solver


class BFS(Solver):
    def solve(self, maze, search):
        distance = {maze.entry: 0}
        level = [maze.entry]
        while level:
            further = []
            for cell in level:
                for move in maze.valid_moves_at(cell):
                    if cell + move not in distance:
                        distance[cell + move] = distance[cell] + 1
                        further.append(cell + move)
            level = further
        if maze.exit not in distance:
            return None
        way, cell = [], maze.exit
        while cell != maze.entry:
            for move in MOVES:
                before = cell + move.opposite()
                if distance.get(before) == distance[cell] - 1 and maze.is_clear(before, move):
                    way.insert(0, move)
                    cell = before
                    break
        return way
