from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        here, way, seen = maze.entry, [], {maze.entry}
        while not maze.is_exit(here):
            forward = [m for m in maze.valid_moves_at(here) if here + m not in seen]
            if forward:
                way.append(forward[0])
                here += forward[0]
                seen.add(here)
            elif way:
                here += way.pop().opposite()
            else:
                return None
        return way
