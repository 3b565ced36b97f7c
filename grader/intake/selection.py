"""From the entries of a source to the files of a submission."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from grader.intake.entries import Entry, Sieve, Unreadable
from grader.intake.names import collision_key
from grader.intake.notes import shown
from grader.intake.root_folder import find_roots, importance, misspelt, roots_of
from grader.text import in_bytes

MOST_TWINS = 8


def select(entries: Iterable[Entry], sieve: Sieve) -> dict[str, bytes]:
    """Read what belongs to the submission, the most important first, up to the caps."""
    by_path = _unwrap(_distinct(entries, sieve), sieve)
    files: dict[str, bytes] = {}
    total = 0
    paths = sorted(by_path, key=importance)
    for number, path in enumerate(paths):
        content = _content(by_path[path], path, sieve)
        total += len(content or b"")
        if number >= sieve.caps.files or total > sieve.caps.total_bytes:
            sieve.notes.add(f"{len(paths) - number} file(s) were left out: {_most(sieve)}.")
            break
        if content is not None:
            files[path] = content
    for path, file in misspelt(files):
        sieve.notes.add(f"{path} is not {file}: upper and lower case count in names.")
    return dict(sorted(files.items()))


def _distinct(entries: Iterable[Entry], sieve: Sieve) -> dict[str, Entry]:
    """The entries by path, without those that cannot lie side by side everywhere."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[collision_key(entry.path)].append(entry)
    folders = {key[:cut] for key in groups for cut, character in enumerate(key) if character == "/"}
    kept: dict[str, Entry] = {}
    for key, group in groups.items():
        chosen = None if key in folders else _choose(group, sieve)
        if chosen:
            kept[chosen.path] = chosen
        for path in sorted({entry.path for entry in group}):
            if chosen is None or path != chosen.path:
                sieve.refuse(path, "another file or folder has this name, or one that differs only in case")
    return kept


def _choose(group: list[Entry], sieve: Sieve) -> Entry | None:
    """The one file that is meant among those whose names collide: one that the lab names, or the
    only one there is; a tool may have packed it twice."""
    named = [entry for entry in group if roots_of(entry.path)] or group
    if len(named) == 1:
        return named[0]
    if len(named) > MOST_TWINS:
        return None
    contents = {_content(entry, entry.path, sieve) for entry in named}
    same = len(contents) == 1 and len({entry.path for entry in named}) == 1
    return named[0] if same else None


def _unwrap(by_path: dict[str, Entry], sieve: Sieve) -> dict[str, Entry]:
    """The entries by their path from the root."""
    root, *others = find_roots(by_path)
    if others:
        where = ", ".join(shown(other) or "the top folder" for other in others[:3])
        sieve.notes.add(
            f"Exercises lie in {shown(root) or 'the top folder'}, which is graded, and in {where}."
        )
    outside = sum(not path.startswith(root) for path in by_path)
    if outside:
        sieve.notes.add(f"Outside of {shown(root)}, {outside} file(s) were left out.")
    return {path.removeprefix(root): entry for path, entry in by_path.items() if path.startswith(root)}


def _content(entry: Entry, path: str, sieve: Sieve) -> bytes | None:
    try:
        content = entry.read(sieve.caps.file_bytes + 1)
    except Unreadable as error:
        sieve.refuse(path, str(error))
        return None
    return content if sieve.fits(path, len(content)) else None


def _most(sieve: Sieve) -> str:
    return f"a submission has {sieve.caps.files} files and {in_bytes(sieve.caps.total_bytes)} at the most"
