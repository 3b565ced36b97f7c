"""The colours of standalone pictures, on white; those of pages are in ``theme.css``."""

from __future__ import annotations

from typing import Final

PAPER: Final = "#fff"
WALL: Final = "#1b1b1b"
"""The colour of walls, and of the text around pictures."""
NUMBER: Final = "#444"
"""The colour of the numbers of rows and columns."""
LINE: Final = "#767676"
"""The colour of lines in tables beside pictures."""
ENTRY: Final = "#0b5394"
EXIT: Final = "#b00020"
SOLUTION: Final = "#107c2d"
NODE: Final = "#5b6472"
"""The colour of nodes and edges of a maze drawn as a graph."""

# --- in films -----------------------------------------------------------------------------------------

JOINED: Final = "#ffffff"
VISITED: Final = "#bfdcf7"
WAY: Final = "#7fd197"
WALKED: Final = "#ffe08a"
GROUND: Final = "#d5d9df"
"""The colour of cells that are not part of the maze yet."""
MARKER: Final = "#c2410c"
"""The colour of the dot that marks where something happens."""
