def is_way(maze, moves):
    here = maze.entry
    for move in moves:
        if move in maze.valid_moves_at(here):
            here += move
        else:
            return False
    return maze.has_exit() and here == maze.exit
