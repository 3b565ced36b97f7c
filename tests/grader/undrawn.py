"""Reports whose plots are not drawn: drawing is most of their work, and tests of the plots hold it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from grader.batch.report import class_facts


@contextmanager
def drawn(path: Path, *, metadata: Mapping[str, str], **_: object) -> Iterator[MagicMock]:
    """Write only what tells whether a plot is drawn anew."""
    yield MagicMock()
    path.write_text(metadata["Description"])


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_facts, "drawing", drawn)
