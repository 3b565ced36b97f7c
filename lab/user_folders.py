"""Folders for a user's own files, by the XDG base directory specification."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def user_folder(variable: str, otherwise: str) -> Path | None:
    """Return the folder that a variable names, or else one below the home folder.

    None for a user who has neither, such as a bare number in a container. Relative paths are ignored: they
    would depend on the current folder.
    """
    named = Path(os.environ.get(variable, ""))
    if named.is_absolute():
        return named
    with suppress(RuntimeError):
        home = Path.home()
        if home.is_absolute():
            return home / otherwise
    return None
