"""Telling which learning platform a download comes from, by the names in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from grader.intake.names import is_junk
from grader.intake.regular_files import read_regular
from grader.platforms.base import Piece
from grader.platforms.registry import PLATFORMS

_TEXT_BYTES: Final = 64 * 1024
"""At most 64 KiB of a receipt are read."""


def _text(path: Path) -> str:
    try:
        return read_regular(path, _TEXT_BYTES, follow=False).decode("utf-8", "replace")
    except OSError:
        return ""


def is_left_behind(name: str) -> bool:
    """Tell whether a name at the top of a class is rubbish of a system or tool, and none of a platform.

    There are students whose first name is a dot.
    """
    return is_junk((name, "")) and (name.startswith("._") or not recognise([Path(name)], lambda _: "")[0])


def recognise(
    paths: Sequence[Path], text: Callable[[Path], str] = _text
) -> tuple[str, list[Piece], list[Path]]:
    """Tell the platform that named most of the paths, its pieces, and the paths that are none of it.

    The platform is "" where fewer than half of the paths are named by any. ``text`` gives the beginning of a
    receipt, where the paths are those of files.
    """
    best: tuple[str, list[Piece], list[Path]] = ("", [], list(paths))
    for name, platform in PLATFORMS.items():
        read = platform.reader(paths, text)
        found = [(path, read(path)) for path in paths]
        pieces = [piece for _, piece in found if piece is not None]
        if len(pieces) > len(best[1]) and 2 * len(pieces) >= len(paths):
            best = (name, pieces, [path for path, piece in found if piece is None])
    return best
