class PerfectionChecker:
    def is_perfect(self, maze):
        seen = {maze.entry}
        todo = [maze.entry]
        edges = 0
        while todo:
            c = todo.pop()
            for m in maze.valid_moves_at(c):
                edges += 1
                if c + m not in seen:
                    seen.add(c + m)
                    todo.append(c + m)
        if len(seen) == maze.dimension.position_count and edges == 2 * (len(seen) - 1):
            print("The maze is perfect")
        else:
            print("The maze is not perfect")
