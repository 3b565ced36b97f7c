"""The page as one HTML file that loads nothing and runs nothing but its own script."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from grader.batch.report.templates import standalone
from grader.course.yaml.source import MAX_BYTES
from grader.editor.maze_document import MOST_ROWS_OR_COLUMNS, MazeDocument
from lab.exercises import BY_ID, SOLVER_IDS

_STYLES: Final = (
    ("lab.render", "theme.css"),
    ("grader.batch.report", "pages/staff.css"),
    (__package__, "files/editor.css"),
)
_SCRIPTS: Final = tuple(
    (__package__, f"files/{name}.js") for name in ("dom", "maze", "file", "board", "saving", "editor")
)

_SOLVERS: Final = tuple(BY_ID[id_] for id_ in SOLVER_IDS)
"""The lab's solvers: depth-first ones share a visit order, all others another."""


def render(opened: MazeDocument, *, saves_to: Path | None) -> str:
    """Render the page; with ``saves_to`` it can ask its server to save the maze and to grade it."""
    return standalone(
        "grader.editor",
        "files/editor.html.j2",
        _assets(_STYLES),
        _assets(_SCRIPTS),
        name=opened.fields.name,
        state=json.dumps(opened.as_data(), ensure_ascii=False),
        exercises=opened.offered,
        deep=[each for each in _SOLVERS if each.goes_deep],
        broad=[each for each in _SOLVERS if not each.goes_deep],
        most=MOST_ROWS_OR_COLUMNS,
        most_bytes=MAX_BYTES,
        saves=saves_to is not None,
        path=saves_to,
    )


@cache
def _assets(places: tuple[tuple[str, str], ...]) -> str:
    return "".join(files(package).joinpath(name).read_text(encoding="utf-8") for package, name in places)
