"""Bring the results of a class up to date with its lateness and its ledger."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from grader.batch.journal import Journal
from grader.batch.marks.layers import with_layers
from grader.batch.marks.ledger import Decision, decisions, withdrawals
from grader.course.late_work import read_lateness
from grader.errors import InputError
from grader.exports.result_files import page_language
from grader.feedback import render_html
from grader.grading.pipeline import FEEDBACK, RESULTS, STAFF, STAFF_PAGE
from grader.model import LateJson, ResultsJson
from grader.results import as_json, mark_of, read
from grader.text import visible

Layers = tuple[LateJson | None, Sequence[Decision], Mapping[str, Decision]]

_LAYERS = (b'\n "adjusted":', b'\n "late":', b'\n "withdrawn":', b'\n "comments":')


def format_mark(results: ResultsJson) -> str:
    """Format the final mark for people."""
    layer, mark = results.get("adjusted"), mark_of(results)
    return "exempt" if layer and layer["exempt"] else "no mark" if mark is None else f"{mark:g}"


def update_marks(
    out: Path, journal: Journal, lates: Mapping[str, LateJson | None] = MappingProxyType({})
) -> list[str]:
    """Apply lateness and the ledger to results that do not show them yet; return a line per changed mark.

    ``lates`` is the lateness known now, by submission; for others, the lateness in their results stays.
    Results that somebody else changed since the grader wrote them are skipped, to be graded again.
    """
    known, withdrawn, changed = decisions(out), withdrawals(out), []
    for name, entry in journal.entries().items():
        path = out / name / RESULTS
        if not path.is_file() or not (withdrawn or name in known or lates.get(name) or _has_layer(path)):
            continue
        try:
            results = read(path)
        except InputError:
            continue
        late = lates[name] if name in lates else read_lateness(results)
        layers = late, known.get(name, ()), withdrawn
        made = with_layers(results, *layers)
        if not journal.knows(name, path.read_bytes(), as_json(made)):
            continue
        if as_json(made) != as_json(results) or not journal.intact(name):
            language = page_language(out / name / FEEDBACK)
            staff = _staff(out / name, layers, language)
            journal.rewrite(entry, as_json(made), _page(made, language), staff)
        if format_mark(made) != format_mark(results):
            changed.append(f"{visible(name)}: {format_mark(results)} -> {format_mark(made)}")
    return changed


def _has_layer(path: Path) -> bool:
    """Return whether a results.json has a layer, without parsing it."""
    content = path.read_bytes()
    return any(key in content for key in _LAYERS)


def _staff(folder: Path, layers: Layers, language: str | None) -> dict[str, bytes]:
    """Apply the same layers to those staff files that exist and can be read."""
    try:
        made = with_layers(read(folder / STAFF), *layers)
    except InputError:
        return {}
    files = {STAFF: as_json(made)}
    if (folder / STAFF_PAGE).is_file():
        files[STAFF_PAGE] = _page(made, language)
    return files


def _page(results: ResultsJson, language: str | None) -> bytes:
    return render_html(json.loads(as_json(results)), language=language).encode()
