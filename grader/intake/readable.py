"""Converts Python files to an encoding and a form that Python reads, and says what cannot be converted."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from grader.intake.archives import archive_entries, is_archive
from grader.intake.files import LeftOut, Refusal, Sieve
from grader.intake.notebooks import is_exported, notebook_from_cells, without_ipython, without_marimo
from grader.intake.python_source import Source, as_utf8, decode_source, parse_source
from grader.languages import Message, said
from grader.model import Remark
from grader.text import shown
from lab.came import Came, recognise
from lab.exercises import FILES


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
