def count_dead_ends(maze):
    return sum(len(maze.valid_moves_at(cell)) == 1 for cell in maze.dimension.all_positions())
