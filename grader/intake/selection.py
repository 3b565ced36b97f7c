"""Finds and selects the files of a submission, whatever they are called, and makes them readable.

What the student meant is graded. A submission that has all six files in their places is read as it is. If
some are missing, every Python file and notebook in the submission is examined, wherever it lies; repairs are
remarked, and where more than one file could be meant, a person is asked.

Notebooks are renamed on their way: browsers append ``.txt`` or ``.json``, and students ``.py``. So a file
that begins as a notebook does is read as one. What is shown below a cell does not count towards its size.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.intake.archives import archive_entries, is_archive, open_inner_archives
from grader.intake.candidates import exercise_named_like, is_template
from grader.intake.choice import Work, decide, find_works, root_of
from grader.intake.files import Entry, LeftOut, Refusal, Sieve, clean_path, number_duplicates
from grader.intake.names import (
    Source,
    as_utf8,
    collision_key,
    declared_encoding,
    decode_source,
    describe_files,
    is_called_archive,
    is_code_name,
    is_leftover,
    is_text_encoding,
    may_be_work,
    names_a_class,
    parse_source,
    refusal_message,
)
from grader.intake.notebooks import (
    MOST_BYTES,
    Notebook,
    exported_cells,
    is_exported,
    is_notebook_name,
    looks_like_notebook,
    may_hold_notebook,
    notebook_from_cells,
    read_notebook,
    without_ipython,
    without_marimo,
    without_outputs,
)
from grader.intake.placement import place
from grader.languages import Message, said
from grader.model import Remark, unseen_remark
from grader.text import in_bytes, shown
from lab.came import HEAD_BYTES, Came, kind_of, recognise
from lab.exercises import EXERCISES, FILES, Exercise
from lab.own_mazes import FOLDER, MOST, own_mazes_among

_MOST_EXAMINED: Final = 300
"""At most 300 files are examined."""


def holds_code(name: str, content: bytes) -> bool:
    """Tell whether a lone file may hold the work of a submission, by its name and what is in it."""
    if name in {file.rpartition("/")[2] for file in FILES}:
        return True
    if is_code_name(Path(name)) or is_notebook_name(name):
        return True
    is_text = name.lower().endswith(".py.txt") and names_a_class(content)
    return is_text or (may_hold_notebook(name) and looks_like_notebook(content))


def find_sources(by_path: Mapping[str, Entry], sieve: Sieve) -> Iterator[Source]:
    """Yield the Python files and notebooks, those with a name of the lab first, up to the caps."""
    total = 0
    found = [path for path in by_path if path.lower().endswith(".py") or may_hold_notebook(path)]
    if len(found) > _MOST_EXAMINED:
        sieve.unseen[said("unseen_files", count=_MOST_EXAMINED)] = None
    for path in sorted(found, key=_examination_order)[:_MOST_EXAMINED]:
        for source in _sources_in(path, by_path[path], sieve):
            total += len(source.content)
            if total > 2 * sieve.caps.total_bytes:
                sieve.unseen[said("unseen_code", size=in_bytes(2 * sieve.caps.total_bytes))] = None
                return
            yield source


def _examination_order(path: str) -> tuple[bool, bool, int, str]:
    is_code = path.lower().endswith((".py", ".py.txt")) or is_notebook_name(path)
    return not is_code, exercise_named_like(path) is None, path.count("/"), path


def _sources_in(path: str, entry: Entry, sieve: Sieve) -> Iterator[Source]:
    try:
        content = sieve.read(entry, sieve.caps.file_bytes + 1)
        is_notebook = is_notebook_name(path) or looks_like_notebook(content)
        if is_notebook and len(content) > sieve.caps.file_bytes:
            content = without_outputs(sieve.read(entry, sieve.caps.archive_bytes))
    except LeftOut as error:
        sieve.refuse(path, error.reason)
        return
    if is_notebook:
        notebook = _notebook(path, content, sieve)
    elif len(content) > sieve.caps.file_bytes:
        return
    else:
        source = Source(path, content)
        cells = without_marimo(source.text)
        if cells is None and not (source.classes and is_exported(source.text)):
            if not path.lower().endswith(".txt") or names_a_class(content):
                yield source
            return
        notebook = notebook_from_cells(exported_cells(source.text) if cells is None else [cells])
    if notebook is not None:
        yield from _sources_in_notebook(path, notebook, sieve)


def _notebook(path: str, content: bytes, sieve: Sieve) -> Notebook | None:
    """Return the code of a notebook; None, with a note, if it is damaged or too large."""
    if len(content) > MOST_BYTES:
        sieve.refuse(path, said("left_large", size=in_bytes(MOST_BYTES)))
        return None
    notebook = read_notebook(content)
    if notebook is None and is_notebook_name(path):
        sieve.refuse(path, said("left_notebook" if content.strip() else "left_empty"))
    return notebook


def _sources_in_notebook(path: str, notebook: Notebook, sieve: Sieve) -> Iterator[Source]:
    """Yield what a notebook defines, and the files that its cells would write."""
    folder = path.rpartition("/")[0]
    for name, code in notebook.written:
        try:
            parts = clean_path(name, sieve.caps)
        except LeftOut:
            continue
        if len(code) <= sieve.caps.file_bytes:
            yield Source("/".join([*filter(None, [folder]), *parts]), code, notebook=path)
    if notebook.code.strip() and len(notebook.code) <= sieve.caps.file_bytes:
        yield Source(path, notebook.code, is_notebook=True)
    if notebook.broken and len(notebook.broken) <= sieve.caps.file_bytes:
        yield Source(f"{path}/cells.py", notebook.broken, notebook=path)


# --- in a form that Python reads ---------------------------------------------------------------


def make_readable(files: Mapping[str, bytes], sieve: Sieve) -> dict[str, bytes]:
    """Return the files, with Python files converted to an encoding and a form that Python reads."""
    found = dict(files)
    for path, content in files.items():
        if not path.endswith(".py"):
            continue
        if _is_in_no_text_encoding(path, content, sieve):
            del found[path]
            continue
        better = as_utf8(content)
        if better is not None:
            found[path], encoding = better
            message = said("intake_encoding", file=shown(path), encoding=encoding)
            sieve.remarks.append(Remark("encoding", shown(path), shown(path), message))
        text = Source(path, found[path]).text
        cells = without_marimo(text)
        if cells is not None:
            found[path] = notebook_from_cells([cells]).code
        elif is_exported(text):
            found[path] = without_ipython(text).encode("utf-8", "replace")
        elif parse_source(decode_source(found[path]) or "\0") is None:
            found[path] = _meant(path, found[path], sieve)
    return found


def _is_in_no_text_encoding(path: str, content: bytes, sieve: Sieve) -> bool:
    """Tell whether nobody can read a file as it stands; refuse it then by its encoding's name."""
    encoding = declared_encoding(content)
    if encoding is None or is_text_encoding(encoding):
        return False
    reason = said("left_encoding", encoding=encoding)
    if path in FILES:
        told = said("intake_left_out", source=shown(path), reason=reason)
        sieve.remarks.append(Remark("unsure", shown(path), path, said("intake_told", sentence=told)))
    else:
        sieve.refuse(path, reason)
    return True


