"""Reports that need not be made again: nothing that they hang on has changed, and they are as they were."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from grader import shipped
from grader.batch.journal import Journal
from grader.batch.marks.ledger import LEDGER
from grader.batch.report.facts import FILE as FACTS
from grader.batch.report.facts import ClassFacts
from grader.batch.report.items import Item
from grader.batch.report.look_alikes import FILE as ALIKE
from grader.batch.report.look_alikes import FOLDER
from grader.batch.report.similarity import can_compare
from grader.batch.report.write import NAMES, ClassStanding, gone_from
from grader.disk import write_whole
from grader.exports.missing_work import WITHOUT_WORK
from grader.exports.review_items import ITEMS

KEPT: Final = ".reports.json"
_FILES: Final = (*NAMES, ITEMS, FACTS, ALIKE, WITHOUT_WORK)


def state_of(
    out: Path, facts: ClassFacts, journal: Journal, lates: Mapping[str, object], missing: Iterable[str]
) -> str:
    """A digest of all that the reports hang on; empty where that cannot be known without looking anew."""
    if facts.asked.get("against"):
        return ""
    sources = shipped.digest("lab", "grader")
    parts = (journal.state(), facts, sorted(lates.items()), list(missing), sources, can_compare())
    digest = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass"))
    digest.update(_content(out / LEDGER))
    return digest.hexdigest()


def kept(out: Path, state: str, facts: ClassFacts, journal: Journal) -> ClassStanding | None:
    """What the reports say, where they are those of this state."""
    try:
        data = json.loads((out / KEPT).read_bytes())
        if not state or data["state"] != state or data["files"] != _files(out):
            return None
        items = tuple(map(_item, json.loads((out / ITEMS).read_bytes())))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return ClassStanding(Counter(data["counts"]), gone_from(facts, journal), items)


def keep(out: Path, state: str, standing: ClassStanding) -> None:
    """Note that the reports, as they are there, are those of this state; nobody is named."""
    data = {"state": state, "files": _files(out), "counts": dict(standing.counts)}
    write_whole(out / KEPT, json.dumps(data).encode())


def _item(data: Mapping[str, Any]) -> Item:
    pages = tuple((who, page) for who, page in data["pages"])
    return Item(**{**data, "others": tuple(data["others"]), "pages": pages})


def _files(out: Path) -> str:
    """A digest of the reports as they are."""
    digest = hashlib.sha256()
    for path in _paths(out):
        content = _content(path)
        digest.update(f"|{path.name}|{len(content)}|".encode() + content)
    return digest.hexdigest()


def _paths(out: Path) -> Iterator[Path]:
    yield from (out / name for name in _FILES)
    yield from sorted((out / FOLDER).glob("*.html"))


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
