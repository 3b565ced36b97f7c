"""Towers by their doors: perfect ones, ones with more doors, and ones with a door less than they need."""

from __future__ import annotations

from random import Random

from reference.three_dimensions import Cell, Tower, make, solve

Cases = list[dict[str, object]]
EACH = 10


def on_one_floor(rng: Random) -> Cases:
    """Draw ways on a single floor."""
    sizes = [(1, rows, columns) for rows in (1, 2, 3) for columns in (2, 3, 4)]
    return [_case(make(*size, rng), rng) for size in sizes for _ in range(2)]


def up_and_down(rng: Random) -> Cases:
    """Draw ways through several floors, of which some go up as well as down."""
    return [_case(make(levels, 3, 3, rng), rng) for levels in (2, 2, 3, 4) for _ in range(EACH)]


def several_ways(rng: Random) -> Cases:
    """Draw ways where doors more than a tree has make some ways shorter than others."""
    found = []
    for number in range(3 * EACH):
        tower = make(2 + number % 3, 3, 2 + number % 2, rng)
        for matrix in (tower.north_south, tower.west_east, tower.up_down):
            for row in (row for level in matrix for row in level):
                row[:] = [door or rng.random() < 0.25 for door in row]
        found.append(_case(tower, rng))
    return found


def ways_and_none(rng: Random) -> Cases:
    """Draw towers of which one has a way, and the next is the same but for one door on it."""
    found: Cases = []
    while len(found) < 3 * EACH:
        tower = make(2, 3, 3, rng)
        start, end = rng.sample([*tower.cells()], 2)
        way = solve(tower, start, end) or []
        found.append(_told(tower, start, end))
        place = rng.randrange(len(way) - 1)
        _shut(tower, *sorted(way[place : place + 2]))
        found.append(_told(tower, start, end))
    return found


def _shut(tower: Tower, near: Cell, far: Cell) -> None:
    """Close the door between two cells; it stands at the lesser one."""
    same = [one == other for one, other in zip(near, far, strict=True)]
    matrix = (tower.up_down, tower.north_south, tower.west_east)[same.index(False)]
    matrix[near.level - 1][near.row - 1][near.column - 1] = False


def _case(tower: Tower, rng: Random) -> dict[str, object]:
    cells = [*tower.cells()]
    return _told(tower, rng.choice(cells), rng.choice(cells))


def _told(tower: Tower, start: Cell, end: Cell) -> dict[str, object]:
    """Return a case as plain data, one floor beside the other."""
    floors = [
        {
            "north_south": [[*row] for row in north_south],
            "west_east": [[*row] for row in west_east],
            "up_down": [[*row] for row in up_down],
        }
        for north_south, west_east, up_down in zip(
            tower.north_south, tower.west_east, [*tower.up_down, []], strict=True
        )
    ]
    return {"floors": floors, "start": tuple(start), "end": tuple(end)}
