from lab import MOVES, Solver, Vector


class DFS(Solver):
    def solve(self, maze, search):
        width = maze.dimension.column_count + 2
        seen = 0

        def bit(z):
            return 1 << (int(z.real) * width + int(z.imag))

        def go(z):
            nonlocal seen
            seen |= bit(z)
            cell = Vector(int(z.real), int(z.imag))
            if cell == maze.exit:
                return ()
            for m in MOVES:
                n = z + complex(m.row, m.column)
                if (
                    maze.dimension.includes(Vector(int(n.real), int(n.imag)))
                    and maze.is_clear(cell, m)
                    and not seen & bit(n)
                ):
                    rest = go(n)
                    if rest is not None:
                        return (m, *rest)
            return None

        way = go(complex(*maze.entry))
        return None if way is None else list(way)
