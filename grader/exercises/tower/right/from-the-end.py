def way(floors, start, end):
    """Number the cells by their distance from the end, then walk down the numbers."""
    distance = {end: 0}
    edge = [end]
    while edge:
        further = []
        for cell in edge:
            for other in around(floors, cell):
                if other not in distance:
                    distance[other] = distance[cell] + 1
                    further.append(other)
        edge = further
    if start not in distance:
        return None
    cells = [start]
    while cells[-1] != end:
        cells.append(min(around(floors, cells[-1]), key=lambda cell: distance[cell]))
    return cells


def around(floors, cell):
    level, row, column = cell
    here = floors[level - 1]
    found = []
    if column - 1 < len(here["west_east"][row - 1]) and here["west_east"][row - 1][column - 1]:
        found.append((level, row, column + 1))
    if column > 1 and here["west_east"][row - 1][column - 2]:
        found.append((level, row, column - 1))
    if row - 1 < len(here["north_south"]) and here["north_south"][row - 1][column - 1]:
        found.append((level, row + 1, column))
    if row > 1 and here["north_south"][row - 2][column - 1]:
        found.append((level, row - 1, column))
    if level < len(floors) and here["up_down"][row - 1][column - 1]:
        found.append((level + 1, row, column))
    if level > 1 and floors[level - 2]["up_down"][row - 1][column - 1]:
        found.append((level - 1, row, column))
    return found
