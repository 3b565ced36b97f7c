from lab import Vector


class PerfectionChecker:
    def is_perfect(self, maze):
        rows, columns = maze.dimension.row_count, maze.dimension.column_count
        label = [[r * columns + c for c in range(columns)] for r in range(rows)]
        members = {n: [(n // columns, n % columns)] for n in range(rows * columns)}
        for r in range(rows):
            for c in range(columns):
                for dr, dc in ((0, 1), (1, 0)):
                    if not (r + dr < rows and c + dc < columns):
                        continue
                    if maze.is_wall(Vector(r + 1, c + 1), Vector(dr, dc)):
                        continue
                    one, two = label[r][c], label[r + dr][c + dc]
                    if one == two:
                        return False
                    if len(members[one]) < len(members[two]):
                        one, two = two, one
                    for a, b in members.pop(two):
                        label[a][b] = one
                        members[one].append((a, b))
        return len(members) == 1
