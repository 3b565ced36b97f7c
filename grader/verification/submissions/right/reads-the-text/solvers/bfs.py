from .picture import read


class BFS:
    def solve(self, maze, search):
        open_moves, start, goal = read(maze)
        layer, back = [start], {start: None}
        while layer:
            following = []
            for cell in layer:
                for move in open_moves(cell):
                    if cell + move not in back:
                        back[cell + move] = move
                        following.append(cell + move)
            layer = following
        if goal not in back:
            return None
        way = []
        while goal != start:
            way.append(back[goal])
            goal = goal - back[goal] if hasattr(goal, "__sub__") else goal + back[goal].opposite()
        return list(reversed(way))
