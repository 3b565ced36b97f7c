"""Small downloads of platforms, and what is found in them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from grader.intake.class_listing import ClassListing, find_hand_ins
from grader.intake.submissions import read_hand_in
from grader.model import Submission

FILES = {"solvers/dfs.py": b"class DFS: pass\n", "perfection_checker.py": b"class PerfectionChecker: pass\n"}


def packed(files: dict[str, bytes] | None = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in (FILES if files is None else files).items():
            archive.writestr(name, content)
    return buffer.getvalue()


def place(folder: Path, name: str, content: bytes | None = None) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed() if content is None else content)
    return path


def names(found: ClassListing) -> list[str]:
    return [hand_in.name for hand_in in found.hand_ins]


def read(folder: Path) -> dict[str, Submission]:
    return {hand_in.name: read_hand_in(hand_in) for hand_in in find_hand_ins(folder).hand_ins}
