def spread(maze, costs, start, size):
    known, pending = {start: 0}, [start]
    known[start] = size[0] - size[1]
    while pending:
        cell = min(pending, key=known.get)
        pending.remove(cell)
        for move in maze.valid_moves_at(cell):
            there = cell + move
            found = known[cell] + costs[there]
            if there not in known or found < known[there]:
                known[there] = found
                pending.append(there)
    return known