def _meant(path: str, content: bytes, sieve: Sieve) -> bytes:
    """Return the code that was meant by a file that is no Python, where nothing of it is lost, with a remark;
    ask a person about what is none."""
    packed = _only_file(path, content, sieve)
    if packed is not None:
        message = said("intake_packed", file=shown(path))
        sieve.remarks.append(Remark("mended", shown(path), shown(path), message))
        return packed
    came = recognise(content)
    if came is None:
        return content
    sentence = tell_fault(came, shown(path))
    if came.code is not None:
        message = said("intake_mended", sentence=sentence)
        sieve.remarks.append(Remark("mended", shown(path), shown(path), message))
        return came.code.encode("utf-8", "replace")
    if path in FILES and came.fault != "letter":
        sieve.remarks.append(Remark("unsure", shown(path), path, said("intake_told", sentence=sentence)))
    return content


def tell_fault(came: Came, file: str) -> Message:
    """Return what is wrong with a file that is no Python."""
    letter = said(f"came_{came.letter}") if came.fault == "other" else came.letter
    values: dict[str, Message | str | int] = {"file": file, "line": came.line, "letter": letter}
    return said(f"fault_{came.fault}", **values)


def _only_file(path: str, content: bytes, sieve: Sieve) -> bytes | None:
    """Return the one file of an archive; None if it is none, or holds more or less."""
    if not is_archive(content):
        return None
    with suppress(Refusal, LeftOut):
        entries = archive_entries(content, sieve, path) or []
        if len(entries) == 1 and entries[0].path.endswith(".py"):
            content = sieve.read(entries[0], sieve.caps.file_bytes + 1)
            return content if len(content) <= sieve.caps.file_bytes else None
    return None


