"""Similar submissions with a page for each pair, stored with the results until somebody's code changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Final

from grader.batch.earlier_work import earlier_codes
from grader.batch.job import files_in
from grader.batch.laid_out import as_text
from grader.batch.report.similar_groups import Alike, AlikeGroup, group_similar, with_pages
from grader.batch.report.similarity import Codes, Pair, can_compare, shared_lines
from grader.batch.report.templates import render
from grader.disk import write_whole
from grader.errors import GraderError
from grader.text import visible

# --- side by side -----------------------------------------------------------------------------------
# The page with the code of two submissions side by side, with shared lines marked.


Runs = Sequence[tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Beside:
    """One file of both submissions, as runs of lines that the other submission also has, or lacks."""

    path: str
    one: Runs
    other: Runs


def side_by_side(pair: Pair, how: str, one: bytes, other: bytes) -> str:
    """Return the page; ``how`` says how similar the two are."""
    first, second = _files(one), _files(other)
    both = [_join(files) for files in (first, second)]
    marked = shared_lines(*both) if can_compare() else (frozenset[int](), frozenset[int]())
    runs = [dict(_runs(files, lines)) for files, lines in zip((first, second), marked, strict=True)]
    paths = list(dict.fromkeys((*first, *second)))
    return render(
        "pair.html.j2",
        one=pair.one,
        other=pair.other,
        how=how,
        files=[Beside(path, *(found.get(path, ()) for found in runs)) for path in paths],
        shown=visible,
    )


def _files(code: bytes) -> dict[str, str]:
    return {path: as_text(content) for path, content in files_in(code).items()}


def _join(files: dict[str, str]) -> str:
    return "".join(files.values())


def _runs(files: dict[str, str], shared: Collection[int]) -> Iterator[tuple[str, Runs]]:
    """Yield each file as runs of lines that are all shared, or all not."""
    number = 0
    for path, text in files.items():
        lines = text.splitlines(keepends=True)
        marked = [(number + place in shared, line) for place, line in enumerate(lines)]
        number += len(lines)
        yield path, [(is_shared, "".join(line for _, line in run)) for is_shared, run in _grouped(marked)]


def _grouped(lines: Sequence[tuple[bool, str]]) -> Iterator[tuple[bool, Iterator[tuple[bool, str]]]]:
    yield from groupby(lines, key=lambda line: line[0])


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
