"""What can be found out about a student's Python file without running it.

Nothing here trusts the file: it is read as text and parsed, never compiled or run. Source that is nested too
deep for Python's parser is treated like source with a syntax error. To parse some ten thousand characters may
take gigabytes or minutes: it is done where reading has bounds (``grader/reader.py``).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from lab.came import recognise
from lab.exercises import BY_NAME

_DEFINES: Final = re.compile(rb"\bclass\s+(\w+)")
_CLASS_LINE: Final = re.compile(r"\s*class\s+(\w+)\s*+(?:\([^:]*+)?:?\s*+(?:#.*)?")
_METHOD_LINE: Final = re.compile(r"\s*(?:async\s+)?def\s+\w+\s*+\(\s*+(?:self\b.*|.*:\s*+(?:#.*)?|)")
"""The heads of classes and methods: where a syntax error prevents parsing, only these lines are read."""
_BINDS_UNSEEN: Final = re.compile(r"\b(?:globals|exec|setattr|__getattr__|vars)\b")
"""By these a module may get a name that does not stand in its text."""
_FEW_NULLS: Final = 0.3
"""Bytes of which more than this share (0 to 1) are null may be UTF-16 without a byte-order mark."""


@dataclass(frozen=True)
class Source:
    """One file that may hold Python code."""

    path: str
    """Its path from the top of the submission."""
    content: bytes
    is_notebook: bool = False
    notebook: str = ""
    """The notebook that would write this file; "" for a file that was handed in."""

    @property
    def name(self) -> str:
        """The name under which the student handed it in."""
        return self.notebook or self.path

    @cached_property
    def text(self) -> str:
        """The file as text, in whichever encoding, without what a chat, a prompt or a listing put around code
        of the lab; empty if it cannot be decoded."""
        better = as_utf8(self.content)
        text = decode_source(self.content if better is None else better[0]) or ""
        if names_a_class(text.encode("utf-8", "replace")) and parse_source(text) is None:
            came = recognise(text.encode("utf-8", "replace"))
            return text if came is None or came.code is None else came.code
        return text

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree of the file; None if it is no valid Python."""
        return parse_source(self.text)

    @cached_property
    def classes(self) -> frozenset[str]:
        """The classes of the lab that the file defines, or evidently would without a syntax error."""
        if not names_a_class(self.text.encode()):
            return frozenset()
        if self.tree is None:
            return frozenset(_evident_classes(self.text)) & BY_NAME.keys()
        return (
            frozenset(s.name for s in scope_statements(self.tree) if isinstance(s, ast.ClassDef))
            & BY_NAME.keys()
        )

    def may_bind(self, name: str) -> bool:
        """Tell whether the module may have this name once it is loaded."""
        if name in self.classes or self.tree is None:
            return True
        bound = {found for statement in scope_statements(self.tree) for found in bound_names(statement)}
        return bool(bound & {name, "*"}) or bool(_BINDS_UNSEEN.search(self.text))


def names_a_class(content: bytes) -> bool:
    """Tell whether the text of a file contains the head of a class of the exercises."""
    return any(found[1].decode(errors="replace") in BY_NAME for found in _DEFINES.finditer(content))


def _evident_classes(text: str) -> Iterator[str]:
    """Yield the classes in text that cannot be parsed: those whose head is valid, with a method below it."""
    name = ""
    for line in text.splitlines():
        if begins := _CLASS_LINE.fullmatch(line):
            name = begins[1]
        elif name and _METHOD_LINE.fullmatch(line):
            yield name


def decode_source(content: bytes) -> str | None:
    """Decode a file as Python would; None if Python could not."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return content.decode(encoding)
    except (SyntaxError, ValueError, LookupError):
        return None


def parse_source(text: str) -> ast.Module | None:
    """Parse a text; None if it is no Python, or nested too deep."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def scope_statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements of a module's own scope, including those within ``if``, ``try`` and the like."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.stmt):
                yield child
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
                waiting.append(child)


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement itself binds; "*" for all names of another module."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def imported_modules(source: Source, home: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the modules that a file imports, each with the names imported from it; ``home`` is the file's
    path."""
    folder = home.split("/")[:-1]
    for node in ast.walk(source.tree) if source.tree is not None else ():
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = folder[: len(folder) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield module, tuple(alias.name for alias in node.names)


def as_utf8(content: bytes) -> tuple[bytes, str] | None:
    """Re-encode a file that Python cannot read as UTF-8; return it with its encoding.

    None if Python can read it as it is, or if its encoding is unknown.
    """
    known = decode_source(content)
    if known is not None and "\0" not in known:
        return None
    for encoding, is_sure in _encodings(content):
        try:
            text = content.decode(encoding)
        except ValueError:
            continue
        text = text.removeprefix("\ufeff")
        written = text.encode("utf-8", "replace")
        if decode_source(written) == text and (is_sure or parse_source(text) is not None):
            return written, encoding
    return None


def _encodings(content: bytes) -> Iterator[tuple[str, bool]]:
    """Yield the encodings to try, and whether a byte-order mark confirms each."""
    if content.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        yield "UTF-32", True
    elif content.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield "UTF-16", True
    elif content.count(0) > _FEW_NULLS * len(content):
        yield from (("UTF-16-LE", False), ("UTF-16-BE", False))
    else:
        yield from (("Windows-1252", False), ("Latin-1", False))
