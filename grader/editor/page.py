"""The page as one HTML file that loads nothing and runs nothing but its own script."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from grader.course.exercises import WITH_MAZES
from grader.editor.opened import MOST, Opened

_STYLES: Final = (("grader.batch.report", "pages/staff.css"), (__package__, "files/editor.css"))
_SCRIPTS: Final = tuple(
    (__package__, f"files/{name}.js") for name in ("dom", "maze", "file", "board", "saving", "editor")
)


def render(opened: Opened, *, saves_to: Path | None) -> str:
    """Return the page; with ``saves_to`` it asks the server that it came from to save, and to grade."""
    style, script = _assets(_STYLES), _assets(_SCRIPTS)
    return (
        _environment()
        .get_template("editor.html.j2")
        .render(
            name=opened.fields.name,
            state=json.dumps(opened.as_data(), ensure_ascii=False),
            exercises=WITH_MAZES,
            most=MOST,
            saves=saves_to is not None,
            path=saves_to,
            style=style,
            script=script,
            style_hash=_sha256(style),
            script_hash=_sha256(script),
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("grader.editor", "files"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _assets(places: tuple[tuple[str, str], ...]) -> str:
    return "".join(files(package).joinpath(name).read_text(encoding="utf-8") for package, name in places)


def _sha256(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()
