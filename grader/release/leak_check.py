"""Check that a kit reveals nothing: search each of its files for each secret."""

from __future__ import annotations

import ast
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from grader.release.maze_drawings import Rows, canonical, drawings, walls
from grader.release.secrets import CODE_LINES, Secrets, statements
from lab.exercises import BY_ID

_NEVER_IMPORTED: Final = ("grader", "reference")
_MARKS: Final = re.compile(r"^[#>*\s]+")
"""Marks of comments and quotations at the beginning of a line."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret in a file of the kit."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def find_leaks(files: Mapping[str, bytes], secrets: Secrets) -> list[Leak]:
    """Return the secrets found in a kit's files, given by path; each place is named once."""
    found: dict[tuple[str, int, str], Leak] = {}
    for name, content in files.items():
        for line, what in _find_in_file(name, content, secrets):
            found.setdefault((name, line, what), Leak(name, line, what))
    return list(found.values())


def opened(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files with what is in their archives, and each text of a JSON file, in the place of these.

    Leaves out Pyodide, each file of which is known by its digest.
    """
    found: dict[str, bytes] = {}
    for name, content in files.items():
        if name.endswith("/kit.zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                inside = {f"{name}/{each}": archive.read(each) for each in archive.namelist()}
            found |= opened(inside)
        elif name.endswith(".json"):
            found |= {f"{name}/{key}": text.encode() for key, text in _texts(json.loads(content))}
        elif "/pyodide/" not in name:
            found[name] = content
    return found


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _texts(each, f"{key}{'/' * bool(key)}{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _texts(each, f"{key}/{number}")
    elif isinstance(value, str):
        yield key, value


def drawn_in(files: Mapping[str, bytes]) -> dict[Rows, str]:
    """Return the canonical forms of all mazes drawn in files, each with the first file that shows it."""
    found: dict[Rows, str] = {}
    for name, content in files.items():
        for _, rows in drawings(content.decode("utf-8", "replace")):
            for form in (rows, walls(rows)):
                found.setdefault(canonical(form), name)
    return found


def _find_in_file(name: str, content: bytes, secrets: Secrets) -> Iterator[tuple[int, str]]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        yield 1, "is not text in UTF-8, so it cannot be checked"
        return
    yield from _find_in_text(text, secrets)
    if name.endswith(".py"):
        yield from _find_in_code(name, text, secrets)


def _find_in_text(text: str, secrets: Secrets) -> Iterator[tuple[int, str]]:
    for line, rows in drawings(text):
        for form in (rows, walls(rows)):
            if (what := secrets.mazes.get(canonical(form))) is not None:
                yield line, what
    yield from _find_words(text, secrets)
    lines = [(number, _MARKS.sub("", line).strip()) for number, line in enumerate(text.split("\n"), 1)]
    yield from _find_statements([(number, line) for number, line in lines if line], secrets)


def _find_words(text: str, secrets: Secrets) -> Iterator[tuple[int, str]]:
    """Yield secret texts, ignoring line breaks and comment marks between their words."""
    starts, joined = [], ""
    for line in text.split("\n"):
        starts.append(len(joined))
        joined += " ".join(_MARKS.sub("", line).split()) + " "
    for words, what in secrets.words.items():
        if words not in joined:
            continue
        for found in re.finditer(rf"(?<![\w.-]){re.escape(words)}(?![\w-])", joined):
            yield sum(start <= found.start() for start in starts), what


def _find_in_code(name: str, text: str, secrets: Secrets) -> Iterator[tuple[int, str]]:
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        yield error.lineno or 1, "is not valid Python, so it cannot be checked"
        return
    for node in ast.walk(tree):
        for module in _imported_modules(node):
            if module in _NEVER_IMPORTED:
                yield getattr(node, "lineno", 1), f"imports {module}, which students do not get"
        if isinstance(node, ast.FunctionDef):
            yield from _find_statements([(node.lineno, line) for line in statements(node)], secrets)
    yield from _find_written_methods(name, tree)


def _imported_modules(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield (node.module or "").split(".")[0]


def _find_statements(lines: Sequence[tuple[int, str]], secrets: Secrets) -> Iterator[tuple[int, str]]:
    """Yield places with consecutive statements of the reference."""
    for start in range(len(lines) - CODE_LINES + 1):
        window = lines[start : start + CODE_LINES]
        if (what := secrets.code.get(tuple(line for _, line in window))) is not None:
            yield window[0][0], what


def _find_written_methods(name: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield methods of exercises that are more than a skeleton."""
    for exercise in BY_ID.values():
        if not name.endswith(f"/{exercise.file}"):
            continue
        names = exercise.methods or {exercise.name}
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef) or node.name not in names:
                continue
            if statements(node) != ("raise NotImplementedError",):
                yield node.lineno, f"{node.name} is implemented, although students are to write it"
