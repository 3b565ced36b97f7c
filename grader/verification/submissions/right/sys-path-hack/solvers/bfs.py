import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from util import explore

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.first_pending()
            if maze.is_exit(cell):
                return search.moves_to(cell)
            for move, neighbour in explore(maze, cell):
                search.record(cell, move, neighbour)
