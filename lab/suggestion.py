"""What Python proposes where an attribute is not there, as it prints it: "Did you mean: '_distances'?".

The text of an exception lacks it, Python 3.11 has no function for it, and later ones take other names. It is
computed here as CPython does (``traceback.py``, ``Python/suggestions.c``), so that it is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from traceback import walk_tb
from typing import Final

_MOST_NAMES, _LONGEST = 750, 40
"""Objects with 750 names and more, and names of more than 40 letters, are not looked into."""
_MOVE, _CASE = 2, 1
"""What it costs to put in, leave out or change a letter, or only its case."""
_OPENING: Final = ". Did you mean: '"


def suggestion(error: BaseException | None) -> str:
    """Return what Python adds to the message of an exception; "" where it adds nothing."""
    if type(error) is not AttributeError or type(error.name) is not str or len(error.name) > _LONGEST:
        return ""
    best, least = "", 0
    for name in _names(error, error.name):
        most = (len(error.name) + len(name) + 3) * _MOVE // 6
        most = min(most, least - 1) if best else most
        cost = _cost(error.name, name) if abs(len(error.name) - len(name)) * _MOVE <= most else most + 1
        if cost <= most:
            best, least = name, cost
    return f"{_OPENING}{best}'?" if best else ""


def suggested(message: str) -> str:
    """Return the name that is proposed at the end of a message; "" if none is."""
    _, opening, name = message.rpartition(_OPENING)
    return name.removesuffix("'?") if opening else ""


def _names(error: AttributeError, wrong: str) -> Iterator[str]:
    """Yield the names that the object has; those with an underscore only to itself, or who wrote one."""
    try:
        found = sorted(name for name in dir(error.obj) if type(name) is str)
    except Exception:  # noqa: BLE001 - a student's __dir__ may do anything
        return
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    is_own = bool(frames) and frames[-1].f_locals.get("self") is error.obj
    if len(found) < _MOST_NAMES:
        for name in found:
            if name != wrong and len(name) <= _LONGEST and (is_own or wrong[:1] == "_" or name[0] != "_"):
                yield name


def _cost(one: str, other: str) -> int:
    """Return what it costs to make one name of the other: Levenshtein's distance."""
    row = [_MOVE * number for number in range(len(other) + 1)]
    for place, letter in enumerate(one, 1):
        before, row[0] = row[0], _MOVE * place
        for number, wanted in enumerate(other, 1):
            alike = letter.lower() == wanted.lower()
            change = 0 if letter == wanted else _CASE if alike else _MOVE
            before, row[number] = (
                row[number],
                min(before + change, row[number] + _MOVE, row[number - 1] + _MOVE),
            )
    return row[-1]
