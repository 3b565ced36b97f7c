"""Where a user's own files lie, as the XDG base directory specification has it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def user_folder(variable: str, otherwise: str) -> Path | None:
    """The folder that a variable names, or else one at home.

    None for a user who has neither, as a bare number in a container. Relative ones count as none: they would
    be another folder wherever the command is given.
    """
    named = Path(os.environ.get(variable, ""))
    if named.is_absolute():
        return named
    with suppress(RuntimeError):
        home = Path.home()
        if home.is_absolute():
            return home / otherwise
    return None
