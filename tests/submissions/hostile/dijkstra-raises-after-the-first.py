calls = 0


class Dijkstra:
    def solve(self, maze, search):
        global calls
        calls += 1
        if calls > 1:
            raise RuntimeError("too many")
        return None
