class PerfectionChecker:
    def is_perfect(self, maze):
        depth = {maze.entry: 0}
        stack = [(maze.entry, iter(maze.valid_moves_at(maze.entry)))]
        while stack:
            cell, moves = stack[-1]
            for move in moves:
                neighbour = cell + move
                if neighbour not in depth:
                    depth[neighbour] = depth[cell] + 1
                    stack.append((neighbour, iter(maze.valid_moves_at(neighbour))))
                    break
                if depth[cell] - depth[neighbour] > 3:  # nearer ones were just left
                    return False
            else:
                stack.pop()
        return len(depth) == maze.dimension.position_count
