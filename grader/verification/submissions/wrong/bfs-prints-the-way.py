from lab import Solver

class BFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            p = search.first_pending()
            if maze.is_exit(p):
                print("Solution:", search.moves_to(p))
                return
            for m in maze.valid_moves_at(p):
                search.record(p, m, p + m)
        print("No solution")
