"""Finding what is to be called in the submission, and the Search that solvers are handed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final, NoReturn

from lab.watch import Watch, watched_searches

from .values import class_name, clean, describe

SEARCH_FILE: Final = "solvers/search.py"
SEARCH_NAME: Final = "Search"


class MissingError(Exception):
    """The target's file or name does not exist; ``kind`` says which, ``found`` what has the name."""

    def __init__(self, kind: str, message: str, found: str = "") -> None:
        super().__init__(message)
        self.kind, self.found = kind, found


class SearchNotLoaded(Exception):  # noqa: N818 - students read this name
    """A solver used its search, and there is none, since solvers/search.py is broken."""


Load = Callable[[str, str], ModuleType]
"""Imports a module of the submission, for the sake of a name in it."""


def find(files: Mapping[str, bytes], file: str, name: str, load: Load) -> Any:
    """Load a file of the submission, and return the object that it calls ``name``. Raises MissingError."""
    if file not in files:
        raise MissingError("no file", f"the file {file} was not handed in")
    module = load(file.removesuffix(".py").replace("/", "."), name)
    try:
        target = getattr(module, name)
    except AttributeError:
        raise MissingError("no name", f"{file} has no {name}") from None
    if not callable(target):
        found = describe(target)
        raise MissingError("no class", f"{file}: expected {name} to be a class, got {found}", found)
    return target


class _Unusable:
    """Stands in for a search that cannot be had: any use of it says why."""

    def __init__(self, reason: str) -> None:
        object.__setattr__(self, "reason", reason)

    def __getattribute__(self, name: str) -> NoReturn:
        raise SearchNotLoaded(object.__getattribute__(self, "reason"))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise SearchNotLoaded(object.__getattribute__(self, "reason"))


def searches(files: Mapping[str, bytes], load: Load) -> Callable[[Watch], Any]:
    """Return a function that makes new searches: watched ones of the submission, or stand-ins.

    A broken Search must not break solvers that keep their own queue. The file is loaded at the first use,
    within the limits of that call.
    """
    loaded: list[Callable[[Watch], Any]] = []

    def new_search(watch: Watch) -> Any:
        try:
            if not loaded:
                loaded.append(watched_searches(find(files, SEARCH_FILE, SEARCH_NAME, load)))
            return loaded[0](watch)
        except MemoryError:
            raise
        except BaseException:  # noqa: BLE001 - whatever leaves the student's file is told to who uses it
            return _Unusable(f"{SEARCH_FILE} could not be used: {_reason()}")

    return new_search


def _reason() -> str:
    error = sys.exc_info()[1]
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - a student's __str__ may do anything
        text = ""
    if isinstance(error, MissingError):
        return text
    return clean(f"{class_name(error)}: {text}" if text else class_name(error), 300)
