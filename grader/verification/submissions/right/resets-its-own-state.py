from lab import Solver


class BFS(Solver):
    queue = ()

    def __init__(self):
        self.queue = []
        self.came_by = {}

    def solve(self, maze, search):
        self.queue = [maze.entry]
        self.came_by = {maze.entry: None}
        while self.queue:
            cell = self.queue.pop(0)
            if cell == maze.exit:
                return self.way(cell)
            self.look_around(maze, cell)
        return None

    def look_around(self, maze, cell):
        for move in maze.valid_moves_at(cell):
            self.found(cell + move, move)

    def found(self, cell, move):
        if cell not in self.came_by:
            self.came_by[cell] = move
            self.queue.append(cell)

    def way(self, cell):
        move = self.came_by[cell]
        moves = []
        while move:
            moves.append(move)
            cell += move.opposite()
            move = self.came_by[cell]
        return moves[::-1]
