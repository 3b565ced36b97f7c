from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        if not maze.has_exit():
            return None
        seen = {maze.entry}
        return self.go(maze, maze.entry, seen)

    def go(self, maze, position, seen):
        moves = maze.valid_moves_at(position)
        for move in moves:
            if position + move == maze.exit:
                return [move]
        for move in moves:
            if position + move not in seen:
                seen.add(position + move)
                rest = self.go(maze, position + move, seen)
                if rest is not None:
                    rest.insert(0, move)
                    return rest
        return None
