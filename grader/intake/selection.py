"""From the entries of a source to the files of a submission."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from grader.intake.candidates import is_named, is_template
from grader.intake.containers import opened
from grader.intake.entries import Entry, Sieve, Unreadable, apart
from grader.intake.meant import ask_about_twins, completed, readable
from grader.intake.names import collision_key
from grader.intake.notes import shown
from grader.intake.refusals import refusal
from grader.intake.root_folder import find_roots, importance, roots_of
from grader.languages import said
from grader.model import Remark
from grader.text import in_bytes
from lab.exercises import EXERCISES, FILES

MOST_TWINS = 8


def select(entries: Iterable[Entry], sieve: Sieve, *, are_loose: bool = False) -> dict[str, bytes]:
    """Read what belongs to the submission, the most important first, up to the caps.

    What is missing of the six files is taken from wherever it is meant. Where none of them is found,
    the submission is empty, and a remark says what came. Those of a platform may have lost their folders.
    """
    by_path = _distinct(opened(entries, sieve), sieve)
    root, others = _root(by_path, sieve)
    inside = {path.removeprefix(root): entry for path, entry in by_path.items() if path.startswith(root)}
    files = _read(inside, sieve)
    found = readable(completed(files, root, by_path, sieve, are_loose=are_loose), sieve)
    _note_left_out(by_path, root, others, sieve)
    _ask_about_others(found, root, by_path, sieve)
    is_there = any(file in found for file in FILES)
    _forget_needless(root if is_there else "", sieve)
    if not is_there:
        sieve.remarks.append(Remark("refused", "", "", refusal(by_path)))
    return dict(sorted(found.items()))


def _forget_needless(root: str, sieve: Sieve) -> None:
    """Say nothing of archives that were opened, and of which nothing was taken."""
    taken = [root, *(remark.source for remark in sieve.remarks if remark.kind != "opened")]
    for remark in [remark for remark in sieve.remarks if remark.kind == "opened"]:
        if not any(path.startswith(f"{remark.source}/") for path in taken):
            sieve.remarks.remove(remark)


def _read(by_path: Mapping[str, Entry], sieve: Sieve) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    total = 0
    paths = sorted(by_path, key=importance)
    for number, path in enumerate(paths):
        content = content_of(by_path[path], path, sieve)
        total += len(content or b"")
        if number >= sieve.caps.files or total > sieve.caps.total_bytes:
            sieve.notes.add(f"{len(paths) - number} file(s) were left out: {_most(sieve)}.")
            break
        if content is not None:
            files[path] = content
    return files


def _distinct(entries: Iterable[Entry], sieve: Sieve) -> dict[str, Entry]:
    """The entries by path, without those that cannot lie side by side everywhere."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in apart(entries):
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
    if len({entry.path for entry in named}) > 1:
        return None
    contents = {content_of(entry, entry.path, sieve): entry for entry in named}
    return named[0] if len(contents) == 1 else _last(named[0].path, contents, sieve)


def _last(path: str, contents: Mapping[bytes | None, Entry], sieve: Sieve) -> Entry | None:
    """Of several files of one name the last that somebody worked on, as unpacking leaves it."""
    exercise = next((each for each in EXERCISES if f"/{path}".endswith(f"/{each.file}")), None)
    if exercise is None:
        return None
    own = [content for content in contents if content is not None and not is_template(content, exercise)]
    if len(own) > 1:
        names = {"source": shown(path), "file": exercise.file}
        message = said("intake_twice", count=len(own), **names)
        sieve.remarks.append(Remark("unsure", **names, message=message))
    return contents[own[-1]] if own else None


def _root(by_path: Mapping[str, Entry], sieve: Sieve) -> tuple[str, list[str]]:
    """The folder that is graded, and others that hold exercises; none that is as it was handed out."""
    roots = find_roots(by_path)
    if len(roots) > 1:
        roots = [root for root in roots if not _is_handed_out(root, by_path, sieve)] or roots
    return roots[0], roots[1:]


def _is_handed_out(root: str, by_path: Mapping[str, Entry], sieve: Sieve) -> bool:
    """Tell whether all that a folder holds of the six files is still as in the template."""
    here = [(exercise, by_path[path]) for exercise in EXERCISES if (path := root + exercise.file) in by_path]
    return all(is_template(content_of(entry, entry.path, sieve) or b"", exercise) for exercise, entry in here)


def _note_left_out(by_path: Iterable[str], root: str, others: Iterable[str], sieve: Sieve) -> None:
    """Note what lies outside of the folder that is graded, and is not graded all the same."""
    untaken = [other for other in others if not any(path.startswith(other) for path in sieve.taken)]
    if untaken:
        where = ", ".join(shown(other) or "the top folder" for other in untaken[:3])
        sieve.notes.add(
            f"Exercises lie in {shown(root) or 'the top folder'}, which is graded, and in {where}."
        )
    outside = sum(not path.startswith(root) and path not in sieve.taken for path in by_path)
    if outside:
        sieve.notes.add(f"Outside of {shown(root)}, {outside} file(s) were left out.")


def _ask_about_others(
    files: Mapping[str, bytes], root: str, by_path: Mapping[str, Entry], sieve: Sieve
) -> None:
    """Ask a person where what lies outside of the root, or had another name, is another version of what is
    graded."""
    names = {file.rsplit("/", 1)[-1] for file in FILES}
    outside = [
        path
        for path, entry in by_path.items()
        if (not path.startswith(root) and path.rsplit("/", 1)[-1] in names)
        or (entry.is_cleaned and is_named(path))
    ]
    taken = {remark.source for remark in sieve.remarks}
    others = [path for path in outside if path not in taken][: sieve.caps.files]
    contents = {path: content_of(by_path[path], path, sieve) for path in others}
    ask_about_twins(
        files, {path: content for path, content in contents.items() if content is not None}, sieve
    )


def content_of(entry: Entry, path: str, sieve: Sieve) -> bytes | None:
    """The bytes of an entry; None, with a note, where they cannot be had or are too many."""
    try:
        content = sieve.read(entry, sieve.caps.file_bytes + 1)
    except Unreadable as error:
        sieve.refuse(path, str(error))
        return None
    return content if sieve.fits(path, len(content)) else None


def _most(sieve: Sieve) -> str:
    return f"a submission has {sieve.caps.files} files and {in_bytes(sieve.caps.total_bytes)} at the most"
