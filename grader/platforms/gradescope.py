"""Gradescope.

An export contains ``submission_123/`` for each student's or group's active submission, and
submission_metadata.yml, which gives its owner, time, score, and earlier attempts, whose files are not in the
export. Ids are those of the institution (SID), as in the gradebooks of other platforms. Gradescope exports a
table (*Download Grades*), but imports none: scores have to be copied from the filled table by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from grader.platforms.base import MEMBERS, DownloadItem, Grade, Line, Platform, Reader, ReadText
from grader.text import visible

METADATA: Final = "submission_metadata.yml"
_DEEPEST: Final = 50
"""The deepest nesting of lists and mappings; libyaml overflows the stack far beyond that."""
_MOST_MEMBERS: Final = 100
"""The most members of a group that are read."""
_MOST_CHARACTERS: Final = 200
"""The most characters of a name, an id or a time that are read."""
_FOLDER: Final = re.compile(r"submission_\d+")


def _find(paths: Sequence[Path], read: ReadText) -> list[Path]:
    """Return all submissions of an export, including those without files."""
    folders = [path for path in paths if _FOLDER.fullmatch(path.name)]
    listed = _metadata(paths, read)
    found = {path.name for path in paths}
    place = paths[0].parent if paths else Path()
    return [*folders, *(place / name for name in listed if name not in found)] if listed else []


def _reader(paths: Sequence[Path], read: ReadText) -> Reader:
    listed = {path.parent: _metadata([path.parent / METADATA], read) for path in paths[:1]}
    return partial(_read_item, listed=next(iter(listed.values()), {}))


def _metadata(paths: Sequence[Path], read: ReadText) -> Mapping[str, Mapping[str, Any]]:
    """Return each submission's metadata by folder name; empty if they cannot be read."""
    return next((_parsed(read(path)) for path in paths if path.name == METADATA), {})


@lru_cache(maxsize=1)
def _parsed(text: str) -> Mapping[str, Mapping[str, Any]]:
    """Parse the metadata; cached, since the export is read twice.

    No object is constructed from a tag: every value is text, a list or a mapping.
    """
    import yaml  # slow to import, and few downloads have the file

    loader, depth = getattr(yaml, "CBaseLoader", yaml.BaseLoader), 0
    with suppress(yaml.YAMLError, ValueError, RecursionError):
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                return {}
        listed = yaml.load(text, Loader=loader)  # noqa: S506 - constructs no objects
        if isinstance(listed, dict):
            return {
                name: facts
                for name, facts in listed.items()
                if isinstance(name, str) and _FOLDER.fullmatch(name) and isinstance(facts, dict)
            }
    return {}


def _read_item(path: Path, listed: Mapping[str, Mapping[str, Any]]) -> DownloadItem | None:
    if not _FOLDER.fullmatch(path.name):
        return None
    facts = listed.get(path.name, {})
    members = [each for each in _list(facts, ":submitters")[:_MOST_MEMBERS] if isinstance(each, dict)]
    ids = [_text(each, ":sid") or _text(each, ":email") or _text(each, ":name") for each in members]
    names = [_text(each, ":name") or id_ for each, id_ in zip(members, ids, strict=True)]
    return DownloadItem(
        path,
        MEMBERS.join(names) or path.name,
        MEMBERS.join(ids) or path.name,
        "",
        submitted=_time(_text(facts, ":created_at")),
        earlier=len(_list(facts, ":history")),
        score=_text(facts, ":score"),
    )


def _list(facts: Mapping[str, Any], key: str) -> list[Any]:
    value = facts.get(key)
    return value if isinstance(value, list) else []


def _text(facts: Mapping[str, Any], key: str) -> str:
    value = facts.get(key)
    text = value.strip() if isinstance(value, str) else ""
    return visible(text, one_line=True, limit=_MOST_CHARACTERS) if text not in ("~", "null") else ""


_TIME: Final = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d:\d\d)(?:\.\d+)? ?(?P<zone>Z|[+-]\d\d:?\d\d)?"
)


def _time(text: str) -> datetime | None:
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    try:
        return datetime.fromisoformat(f"{found['day']}T{found['time']}{found['zone'] or ''}")
    except ValueError:
        return None


def _table(grades: Sequence[Grade], title: str) -> list[Line]:
    return [["Name", "SID", title], *([grade.student, grade.id, grade.score] for grade in grades)]


PLATFORM: Final = Platform(
    reader=_reader,
    folder=lambda item: f"{item.student.split(MEMBERS)[0]}_{item.id.split(MEMBERS)[0]}",
    source=lambda path: path.name if _FOLDER.fullmatch(path.name) else path.parent.name,
    keys=("SID", "Email"),
    full_name=lambda row: (
        row.get("Name") or f"{row.get('First Name', '')} {row.get('Last Name', '')}".strip()
    ),
    column=re.compile(r"(?P<title>Total Score)(?P<number>)"),
    worth=lambda _column, row, _top: row.get("Max Points"),
    table=_table,
    find=_find,
)
