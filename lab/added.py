"""The exercises of a course that are not the lab's own; written anew where a kit is made for it."""

from typing import Final, Literal

_Calls = tuple[tuple[str, tuple[str, ...]], ...]

ADDED: Final[tuple[tuple[str, str, str, str, Literal["own", "answer"], _Calls], ...]] = ()
"""Of each its id, title, file, the class or function in it, its kind, and what is called with what."""
