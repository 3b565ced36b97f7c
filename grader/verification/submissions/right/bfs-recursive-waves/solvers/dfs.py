from lab import Solver


class DFS(Solver):
    class Node:
        def __init__(self, position, move=None, parent=None):
            self.position, self.move, self.parent = position, move, parent

        def way(self):
            moves = []
            node = self
            while node.parent:
                moves.append(node.move)
                node = node.parent
            moves.reverse()
            return moves

    def solve(self, maze, search):
        stack, seen = [self.Node(maze.entry)], {maze.entry}
        while stack:
            node = stack.pop()
            if maze.is_exit(node.position):
                return node.way()
            children = []
            for move in maze.valid_moves_at(node.position):
                place = node.position + move
                if place not in seen:
                    seen.add(place)
                    children.append(self.Node(place, move, node))
            stack += reversed(children)
        return None