MOST_TWINS = 8
"""Up to 8 files of one name are compared; if there are more, none is read."""


def select(
    entries: Iterable[Entry],
    sieve: Sieve,
    *,
    chosen: Collection[str] = (),
    are_loose: bool = False,
    attempts: Collection[str] = (),
    check: Callable[[Sequence[Work]], None] = lambda _: None,
) -> dict[str, bytes]:
    """Read the files that belong to the submission, the most important first, up to the caps.

    Missing files of the six are taken from wherever they seem to be. If none is found, the submission is
    empty, and a remark says what was handed in. Loose files (``are_loose``) may have lost their folders on a
    platform, or be ``attempts`` whose order it does not know, by name. ``check`` may refuse what was worked
    on. Raises Undecided if it is not clear what counts, and no candidate is among the ``chosen``.
    """
    found = _without_collisions(open_inner_archives(entries, sieve), sieve)
    sources = list(find_sources(found, sieve))
    damaged = _damaged(found, sieve)
    unread = {path for path in found if is_called_archive(path)} | damaged
    works = find_works(sources)
    check(works)
    decided = decide(works, unread, found, chosen, attempts)
    by_path = {path: entry for path, entry in found.items() if path not in decided.dropped}
    # of those that hold files of the lab, the one with most of what counts, the shallowest of these
    meant = [(work.source.path, exercise) for exercise, work in decided.works.items()]
    root = min(
        find_roots(by_path),
        key=lambda root: (-sum(path == root + each.file for path, each in meant), root.count("/")),
    )
    inside = {
        path.removeprefix(root): entry
        for path, entry in by_path.items()
        if path.startswith(root) and not is_leftover(path)
    }
    known = {each.path: each.content for each in sources if not (each.is_notebook or each.notebook)}
    files = _read(inside, known, sieve)
    moved = {
        exercise: work
        for exercise, work in decided.works.items()
        if work.source.path != root + exercise.file or work.source.notebook
    }
    placed = place(files, root, moved, [each for each in sources if each.name in by_path])
    sieve.remarks += placed.remarks
    if are_loose:
        sieve.remarks = [each for each in sieve.remarks if not _is_of_platform(each)]
    for path in placed.taken | (damaged if len(decided.works) == len(EXERCISES) else set()):
        sieve.withdraw(path)
    sieve.remarks += [Remark("attempts", source, "", message) for message, source in decided.told]
    sieve.remarks += [_beside(each, decided.works[each.exercise]) for each in decided.beside]
    graded = make_readable(placed.files, sieve)
    mazes = _own_mazes(graded, root, by_path, sieve)
    graded |= {f"{FOLDER}/{path.rpartition('/')[2]}": content for path, content in mazes.items()}
    untaken = [path for path in by_path if path not in placed.taken | mazes.keys()]
    outside = sum(not path.startswith(root) and not is_leftover(path) for path in untaken)
    if outside:
        sieve.note(said("intake_outside", root=shown(root), count=outside))
    if any(each.file not in graded for each in EXERCISES):  # it may lie there
        sieve.remarks += map(unseen_remark, sieve.unseen)
    is_there = any(file in graded for file in FILES)
    taken = [
        root if is_there else "",
        *(remark.source for remark in sieve.remarks if remark.kind != "opened"),
    ]
    for remark in [remark for remark in sieve.remarks if remark.kind == "opened"]:
        if not any(path.startswith(f"{remark.source}/") for path in taken):
            sieve.remarks.remove(remark)
    if is_there:
        sieve.remarks += _questions(graded, {path: by_path[path] for path in untaken})
    else:
        sieve.remarks.append(
            Remark("refused", "", "", refusal_message(_kinds(by_path), _damaged(by_path, sieve)))
        )
    return dict(sorted(graded.items()))


