"""Judge whether cells are a shortest way through a tower, and report the first step that is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

Judged = tuple[str, Mapping[str, object]] | None
DOORS = {(1, 0, 0): "up_down", (0, 1, 0): "north_south", (0, 0, 1): "west_east"}


def judge(arguments: Mapping[str, Any], returned: Any, expected: Any) -> Judged:
    """Return what is wrong with a way; None where it is as short as the right one."""
    ends = {"start": _text(arguments["start"]), "end": _text(arguments["end"])}
    if returned is None:
        return None if expected is None else ("gives_up", ends)
    if not isinstance(returned, (list, tuple)) or not all(map(_is_cell, returned)):
        return "no_cells", {"value": returned}
    cells = [tuple(cell) for cell in returned]
    if cells[:1] != [arguments["start"]] or cells[-1:] != [arguments["end"]]:
        return "other_ends", ends
    for number, (one, other) in enumerate(pairwise(cells), start=1):
        step = {"number": number, "one": _text(one), "other": _text(other)}
        near, far = sorted((one, other))
        name = DOORS.get((far[0] - near[0], far[1] - near[1], far[2] - near[2]))
        if name is None:
            return "no_step", step
        if not _is_open(arguments["floors"], name, near):
            return "shut", {**step, "door": f"floors[{near[0] - 1}]['{name}'][{near[1] - 1}][{near[2] - 1}]"}
    return None if len(cells) == len(expected) else ("longer", {"count": len(cells), "wanted": len(expected)})


def _is_cell(value: Any) -> bool:
    size = len(DOORS)
    return (
        isinstance(value, (list, tuple)) and len(value) == size and all(type(each) is int for each in value)
    )


def _text(cell: Sequence[int]) -> str:
    return f"({', '.join(map(str, cell))})"


def _is_open(floors: Sequence[Any], name: str, cell: Sequence[int]) -> bool:
    level, row, column = (number - 1 for number in cell)
    matrix = floors[level][name] if 0 <= level < len(floors) else ()
    return 0 <= row < len(matrix) and 0 <= column < len(matrix[row]) and matrix[row][column]
