from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        mine = maze.copy()
        back = {}
        queue = [mine.entry]
        for position in queue:
            if mine.is_exit(position):
                break
            for move in mine.valid_moves_at(position):
                neighbour = position + move
                if neighbour != mine.entry and neighbour not in back:
                    back[neighbour] = move
                    queue.append(neighbour)
                mine.build_wall(position, move)
        else:
            return None
        way = []
        while position != mine.entry:
            way.insert(0, back[position])
            position += back[position].opposite()
        return way
