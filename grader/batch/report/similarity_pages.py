"""Similar submissions with a page for each pair, stored with the results until somebody's code changes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, Final

from grader.batch.earlier_work import earlier_codes
from grader.batch.report.side_by_side import side_by_side
from grader.batch.report.similar_groups import Alike, AlikeGroup, group_similar, with_pages
from grader.batch.report.similarity import Codes, Pair, can_compare
from grader.disk import write_whole
from grader.errors import GraderError

FILE: Final = ".alike.json"
FOLDER: Final = "alike"
_FORM: Final = 3
"""The version of the file and of the comparison; changing it discards what is stored."""


def find_similar(out: Path, codes: Codes, against: Path | None) -> Alike:
    """Return the similar submissions of a class, stored or recomputed.

    Their pages exist when this returns.
    """
    key = _key(codes, against)
    stored = _load(out, key)
    if stored is not None:
        return stored
    earlier, trouble = _earlier(against)
    found = with_pages(group_similar(codes, earlier), f"{FOLDER}/{{}}.html")
    found = Alike(found.groups, "; ".join(filter(None, (found.note, trouble))))
    wanted = {name for group in found.groups for pair in group.pairs for name in (pair.one, pair.other)}
    _write_pages(out, found, {name: code for name, code in chain(codes, earlier) if name in wanted})
    write_whole(out / FILE, json.dumps({"key": key, "alike": asdict(found)}).encode())
    return found


def _earlier(against: Path | None) -> tuple[list[tuple[str, bytes]], str]:
    """Return the code of earlier work, and the reason if it cannot be read."""
    try:
        return earlier_codes(against) if against else [], ""
    except (GraderError, OSError) as error:
        return [], f"earlier work could not be compared: {error}"


def _key(codes: Codes, against: Path | None) -> str:
    """Return a digest of all that is compared; for earlier work, only of the sizes and times of its files."""
    digest = hashlib.sha256(f"{_FORM}|{can_compare()}|{against}".encode())
    for name, code in codes:
        digest.update(f"|{name}|{hashlib.sha256(code).hexdigest()}".encode("utf-8", "surrogatepass"))
    for path in sorted(against.rglob("*")) if against and against.is_dir() else filter(None, [against]):
        if path.is_file():
            found = path.stat()
            digest.update(f"|{path}|{found.st_size}|{found.st_mtime_ns}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _load(out: Path, key: str) -> Alike | None:
    """Return the stored comparison with this key if its pages are complete; else None."""
    try:
        data = json.loads((out / FILE).read_bytes())
        found = _alike(data["alike"]) if data["key"] == key else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    pairs = (pair for group in (found.groups if found else ()) for pair in group.pairs)
    return found if all((out / pair.page).is_file() for pair in pairs) else None


def _alike(data: dict[str, Any]) -> Alike:
    groups = (
        AlikeGroup(tuple(each["names"]), each["text"], tuple(Pair(**pair) for pair in each["pairs"]))
        for each in data["groups"]
    )
    return Alike(tuple(groups), data["note"])


def _write_pages(out: Path, alike: Alike, codes: dict[str, bytes]) -> None:
    """Write a page for each pair, and delete those of an earlier comparison."""
    folder, written = out / FOLDER, set()
    for group in alike.groups:
        for pair in group.pairs:
            folder.mkdir(exist_ok=True)
            page = side_by_side(pair, group.text, codes[pair.one], codes[pair.other])
            write_whole(out / pair.page, page.encode())
            written.add(out / pair.page)
    for path in folder.glob("*.html"):
        if path not in written:
            path.unlink()
