from collections import deque

import lab


class BFS(lab.Solver):
    def solve(self, labyrint, _):
        came_by = {labyrint.entry: None}
        queue = deque([labyrint.entry])
        while queue:
            position = queue.popleft()
            if position == labyrint.exit:
                return self.way_back(came_by, position)
            for move in labyrint.valid_moves_at(position):
                neighbour = position + move
                if neighbour not in came_by:
                    came_by[neighbour] = move
                    queue.append(neighbour)
        return None

    def way_back(self, came_by, position):
        moves = []
        while came_by[position] is not None:
            move = came_by[position]
            moves.append(move)
            position = position + move.opposite()
        moves.reverse()
        return moves
