"""The scratch folder between two processes: empty, and as it was, or the box is given up.

Theory of operation. What one process leaves there the next could read: files, folders that are locked or
nested deeper than a path may be long, and what the folder itself carries, its mode, its attributes and its
times. Nobody else lives in the box when this is done, so a walk by single names, down and up again, meets
what is there and nothing else.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import Final

_OWN: Final = 0o700


class Scratch:
    """One folder that the processes of a submission may write to."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._mode, self._attributes = _mode(folder), _attributes(folder)

    def clear(self) -> bool:
        """Empty the folder and restore it as it was; tell whether that worked."""
        with suppress(OSError):
            os.chmod(self._folder, _OWN)  # noqa: PTH101 - pathlib is slow to load
            for name in _attributes(self._folder) - self._attributes:
                os.removexattr(self._folder, name)
            os.chdir(self._folder)
            os.mkdir("last")  # noqa: PTH102 - the folder's time is that of this moment, whatever was written
        with suppress(OSError):
            _empty_here()
            os.chdir(self._folder)
            os.chmod(self._folder, self._mode)  # noqa: PTH101
        return self._is_as_it_was()

    def _is_as_it_was(self) -> bool:
        try:
            is_empty = not os.listdir(self._folder)  # noqa: PTH208
            return (
                is_empty
                and _mode(self._folder) == self._mode
                and _attributes(self._folder) == self._attributes
            )
        except OSError:
            return False


def _empty_here() -> None:
    """Remove all that lies in the current folder."""
    ways: list[tuple[str, list[str]]] = [("", _folders_left())]
    while ways:
        name, folders = ways[-1]
        if folders:
            inner = folders.pop()
            os.chmod(inner, _OWN)  # noqa: PTH101
            os.chdir(inner)
            ways.append((inner, _folders_left()))
        else:
            ways.pop()
            if ways:
                os.chdir("..")
                os.rmdir(name)  # noqa: PTH106


def _folders_left() -> list[str]:
    """Remove the files in the current folder, and return its folders."""
    folders = []
    for name in os.listdir():  # noqa: PTH208
        if stat.S_ISDIR(os.lstat(name).st_mode):
            folders.append(name)
        else:
            os.unlink(name)  # noqa: PTH108
    return folders


def _mode(folder: str) -> int:
    return stat.S_IMODE(os.lstat(folder).st_mode)


def _attributes(folder: str) -> frozenset[str]:
    """Return the names of the extended attributes, access control lists among them."""
    try:
        return frozenset(os.listxattr(folder))
    except (AttributeError, OSError):  # not Linux, or a file system without such
        return frozenset()
