class DFS:
    def solve(self, maze, search):
        stack = [(maze.entry, None)]
        visited = set()
        while stack:
            position, trail = stack.pop()
            if position in visited:
                continue
            visited.add(position)
            if maze.is_exit(position):
                way = []
                while trail is not None:
                    trail, move = trail
                    way.insert(0, move)
                return way
            for move in maze.valid_moves_at(position)[::-1]:
                if position + move not in visited:
                    stack.append((position + move, (trail, move)))
        return None
