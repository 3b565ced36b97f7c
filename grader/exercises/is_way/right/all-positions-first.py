from itertools import accumulate


def is_way(maze, moves):
    positions = [*accumulate(moves, initial=maze.entry)]
    inside = all(maze.dimension.includes(position) for position in positions)
    return (
        inside
        and all(maze.is_valid_at(position, move) for position, move in zip(positions, moves))
        and maze.is_exit(positions[-1])
    )
