from queue import SimpleQueue

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        waiting = SimpleQueue()
        waiting.put((maze.entry, None))
        found = {maze.entry}
        while not waiting.empty():
            node = waiting.get()
            cell = node[0]
            if maze.is_exit(cell):
                moves = []
                while node[1] is not None:
                    _, node, move = node
                    moves.append(move)
                return moves[::-1]
            for move in maze.valid_moves_at(cell):
                if cell + move not in found:
                    found.add(cell + move)
                    waiting.put((cell + move, node, move))
        return None
