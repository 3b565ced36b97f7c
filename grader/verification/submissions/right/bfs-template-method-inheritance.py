from abc import abstractmethod
from lab import Solver


class _Base(Solver):
    @abstractmethod
    def take(self, search): ...
    def order(self, moves):
        return moves

    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        for cell in iter(lambda: self.take(search) if search.has_pending_cells() else None, None):
            if maze.is_exit(cell):
                return search.moves_to(cell)
            for m in self.order(maze.valid_moves_at(cell)):
                search.record(cell, m, cell + m)
        return None


class BFS(_Base):
    def take(self, search):
        return search.first_pending()
