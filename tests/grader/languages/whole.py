"""The languages that must be complete: those with all catalogues, not those just begun."""

from __future__ import annotations

from pathlib import Path

from grader import languages as module
from grader.languages import DEFAULT, languages

_FOLDER = Path(module.__file__).parent


def catalogues_of(code: str) -> set[str]:
    return {path.name for path in (_FOLDER / code).glob("*.toml")}


WHOLE = [code for code in languages() if catalogues_of(code) == catalogues_of(DEFAULT)]
