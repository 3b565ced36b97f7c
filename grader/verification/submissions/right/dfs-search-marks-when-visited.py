from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        self.visited = set()
        if self.visit(maze, search.last_pending(), search):
            return search.moves_to(maze.exit)
        return None

    def visit(self, maze, position, search):
        self.visited.add(position)
        if maze.is_exit(position):
            return True
        for move in maze.valid_moves_at(position):
            neighbour = position + move
            if neighbour not in self.visited:
                search.record(position, move, neighbour)
                if self.visit(maze, search.last_pending(), search):
                    return True
        return False
