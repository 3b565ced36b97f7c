from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        mine = maze.copy()
        return self.walk(mine, mine.entry)

    def walk(self, mine, position):
        if position == mine.exit:
            return []
        moves = mine.valid_moves_at(position)
        for move in moves:
            mine.build_wall(position, move)
        for move in moves:
            rest = self.walk(mine, position + move)
            if rest is not None:
                return [move] + rest
        return None
