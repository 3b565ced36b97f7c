"""Mazes that reveal a wrong cost: a way longer by two moves has less of what such a cost counts.

A search that counts something besides moves, such as turns, still finds shortest ways on nearly all randomly
drawn mazes. These were searched for it: with one cycle, two ways between entry and exit, and as much as
possible on the shorter one of turns, crossings, steps to one side and the like. All searches that add a third
or more of a move for one of those fail on some of them.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

FILE = "detours.toml"


@cache
def detours() -> dict[str, str]:
    """Return the mazes by what the shorter way has more of."""
    found: dict[str, str] = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return found
