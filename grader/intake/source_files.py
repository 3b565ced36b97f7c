"""Finds the Python files and notebooks of a submission, whatever they are called, and makes them readable.

Notebooks are renamed on their way: browsers append ``.txt`` or ``.json``, and students ``.py``. So a file
that begins as a notebook does is read as one. What is shown below a cell does not count towards its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.intake.archives import archive_entries, is_archive
from grader.intake.candidates import exercise_named_like
from grader.intake.files import Entry, LeftOut, Refusal, Sieve, clean_path
from grader.intake.names import is_code_name
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
from grader.intake.python_source import Source, as_utf8, decode_source, names_a_class, parse_source
from grader.languages import Message, said
from grader.model import Remark
from grader.text import in_bytes, shown
from lab.came import Came, recognise
from lab.exercises import FILES

_MOST_EXAMINED: Final = 300
"""At most 300 files are examined."""


def holds_code(name: str, content: bytes) -> bool:
    """Tell whether a lone file may hold the code of a submission, by its name and what is in it."""
    if is_code_name(Path(name)) or is_notebook_name(name):
        return True
    is_text = name.lower().endswith(".py.txt") and names_a_class(content)
    return is_text or (may_hold_notebook(name) and looks_like_notebook(content))


def find_sources(by_path: Mapping[str, Entry], sieve: Sieve) -> Iterator[Source]:
    """Yield the Python files and notebooks, those with a name of the lab first, up to the caps."""
    total = 0
    found = [path for path in by_path if path.lower().endswith(".py") or may_hold_notebook(path)]
    for path in sorted(found, key=_examination_order)[:_MOST_EXAMINED]:
        for source in _sources_in(path, by_path[path], sieve):
            total += len(source.content)
            if total > 2 * sieve.caps.total_bytes:
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


def _meant(path: str, content: bytes, sieve: Sieve) -> bytes:
    """Return the code that was meant by a file that is no Python, where nothing of it is lost, with a remark;
    ask a person about what is none."""
    packed = _only_file(content, sieve)
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


def _only_file(content: bytes, sieve: Sieve) -> bytes | None:
    """Return the one file of an archive; None if it is none, or holds more or less."""
    if not is_archive(content):
        return None
    with suppress(Refusal, LeftOut):
        entries = archive_entries(content, sieve) or []
        if len(entries) == 1 and entries[0].path.endswith(".py"):
            content = sieve.read(entries[0], sieve.caps.file_bytes + 1)
            return content if len(content) <= sieve.caps.file_bytes else None
    return None
