"""Put an input together from the few lines of its ``input.yaml``.

A tree is a mapping with up to four keys: ``from`` (a submission of the corpus such as ``wrong/dfs-never-
marks``, a folder of the repository, or a list of these, later ones on top), ``remove`` (paths), ``edit`` (old
text to new text by path) and ``files`` (by path, a text, bytes, a text to ``repeat`` so many ``times``, or a
tree). A tree whose path ends in ``.zip`` is packed, one whose path ends in ``.ipynb`` becomes a notebook with
a cell for each of its files; what stands at one that ends in ``.json`` is data; any other is a folder. In
place of a tree, ``{sql: ...}`` is a database that these statements made.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from grader.verification.bank import read_files
from tests.submissions.loader import KINDS, Case

ROOT = Path(__file__).parents[2]
_EPOCH = 1_790_000_000
"""When every file was last changed, in seconds: a day in September 2026."""
_PACKED = (2026, 9, 21, 14, 13, 20)
Files = dict[str, bytes]


def build(tree: Mapping[str, Any], folder: Path) -> None:
    """Write a tree to a folder."""
    for path, content in _files(tree).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        os.utime(target, (_EPOCH, _EPOCH))


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


def _place(path: str, content: str | bytes | Mapping[str, Any]) -> Files:
    if isinstance(content, str | bytes):
        return {path: content.encode() if isinstance(content, str) else content}
    if "repeat" in content:
        return {path: content["repeat"].encode() * content["times"]}
    if path.endswith(".json"):
        return {path: json.dumps(content).encode()}
    if "sql" in content:
        return {path: _database(content["sql"])}
    files = _files(content)
    if path.endswith(".zip"):
        return {path: _zip(files)}
    if path.endswith(".ipynb"):
        return {path: _notebook(files.values())}
    return {f"{path}/{inner}": data for inner, data in files.items()}


def _database(statements: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(statements)
        return database.serialize()


def _zip(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path, _PACKED), content)
    return buffer.getvalue()


def _notebook(cells: Iterable[bytes]) -> bytes:
    code = [
        {"cell_type": "code", "source": cell.decode().splitlines(keepends=True), "outputs": []}
        for cell in cells
    ]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": code}).encode()
