"""The drawn cases of the public tests, and what is right there: what the files ``cases_of_....json`` hold.

They are of the kinds that the grade asks about; it has others of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from public_mazes import Cells, Situation

from lab.exercises import BY_ID, Kind

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """What a test asks of your code, and how large that is."""

    size: int
    given: Any
    """Situations, or a dimension with a seed, or a script."""
    kind: tuple[object, ...] = ()
    """What its mazes have in common with others."""
    may_not_end: bool = False
    """Whether a maze of it has a cycle, or no way: that code comes to an end there is the matter of the
    checks about that."""


@cache
def _data(kind: Kind) -> Any:
    return json.loads((HERE / f"cases_of_{kind}.json").read_text(encoding="utf-8"))


@cache
def _situation(kind: Kind, place: int) -> Situation:
    told = _data(kind)["mazes"][place]

    def cells(letters: str) -> Cells:
        numbers = [ord(letter) - ord("a") + 1 for letter in letters]
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    deep = [*map(cells, told.get("deep", ())), ()]
    return Situation(
        "",
        told.get("length"),
        depth_first=deep[0],
        breadth_first=cells(told.get("broad", "")),
        depth_first_when_entered=deep[1] if len(deep) > 2 else (),
        tried=cells(told.get("tried", "")),
        ways=tuple(dict.fromkeys((*told.get("ways", ()), *told.get("short", ())))),
        text=told["maze"],
        in_reach=cells(told.get("reach", "")),
        is_perfect="perfect" in told,
        may_not_end="cycle" in told or "length" not in told,
    )


def _case(kind: Kind, told: Any) -> Case:
    if kind == "script":
        return Case(told.count(" ") + 1, told)
    if kind == "maker":
        rows, columns, _ = told
        return Case(rows * columns, told)
    mazes = [_situation(kind, place) for place in told]
    kinds = tuple((each.is_perfect, each.may_not_end, each.length is None) for each in mazes)
    return Case(sum(each.cell_count for each in mazes), mazes, kinds, any(each.may_not_end for each in mazes))


@cache
def drawn(exercise: str, check: str) -> Sequence[Case]:
    """Return the cases of a check, the smallest first; none of a check that this course does not have."""
    kind = BY_ID[exercise].kind
    asked = _data(kind)["asked"].get(exercise, {}).get(check, ())
    return sorted((_case(kind, told) for told in asked), key=lambda case: case.size)


def controls(exercise: str) -> Sequence[Case]:
    """Return the cases that tell whether an exercise's work is done at all, as they are written down."""
    kind = BY_ID[exercise].kind
    return [_case(kind, told) for told in _data(kind)["asked"].get(exercise, {}).get("controls", ())]
