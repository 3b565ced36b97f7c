def neighbours(maze, cell):
    return [(move, cell + move) for move in maze.valid_moves_at(cell)]


def everything_from(maze, start):
    found = [start]
    known = {start}
    for cell in found:
        for _, other in neighbours(maze, cell):
            if other not in known:
                known.add(other)
                found.append(other)
    return known
