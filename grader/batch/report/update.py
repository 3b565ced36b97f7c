"""Apply all layers to the results of a class and write its reports, unless nothing has changed since."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from grader import shipped
from grader.batch.journal import Journal
from grader.batch.marks.ledger import LEDGER
from grader.batch.marks.update import update_marks
from grader.batch.report.class_facts import FILE as FACTS
from grader.batch.report.class_facts import ClassFacts, save
from grader.batch.report.plots import NAMES as PLOTS
from grader.batch.report.plots import can_plot
from grader.batch.report.review_items import Item
from grader.batch.report.similarity import can_compare
from grader.batch.report.similarity_pages import FILE as ALIKE
from grader.batch.report.similarity_pages import FOLDER
from grader.batch.report.write import NAMES, ClassStanding, find_gone, write_reports
from grader.disk import write_whole
from grader.exports.missing_work import WITHOUT_WORK
from grader.exports.review_items import ITEMS
from grader.model import LateJson

STATE_FILE: Final = ".reports.json"
_FILES: Final = (*NAMES, *PLOTS, ITEMS, FACTS, ALIKE, WITHOUT_WORK)


def update_reports(
    out: Path,
    facts: ClassFacts,
    journal: Journal,
    lates: Mapping[str, LateJson | None],
    missing: Sequence[str],
) -> ClassStanding:
    """Bring marks and reports up to date, and return where the class stands.

    Nothing is written if neither the reports nor anything that they depend on has changed.
    """
    standing = _load_standing(out, _state(out, facts, journal, lates, missing), facts, journal)
    if standing is None:
        update_marks(out, journal, lates)
        save(out, facts)
        write_whole(out / WITHOUT_WORK, json.dumps(missing).encode())
        standing = write_reports(out, facts, journal)
        _save_standing(out, _state(out, facts, journal, lates, missing), standing)
    return standing


def _state(
    out: Path, facts: ClassFacts, journal: Journal, lates: Mapping[str, object], missing: Iterable[str]
) -> str:
    """Return a digest of all that the reports depend on; empty if only making them anew can tell."""
    if facts.asked.get("against"):
        return ""
    sources = shipped.digest("lab", "grader")
    here = can_compare(), can_plot()
    parts = (journal.state(), facts, sorted(lates.items()), list(missing), sources, here)
    digest = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass"))
    digest.update(_read_if_there(out / LEDGER))
    return digest.hexdigest()


def _load_standing(out: Path, state: str, facts: ClassFacts, journal: Journal) -> ClassStanding | None:
    """Return the stored standing if the reports on the disk were made from this state; else None."""
    try:
        data = json.loads((out / STATE_FILE).read_bytes())
        if not state or data["state"] != state or data["files"] != _files(out):
            return None
        items = tuple(map(_item, json.loads((out / ITEMS).read_bytes())))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return ClassStanding(Counter(data["counts"]), find_gone(facts, journal), items)


def _save_standing(out: Path, state: str, standing: ClassStanding) -> None:
    """Store the state that the reports were made from, with their digest and counts, but no names."""
    data = {"state": state, "files": _files(out), "counts": dict(standing.counts)}
    write_whole(out / STATE_FILE, json.dumps(data).encode())


def _item(data: Mapping[str, Any]) -> Item:
    pages = tuple((who, page) for who, page in data["pages"])
    return Item(**{**data, "others": tuple(data["others"]), "pages": pages})


def _files(out: Path) -> str:
    """Return a digest of the reports on the disk."""
    digest = hashlib.sha256()
    for path in _paths(out):
        content = _read_if_there(path)
        digest.update(f"|{path.name}|{len(content)}|".encode() + content)
    return digest.hexdigest()


def _paths(out: Path) -> Iterator[Path]:
    yield from (out / name for name in _FILES)
    yield from sorted((out / FOLDER).glob("*.html"))


def _read_if_there(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
