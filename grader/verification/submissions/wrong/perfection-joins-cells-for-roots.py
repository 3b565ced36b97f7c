class PerfectionChecker:
    def is_perfect(self, maze):
        parent = {c: c for c in maze.dimension.all_positions()}

        def find(c):
            while parent[c] != c:
                c = parent[c]
            return c

        edges = 0
        for c in maze.dimension.all_positions():
            for m in maze.valid_moves_at(c):
                n = c + m
                if c < n:
                    edges += 1
                    if find(c) == find(n):
                        return False
                    parent[c] = n
        return edges == len(parent) - 1
