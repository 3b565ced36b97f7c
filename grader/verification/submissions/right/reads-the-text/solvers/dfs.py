from solvers.picture import read


class DFS:
    def solve(self, maze, search):
        open_moves, start, goal = read(maze)
        path, seen = [], set()

        def walk(cell):
            seen.add(cell)
            if cell == goal:
                return True
            for move in open_moves(cell):
                if cell + move not in seen:
                    path.append(move)
                    if walk(cell + move):
                        return True
                    path.pop()
            return False

        return path if walk(start) else None
