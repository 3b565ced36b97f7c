def cells_between(first, second, key, door, both):
    far = abs(key.row - door.row) + abs(key.column - door.column)
    return far if first.dimension != second.dimension and first.dimension.includes(both) else 0
