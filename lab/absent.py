"""Stands in for what a file imports and is not there: ``lab/leftovers.py`` says when.

While files are loaded, what is taken from it, or called in it, is another stand-in, and a function that it
decorates is left as it is; any use in a call raises what importing it raised.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Final, NoReturn


class Absent:
    """What is not there, or was taken from it: any use in a call raises that it is not there."""

    __isabstractmethod__ = False  # asked of each attribute of a class that has an abstract base

    def __init__(self, error: ImportError, is_loading: Callable[[], bool], depth: int) -> None:
        vars(self).update(of=(error.with_traceback(None), is_loading), depth=depth)

    def __getattr__(self, name: str) -> Absent:
        (error, is_loading), depth = vars(self)["of"], vars(self)["depth"]
        if name.startswith("__") or not (depth or is_loading()):
            _refuse(self)
        return Absent(error, is_loading, max(0, depth - 1))


def _refuse(absent: Absent, *_: object, **_named: object) -> NoReturn:
    error, _is_loading = vars(absent)["of"]
    kind = ModuleNotFoundError if isinstance(error, ModuleNotFoundError) else ImportError
    raise kind(error.msg, name=error.name, path=error.path)


def _take(absent: Absent, *given: object, **named: object) -> object:
    """Return another stand-in while files are loaded; for a function that is decorated, the function."""
    if not vars(absent)["of"][1]():
        _refuse(absent)
    return given[0] if not named and len(given) == 1 and isinstance(given[0], FunctionType) else absent


_TAKEN: Final = ("__call__", "__getitem__", "__setitem__", "__setattr__", "__add__", "__radd__")

for _name in (
    *{name for kind in (int, float, list, set, dict) for name in {*dir(kind)} - {*dir(object)}},
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__str__", "__format__"),
    *("__call__", "__enter__", "__exit__", "__next__", "__setattr__", "__delattr__"),
    *("__mro_entries__", "__instancecheck__", "__subclasscheck__"),
):
    if _name.startswith("__"):
        setattr(Absent, _name, _take if _name in _TAKEN else _refuse)
