"""How learning platforms name what they hand out: a file's name tells whose it is, and when it came.

Canvas      name[_LATE]_userid_attachmentid_file, and name_userid_text.html for what was typed
Moodle      "Full Name_participantid_assignsubmission_file_/" or "…_file/"; without folders
            "Full Name_participantid_assignsubmission_file_lab.zip"
Blackboard  Assignment_user_attempt_YYYY-MM-DD-HH-MM-SS_file, and a receipt without _file, in .txt
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from grader.intake.regular_files import read_regular

_CANVAS: Final = re.compile(r"(?P<who>.+?)(?P<late>_LATE|_late)?_(?P<id>\d+)_(?P<file>\d+)_(?P<name>.+)")
_CANVAS_TEXT: Final = re.compile(r"(?P<who>.+?)(?P<late>_LATE|_late)?_(?P<id>\d+)_text\.html")
_MOODLE: Final = re.compile(
    r"(?P<who>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<name>.*))?"
)
_BLACKBOARD: Final = re.compile(
    r"(?P<before>.+)_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<name>.+)|(?P<receipt>\.txt))"
)
_RECEIPT_NAME: Final = re.compile(r"^Name:\s*(?P<who>.+?)\s*\((?P<user>[^()\n]+)\)\s*$", re.MULTILINE)
_RECEIPT_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Piece:
    """One file or folder of a bulk download."""

    path: Path
    student: str
    id: str
    """The platform's number or name of the student."""
    name: str
    """What the student called the file; empty for a folder, a receipt, or a typed answer."""
    order: tuple[str, int] = ("", 0)
    """Grows with time: what came later is greater."""
    submitted: datetime | None = None
    late: bool = False


Parse = Callable[[Path, Mapping[str, str]], "Piece | None"]


def recognise(paths: Sequence[Path]) -> tuple[str, list[Piece], list[Path]]:
    """Tell the platform that named most of the paths, its pieces, and the paths that are none of it.

    The platform is "" where fewer than half of the paths are named by any.
    """
    best: tuple[str, list[Piece], list[Path]] = ("", [], list(paths))
    for platform, parse in PLATFORMS.items():
        users = _users(paths) if platform == "blackboard" else {}
        pieces, others = [], []
        for path in paths:
            piece = parse(path, users)
            if piece is None:
                others.append(path)
            else:
                pieces.append(piece)
        if len(pieces) > len(best[1]) and 2 * len(pieces) >= len(paths):
            best = (platform, pieces, others)
    return best


def _canvas(path: Path, _users: Mapping[str, str]) -> Piece | None:
    found = _CANVAS.fullmatch(path.name)
    if found:
        late, number = bool(found["late"]), int(found["file"])
        return Piece(path, found["who"], found["id"], found["name"], ("", number), late=late)
    found = _CANVAS_TEXT.fullmatch(path.name)
    return Piece(path, found["who"], found["id"], "", late=bool(found["late"])) if found else None


def _moodle(path: Path, _users: Mapping[str, str]) -> Piece | None:
    found = _MOODLE.fullmatch(path.name)
    if found is None:
        return None
    typed = found["kind"] == "onlinetext"
    return Piece(path, found["who"], found["id"], "" if typed or path.is_dir() else found["name"] or "")


def _blackboard(path: Path, users: Mapping[str, str]) -> Piece | None:
    found = _BLACKBOARD.fullmatch(path.name)
    if found is None:
        return None
    try:
        submitted = datetime.strptime(found["time"], "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None
    known = [user for user in users if found["before"].endswith(f"_{user}")]
    user = max(known, key=len) if known else found["before"].rpartition("_")[2]
    order = (found["time"], 0)
    return Piece(path, users.get(user, user), user, found["name"] or "", order, submitted)


PLATFORMS: Final[Mapping[str, Parse]] = {"canvas": _canvas, "moodle": _moodle, "blackboard": _blackboard}


def _users(paths: Sequence[Path]) -> dict[str, str]:
    """Blackboard's users and their full names, from the receipts: both may hold underscores."""
    users = {}
    for path in paths:
        found = _BLACKBOARD.fullmatch(path.name)
        if found and found["receipt"]:
            try:
                text = read_regular(path, _RECEIPT_BYTES, follow=False).decode("utf-8", "replace")
            except OSError:
                continue
            named = _RECEIPT_NAME.search(text)
            if named and found["before"].endswith(f"_{named['user']}"):
                users[named["user"]] = named["who"]
    return users
