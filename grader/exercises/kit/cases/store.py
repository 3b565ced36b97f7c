"""Examples and trials, cached on disk: the same grader always gets the same ones, so once is enough.

The file name covers everything that they depend on: the sources that draw, the version of Hypothesis, the
seed and the count. A file holds plain data after its digest, so a damaged one is made again. A file that
cannot be read or written does no harm.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from grader.shipped import digest
from lab.user_folders import user_folder

T = TypeVar("T")
MANY = 1000
"""Drawing this many examples takes long enough to say so."""


def kept(name: str, seed: int, count: int, draw: Callable[[], list[T]]) -> list[T]:
    """Return what ``draw`` returns, a list of plain data, cached on disk; from there, tuples come back as
    lists."""
    key = hashlib.sha256(f"{_sources()}|{name}|{seed}|{count}".encode()).hexdigest()[:32]
    place = folder()
    path = None if place is None else place / f"{key}.json"
    found: list[T] | None = None if path is None else _read(path)
    if found is not None:
        return found
    if count >= MANY:
        print(f"Drawing {count} examples of {name}; they are kept for the next time.", file=sys.stderr)
    drawn = draw()
    if path is not None:
        _keep(path, drawn)
    return drawn


def folder() -> Path | None:
    """Return the cache folder; None for a user without a home, who draws each time."""
    own = user_folder("XDG_CACHE_HOME", ".cache")
    return None if own is None else own / "maze-grader" / "cases"


def _read(path: Path) -> Any:
    try:
        told, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return json.loads(content) if told == _digest_of(content) else None


def _digest_of(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def _keep(path: Path, drawn: list[T]) -> None:
    partial = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        content = json.dumps(drawn).encode()
        partial.write_bytes(_digest_of(content) + b"\n" + content)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink()


@cache
def _sources() -> str:
    """Return a digest of all sources that affect what is drawn."""
    drawn_by = digest("grader/exercises", "lab", "reference")
    return f"{version('hypothesis')}|{sys.version}|{drawn_by}"
