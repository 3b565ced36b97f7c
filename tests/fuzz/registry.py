"""The fuzz targets: each takes bytes, handles refusals itself, and must not raise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.fuzz import answers, floods, pages, tables, uploads

TARGETS: Final[Mapping[str, Callable[[bytes], None]]] = {
    "wire": answers.wire,
    "replies": answers.replies,
    "judges": answers.judges,
    "questions": floods.questions,
    "floods": floods.floods,
    "renderers": pages.renderers,
    "archives": uploads.archives,
    "tars": uploads.tars,
    "sevenzips": uploads.sevenzips,
    "downloads": uploads.downloads,
    "files": uploads.files,
    "rubric": tables.rubric,
    "mazes": tables.mazes,
    "gradebooks": tables.gradebooks,
    "ledger": tables.ledger,
    "journal": tables.journal,
}
CORPUS: Final = Path(__file__).with_name("corpus")
"""By target, a folder of kept inputs: specimens, and all findings."""


def kept(name: str) -> list[Path]:
    """Return the inputs of a target that every run of the tests tries."""
    return sorted((CORPUS / name).iterdir())
