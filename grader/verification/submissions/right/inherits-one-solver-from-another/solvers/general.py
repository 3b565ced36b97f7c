from abc import abstractmethod

from lab import Solver


class General(Solver):
    reverse = False

    @abstractmethod
    def next_from(self, search): ...

    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = self.next_from(search)
            if maze.is_exit(cell):
                return search.moves_to(cell)
            moves = list(maze.valid_moves_at(cell))
            if self.reverse:
                moves.reverse()
            for move in moves:
                search.record(cell, move, cell + move)
        return None
