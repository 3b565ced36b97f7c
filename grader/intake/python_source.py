"""What can be told of a student's Python file without running it.

Nothing here believes the file: it is read as text and parsed, never compiled or run. Source that is
nested too deep for Python's parser is like source with a mistake in it.

Python's parser takes memory that grows with the square of a name's parts (``import a.a.a.…``), and before
Python 3.12 time that grows with the square of an f-string's: some ten thousand characters are enough to end
a grader. So a long text is parsed first in a process of its own, with little memory and little time.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from lab.exercises import BY_NAME

_DEFINES: Final = re.compile(rb"\bclass\s+(\w+)")
_CLASS_LINE: Final = re.compile(r"\s*class\s+(\w+)\s*+(?:\([^:]*+)?:?\s*+(?:#.*)?")
_METHOD_LINE: Final = re.compile(r"\s*(?:async\s+)?def\s+\w+\s*+\(\s*+(?:self\b.*|.*:\s*+(?:#.*)?|)")
"""What only Python has: these are read where a slip keeps all the rest from being parsed."""
_BINDS_UNSEEN: Final = re.compile(r"\b(?:globals|exec|setattr|__getattr__|vars)\b")
"""By these a name may come into a module without standing in it."""
_DEEPEST: Final = 20
"""No student's module lies in 20 packages."""
_FEW_NULLS: Final = 0.3
"""The share of null bytes from which on bytes are taken for UTF-16 without a mark."""


@dataclass(frozen=True)
class Source:
    """One file with Python in it."""

    path: str
    """From the top of what was handed in."""
    content: bytes
    is_notebook: bool = False
    notebook: str = ""
    """The notebook that would write this file."""

    @property
    def name(self) -> str:
        """What the student called it."""
        return self.notebook or self.path

    @cached_property
    def text(self) -> str:
        """The file as text, in whichever encoding it is; empty where it is none."""
        better = as_utf8(self.content)
        return text_of(self.content if better is None else better[0]) or ""

    @cached_property
    def tree(self) -> ast.Module | None:
        """The file as a tree; None where it is no Python."""
        return parsed(self.text)

    @cached_property
    def classes(self) -> frozenset[str]:
        """The classes of the lab that the file defines, or evidently would without a slip in it."""
        if not names_a_class(self.text.encode()):
            return frozenset()
        if self.tree is None:
            return frozenset(_evident(self.text)) & BY_NAME.keys()
        return frozenset(s.name for s in scope(self.tree) if isinstance(s, ast.ClassDef)) & BY_NAME.keys()

    def may_bind(self, name: str) -> bool:
        """Tell whether the module has this name once it is loaded, as far as can be told."""
        if name in self.classes or self.tree is None:
            return True
        bound = {found for statement in scope(self.tree) for found in bound_by(statement)}
        return bool(bound & {name, "*"}) or bool(_BINDS_UNSEEN.search(self.text))


def names_a_class(content: bytes) -> bool:
    """Tell whether a file speaks of a class of the exercises as one that defines it does."""
    return any(found[1].decode(errors="replace") in BY_NAME for found in _DEFINES.finditer(content))


def _evident(text: str) -> Iterator[str]:
    """The classes in text that is not quite Python: those that begin as in Python, and have a method."""
    name = ""
    for line in text.splitlines():
        if begins := _CLASS_LINE.fullmatch(line):
            name = begins[1]
        elif name and _METHOD_LINE.fullmatch(line):
            yield name


def text_of(content: bytes) -> str | None:
    """The text as Python would read it; None where it would not."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return content.decode(encoding)
    except (SyntaxError, ValueError, LookupError):
        return None


def parsed(text: str) -> ast.Module | None:
    """Parse a text; None where it is no Python, nested too deep, or made to take all memory or time."""
    if not is_bearable(text):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def scope(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a module's own scope, those within ``if``, ``try`` and the like among them."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.stmt):
                yield child
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
                waiting.append(child)


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement itself gives a meaning; "*" for all of another module."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def modules_of(source: Source, home: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The modules that a file imports, with the names taken from each; ``home`` is the file's place."""
    folder = home.split("/")[:-1]
    for node in ast.walk(source.tree) if source.tree is not None else ():
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names if alias.name.count(".") < _DEEPEST)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").count(".") < _DEEPEST:
            above = folder[: len(folder) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield module, tuple(alias.name for alias in node.names)


def as_utf8(content: bytes) -> tuple[bytes, str] | None:
    """A file that Python cannot read, in UTF-8, and what it was; None where it can, or nobody could."""
    known = text_of(content)
    if known is not None and "\0" not in known:
        return None
    for encoding, is_sure in _encodings(content):
        try:
            text = content.decode(encoding)
        except ValueError:
            continue
        text = text.removeprefix("\ufeff")
        written = text.encode("utf-8", "replace")
        if text_of(written) == text and (is_sure or parsed(text) is not None):
            return written, encoding
    return None


def _encodings(content: bytes) -> Iterator[tuple[str, bool]]:
    """Which encodings to try, and whether the bytes say so themselves."""
    if content.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        yield "UTF-32", True
    elif content.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield "UTF-16", True
    elif content.count(0) > _FEW_NULLS * len(content):
        yield from (("UTF-16-LE", False), ("UTF-16-BE", False))
    else:
        yield from (("Windows-1252", False), ("Latin-1", False))


# --- whether a long text can be parsed at little cost ----------------------------------------------

_SHORT: Final = 8_000
"""What so few characters can cost is known: 20 MB, 10 ms."""
_MEMORY: Final = 256 * 1024**2
_SECONDS: Final = 4
_PROGRAM: Final = f"""
import ast, resource, sys, warnings
warnings.simplefilter("ignore")
text = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
limits = {{"AS": {_MEMORY}, "CPU": {_SECONDS}, "CORE": 0}}
for name, most in limits.items():
    try:
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (most, most))
    except (ValueError, OSError):
        pass  # macOS knows no limit of memory
try:
    ast.parse(text)
except (SyntaxError, ValueError, RecursionError):
    pass
"""


def is_bearable(text: str) -> bool:
    """Tell whether a text may be parsed here, be it Python or not."""
    return len(text) <= _SHORT or _is_bearable(text)


@lru_cache(maxsize=32)
def _is_bearable(text: str) -> bool:
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM]
    given = text.encode("utf-8", "surrogatepass")
    done = subprocess.run(command, input=given, capture_output=True, check=False)  # noqa: S603 - it is only parsed
    return done.returncode == 0