def _beside(work: Work, counts: Work) -> Remark:
    """Return the remark that a file defines an exercise as well as the one that counts."""
    other, exercise = shown(work.path), work.exercise
    message = said("intake_beside", source=other, name=exercise.name, file=shown(counts.path))
    return Remark("beside", other, exercise.file, message)


def _is_of_platform(remark: Remark) -> bool:
    """Tell whether what was put right may be a platform's doing, which has handed out files without their
    folders."""
    return remark.kind in ("moved", "helper", "opened") and "/" not in remark.source


def _damaged(paths: Iterable[str], sieve: Sieve) -> set[str]:
    """Return the notebooks that could not be read."""
    left_out = {remark.source for remark in sieve.notes}
    return {path for path in paths if is_notebook_name(path) and shown(path) in left_out}


def _own_mazes(
    files: Mapping[str, bytes], root: str, by_path: Mapping[str, Entry], sieve: Sieve
) -> dict[str, bytes]:
    """Return the student's test mazes that lie elsewhere than expected, or in a folder of nearly that name.

    They are taken from one folder, the one nearest to what is graded.
    """
    if own_mazes_among(files):
        return {}
    found = [
        path
        for path in by_path
        for folder, _, name in [path.rpartition("/")]
        if folder.rpartition("/")[2].casefold() == FOLDER and own_mazes_among([f"{FOLDER}/{name}"])
    ]
    nearest = min(found, key=lambda path: (not path.startswith(root), path.count("/"), path), default="")
    folder = nearest.rpartition("/")[0]
    chosen = sorted(path for path in found if path.rpartition("/")[0] == folder)[: MOST + 1]
    read = {path: read_entry(by_path[path], path, sieve) for path in chosen}
    return {path: content for path, content in read.items() if content is not None}


def _read(by_path: Mapping[str, Entry], known: Mapping[str, bytes], sieve: Sieve) -> dict[str, bytes]:
    """Read files up to the caps, the six first and then other code, where it is not known what they hold."""
    files: dict[str, bytes] = {}
    total = 0
    paths = sorted(by_path, key=lambda each: (each not in FILES, not each.endswith(".py"), each))
    for number, path in enumerate(paths):
        whole = by_path[path].path
        content = known[whole] if whole in known else read_entry(by_path[path], path, sieve)
        total += len(content or b"")
        if number >= sieve.caps.files or total > sieve.caps.total_bytes:
            size = in_bytes(sieve.caps.total_bytes)
            sieve.note(said("intake_full", count=len(paths) - number, files=sieve.caps.files, size=size))
            if any(path.endswith(".py") for path in paths[number:]):  # what is there may import it
                sieve.remarks.append(unseen_remark(said("unseen_code", size=size)))
            break
        if content is not None:
            files[path] = content
    return files


def _without_collisions(entries: Iterable[Entry], sieve: Sieve) -> dict[str, Entry]:
    """Return the entries by path, without those that cannot lie side by side on every system.

    Of the same content, one is kept. Of those that are meant for an exercise, all are kept whose names
    differ, and of one name the last that was worked on, which is what unpacking gives.
    """
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in number_duplicates(entries):
        groups[collision_key(entry.path)].append(entry)
    folders = {key[:cut] for key in groups for cut, character in enumerate(key) if character == "/"}
    kept: dict[str, Entry] = {}
    for key, group in groups.items():
        found = group
        if len(group) > MOST_TWINS:
            sieve.unseen[said("unseen_twins", count=MOST_TWINS)] = None
        if key in folders or len(group) > MOST_TWINS:
            found = []
        elif len(group) > 1:
            found = _distinct(group, exercise_named_like(key), sieve)
        kept |= {entry.path: entry for entry in found}
        for path in sorted({entry.path for entry in group} - kept.keys()):
            sieve.refuse(path, said("left_same_name"))
    return kept


