from collections import deque


class Cheapest:
    def solve(self, maze, search):
        queue, came_by = deque([maze.entry]), {maze.entry: None}
        while queue:
            cell = queue.popleft()
            if maze.is_exit(cell):
                moves = []
                while came_by[cell] is not None:
                    moves.append(came_by[cell])
                    cell = cell + came_by[cell].opposite()
                return moves[::-1]
            for move in maze.valid_moves_at(cell):
                if cell + move not in came_by:
                    came_by[cell + move] = move
                    queue.append(cell + move)
        return None
