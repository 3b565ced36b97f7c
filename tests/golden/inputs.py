"""Put an input together from the few lines of its ``input.yaml``.

A tree is a mapping with up to four keys: ``from`` (a submission of the corpus such as ``wrong/dfs-never-
marks``, a folder of the repository, or a list of these, later ones on top), ``remove`` (paths), ``edit`` (old
text to new text by path) and ``files`` (by path, a text, bytes, or a tree). A tree whose path ends as that
of an archive is packed, one whose path ends in ``.ipynb`` becomes a notebook with a cell for each of its
files; what stands at one that ends in ``.json`` is data; any other is a folder. In place of a tree,
``{repeat: text, times: n}`` is a long text, a list a text in pieces, ``{link: path}`` a link, ``{pipe: yes}``
a pipe, and ``{sql: ...}`` a database that these statements made.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from grader.verification.bank import read_files
from tests.submissions.loader import KINDS, Case

ROOT = Path(__file__).parents[2]
_EPOCH = 1_790_000_000
"""When every file was last changed, in seconds: a day in September 2026."""
_PACKED = (2026, 9, 21, 14, 13, 20)
Files = dict[str, bytes]
_LINK, _PIPE = b"\0link to ", b"\0pipe"
"""What stands for a link and a pipe until a tree is written."""


def build(tree: Mapping[str, Any], folder: Path) -> None:
    """Write a tree to a folder."""
    for path, content in _files(tree).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith(_LINK):
            target.symlink_to(content.removeprefix(_LINK).decode())
        elif content == _PIPE:
            os.mkfifo(target)
        else:
            target.write_bytes(content)
        os.utime(target, (_EPOCH, _EPOCH), follow_symlinks=False)


def _files(tree: Mapping[str, Any]) -> Files:
    sources = tree.get("from", [])
    files: Files = {}
    for source in [sources] if isinstance(sources, str) else sources:
        files |= _source(source)
    for path in tree.get("remove", ()):
        del files[path]
    for path, changes in tree.get("edit", {}).items():
        for old, new in changes.items():
            assert files[path].count(old.encode()) == 1, f"{path}: expected {old!r} once"
            files[path] = files[path].replace(old.encode(), new.encode())
    for path, content in tree.get("files", {}).items():
        files |= _place(path, content)
    return files


def _source(name: str) -> Files:
    kind, _, rest = name.partition("/")
    if kind in KINDS:
        return Case(kind, rest).files()
    found = read_files(ROOT / name)
    assert found, f"expected a folder with files: {name}"
    return found


def _place(path: str, content: Any) -> Files:
    if path.endswith(".json") and not isinstance(content, str | bytes) and "repeat" not in content:
        return {path: json.dumps(content).encode()}
    if isinstance(content, str | bytes | list) or "repeat" in content:
        return {path: _bytes(content)}
    if "link" in content or "pipe" in content:
        return {path: _LINK + content["link"].encode() if "link" in content else _PIPE}
    if "sql" in content:
        return {path: _database(content["sql"])}
    files = _files(content)
    if path.endswith(".zip"):
        return {path: _zip(files)}
    if path.endswith((".tar", ".tar.gz")):
        return {path: _tar(files, "w:gz" if path.endswith(".gz") else "w")}
    if path.endswith(".ipynb"):
        return {path: _notebook(files.values())}
    return {f"{path}/{inner}": data for inner, data in files.items()}


def _database(statements: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(statements)
        return database.serialize()


def _bytes(content: Any) -> bytes:
    if isinstance(content, list):
        return b"".join(map(_bytes, content))
    if isinstance(content, Mapping):
        return _bytes(content["repeat"]) * int(content["times"])
    return content.encode() if isinstance(content, str) else bytes(content)


def _zip(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path, _PACKED), content)
    return buffer.getvalue()


def _tar(files: Files, mode: Literal["w", "w:gz"]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for path, content in files.items():
            member = tarfile.TarInfo(path)
            member.size, member.mtime = len(content), _EPOCH
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def _notebook(cells: Iterable[bytes]) -> bytes:
    code = [
        {"cell_type": "code", "source": cell.decode().splitlines(keepends=True), "outputs": []}
        for cell in cells
    ]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": code}).encode()
