from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        path, seen, todo = [], set(), [("enter", maze.entry, None)]
        while todo:
            match todo.pop():
                case ("leave",):
                    path.pop()
                case ("enter", cell, _) if cell in seen:
                    pass
                case ("enter", cell, move):
                    seen.add(cell)
                    if move is not None:
                        path.append(move)
                        todo.append(("leave",))
                    if maze.is_exit(cell):
                        return path
                    todo += [("enter", cell + m, m) for m in reversed(maze.valid_moves_at(cell))]
        return None
