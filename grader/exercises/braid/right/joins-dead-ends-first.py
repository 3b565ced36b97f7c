def braid(maze, rng):
    made = maze.copy()
    opened = True
    while opened:
        opened = False
        cells = list(maze.dimension.all_positions())
        rng.shuffle(cells)
        for cell in cells:
            if len(made.valid_moves_at(cell)) != 1:
                continue
            closed = [move for move in made.moves_at(cell) if made.is_wall(cell, move)]
            both = [move for move in closed if len(made.valid_moves_at(cell + move)) == 1]
            if closed:
                made.break_wall(cell, rng.choice(both or closed))
                opened = True
    return made
