"""The exercises of a course that are not the lab's own; written anew where a kit is made for it."""

from typing import Final

ADDED: Final[tuple[tuple[str, str, str, str], ...]] = ()
"""Of each its id, its title, its file and the class in it."""