def _distinct(group: Sequence[Entry], exercise: Exercise | None, sieve: Sieve) -> list[Entry]:
    contents = {read_entry(entry, entry.path, sieve): entry for entry in reversed(group)}
    if len(contents) == 1 or exercise is None:
        return [*group[:1]] if len(contents) == 1 else []
    own = [each for text, each in contents.items() if not is_template(text or b"", exercise)]
    return sorted(own or contents.values(), key=group.index)


def _questions(files: Mapping[str, bytes], untaken: Mapping[str, Entry]) -> list[Remark]:
    """Return the question to a person about what may hold the work in a form that is not read, where nothing
    is written.

    Where some exercises are, it is about what is called as one of the others.
    """
    absent = [each for each in EXERCISES if each.file not in files]
    unwritten = [*absent, *(e for e in EXERCISES if e.file in files and is_template(files[e.file], e))]
    named = {path: each for path in untaken if (each := _exercise_by_stem(path)) in unwritten}
    unread = [path for path in untaken if path in named or not is_leftover(path)]
    is_none = len(unwritten) == len(EXERCISES)
    found = [
        path
        for path in (unread if is_none else named)
        if may_be_work(path, is_named=path in named, is_absent=named.get(path) in absent)
    ]
    if not found and absent:
        found = [path for path in unread if may_be_work(path, is_named=False, is_absent=True)]
    if not found:
        return []
    by_name = [named[path] for path in found if path in named]
    wanted = dict.fromkeys(each.file for each in (unwritten if is_none else by_name or absent))
    kinds = _kinds({path: untaken[path] for path in found})
    message = said("intake_unwritten", files=", ".join(wanted), came=describe_files(kinds))
    return [Remark("unsure", shown(found[0]), "", message)]


def _kinds(entries: Mapping[str, Entry]) -> dict[str, str]:
    """Return what files are, by their first bytes as far as they are looked at, and by their names."""
    looked_at = set(sorted(entries)[:_MOST_EXAMINED])
    return {
        path: kind_of(path, _head(entry) if path in looked_at else b"") for path, entry in entries.items()
    }


def _head(entry: Entry) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    with suppress(LeftOut):
        return entry.read(HEAD_BYTES)
    return b""


def _exercise_by_stem(path: str) -> Exercise | None:
    """Return the exercise that a file is called as, whatever its suffixes are, or words behind its name."""
    stem = path.rsplit("/", 1)[-1].partition(".")[0]
    return exercise_named_like(f"{stem}.py") or exercise_named_like(f"{stem.partition(' ')[0]}.py")


def read_entry(entry: Entry, path: str, sieve: Sieve) -> bytes | None:
    """Return the bytes of an entry; None, with a note, if they cannot be read or are too many."""
    try:
        content = sieve.read(entry, sieve.caps.file_bytes + 1)
    except LeftOut as error:
        sieve.refuse(path, error.reason)
        return None
    return content if sieve.fits(path, len(content)) else None


# --- where a submission starts: students wrap their files in a folder, or in several ----------------


def find_roots(paths: Collection[str]) -> list[str]:
    """Return the folders that hold any of the six files, the shallowest first, and of equal depth the
    fullest.

    A root is "" or ends with "/". If no folder holds one: the folder around a folder of the lab, or else the
    innermost folder that holds all files.
    """
    counts = Counter(
        path.removesuffix(file)
        for path in paths
        for file in FILES
        if path.endswith(f"/{file}") or path == file
    )
    if counts:
        return sorted(counts, key=lambda root: (root.count("/"), -counts[root], root))
    around = {f"{path.rpartition('/')[0]}/".lstrip("/"): root_of(path) for path in paths}
    guesses = {root for folder, root in around.items() if root != folder}
    top = os.path.commonpath(around) if around else ""
    return sorted(guesses, key=lambda root: (root.count("/"), root))[:1] or [f"{top}/" if top else ""]
