from lab import EAST, NORTH, SOUTH, WEST, Solver


class DFS(Solver):
    def solve(self, *arguments):
        match arguments:
            case maze, _:
                stack = [(maze.entry, 0)]
        way, seen = [], {maze.entry}
        while stack:
            match stack.pop():
                case cell, _ if cell == maze.exit:
                    return way
                case cell, 4:
                    if way:
                        way.pop()
                case cell, turn:
                    stack.append((cell, turn + 1))
                    move = (NORTH, EAST, SOUTH, WEST)[turn]
                    if maze.is_clear(cell, move) and (new := cell + move) not in seen:
                        seen.add(new)
                        way.append(move)
                        stack.append((new, 0))
        return None
