"""Names from outside, and what a Python file is by what stands in it, without running it.

Nothing here trusts the file: it is read as text and parsed, never compiled or run. Source that is nested too
deep for Python's parser is treated like source with a syntax error. To parse some ten thousand characters may
take gigabytes or minutes: it is done where reading has bounds (``grader/reader.py``).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from grader.languages import Message, said
from grader.reader import check_reading
from grader.text import is_left_by_system, shown, visible
from lab.came import KINDS, kind_by_suffix, kind_of, recognise
from lab.exercises import BY_NAME, FILES

ARCHIVE_SUFFIXES: Final = (".zip", ".7z", ".tar", ".tar.gz", ".tgz")
ARCHIVES: Final = f"{', '.join(ARCHIVE_SUFFIXES[:-1])} or {ARCHIVE_SUFFIXES[-1]}"
"""All archive suffixes that are read, as a phrase for people."""
PACKED_FILE: Final = ".gz"
"""The suffix of one file that is packed, which is read, too: ``bfs.py.gz``."""
_SAYS_UTF_8: Final = 0x800
_CODE_SUFFIXES: Final = (".py", ".ipynb")

_JUNK: Final = frozenset({"__pycache__", "node_modules", "venv", "site-packages"})
_PLACEHOLDER: Final = re.compile(r"\.(?P<name>.+)\.icloud", re.DOTALL)
_LEFTOVERS: Final = (".pyc", ".pyo", "~")
_RESERVED: Final = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_DRIVE: Final = re.compile(r"^[A-Za-z]:(?=[/\\])")
_UNSAFE: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*]')


def is_one_name(name: object) -> bool:
    """Tell whether this can be the name of a file or folder: one part of a path that does not lead out of
    it."""
    return isinstance(name, str) and name not in ("", ".", "..") and not {"/", "\0"} & set(name)


def split_path(name: str) -> list[str]:
    """Split a path at slashes of either kind, as unzip does; an absolute path becomes a relative one."""
    return [part for part in re.split(r"[/\\]", _DRIVE.sub("", name)) if part not in ("", ".")]


def clean_part(part: str) -> str:
    """Return a name in composed Unicode, with plain spaces, and without invisible characters.

    A name that cleaning made empty or hidden gets an underscore.
    """
    if part.isascii() and part.isprintable() and not part.endswith((" ", ".")):
        return part
    text = "".join(map(_clean_character, unicodedata.normalize("NFC", part)))
    is_hidden_now = text.startswith(".") and not part.startswith(".")
    if is_hidden_now or not text.strip():
        text = f"_{text.strip()}"
    return text if text == ".." else text.rstrip(" .") or text


def _clean_character(sign: str) -> str:
    """Return a character of a name as people see it; "" if it is invisible."""
    kind = unicodedata.category(sign)
    if sign.isprintable():
        return sign
    if "\udc80" <= sign <= "\udcff":  # a byte that is no UTF-8: most are of Western Europe
        return _clean_character(bytes([ord(sign) - 0xDC00]).decode("cp1252", "replace"))
    return " " if kind in ("Zs", "Zl", "Zp") else "" if kind in ("Cc", "Cf") else "\ufffd"


def is_changed(name: str, path: str) -> bool:
    """Tell whether cleaning changed more of a name than its separators."""
    plain = unicodedata.normalize("NFC", name).replace("\\", "/")
    return plain.startswith("/") or path != "/".join(
        part for part in plain.split("/") if part not in ("", ".")
    )


def numbered_name(path: str, number: int) -> str:
    """Return the name with a number, as copying appends it: ``dfs (2).py``."""
    folder, slash, name = path.rpartition("/")
    stem, dot, suffix = name.partition(".")
    return f"{folder}{slash}{stem} ({number}){dot}{suffix}"


def decode_zip_name(name: str, flags: int) -> str:
    """Decode a member's name as it was meant.

    Where the flags do not declare UTF-8, zipfile decodes it in code page 437; but a Mac writes UTF-8 all the
    same, and Windows the code page of its country.
    """
    if flags & _SAYS_UTF_8 or name.isascii():
        return name
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:  # from a field beside it, which says how it is encoded
        return name
    with suppress(UnicodeDecodeError):
        return raw.decode("utf-8")
    return name if _is_of_letters(name) or not _is_of_letters(raw.decode("cp850")) else raw.decode("cp850")


def _is_of_letters(name: str) -> bool:
    return all(character.isascii() or character.isalpha() for character in name)


def is_junk(parts: tuple[str, ...]) -> bool:
    """Tell whether systems and tools leave such a path behind: caches, settings, repositories."""
    return any(
        (part.startswith(".") and not is_placeholder(part)) or part in _JUNK or is_left_by_system(part)
        for part in parts
    )


def is_leftover(path: str) -> bool:
    """Tell whether Python or an editor made a file beside another: it is told where the other is missing."""
    return path.endswith(_LEFTOVERS)


def is_placeholder(name: str) -> bool:
    """Tell whether a name is that of a file that iCloud has left on its servers: ``.lab.zip.icloud``."""
    return _PLACEHOLDER.fullmatch(name) is not None


def collision_key(path: str) -> str:
    """Return a key that is equal for two paths that cannot lie side by side on every system."""
    return unicodedata.normalize("NFC", path.casefold())


def is_code_name(path: Path) -> bool:
    """Tell whether a name ends like that of a Python file or a notebook."""
    return path.suffix.lower() in _CODE_SUFFIXES


def is_archive_name(name: str) -> bool:
    """Tell whether a name ends like that of an archive that intake reads."""
    return clean_part(name).lower().endswith((*ARCHIVE_SUFFIXES, PACKED_FILE))


def is_called_archive(name: str) -> bool:
    """Tell whether a name ends like that of an archive, also of one that is not read."""
    return kind_by_suffix(clean_part(name)) in _ARCHIVES


def safe_name(name: str) -> str:
    """Return a name that can be a folder on every system; "submission" if nothing is left."""
    text = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8"))
    text = "".join(c if c.isprintable() else "-" for c in _UNSAFE.sub("-", text))
    text = text.encode()[:150].decode("utf-8", "ignore").lstrip(". ").rstrip(". ")
    return f"_{text}" if _RESERVED.fullmatch(text) else text or "submission"


def submission_name(path: Path) -> str:
    """Return the name of a submission, after its folder or archive, as one safe part of a path."""
    return safe_name(_base_name(path))


def student_name(path: Path) -> str:
    """Return the name of a student, after the folder or archive, with plain spaces and safe to print on a
    terminal."""
    called = unicodedata.normalize("NFC", _base_name(path))
    spaced = "".join(" " if unicodedata.category(sign) == "Zs" else sign for sign in called)
    return visible(spaced.strip(), one_line=True)


def _base_name(path: Path) -> str:
    """Return the name of a folder, or that of an archive without its suffix."""
    name = path.name if path.name not in ("", "..") else path.resolve().name
    if (placeholder := _PLACEHOLDER.fullmatch(name)) is not None:
        name = placeholder["name"]
    for suffix in (*ARCHIVE_SUFFIXES, *_CODE_SUFFIXES):
        if name.lower().endswith(suffix) and not path.is_dir():
            return name[: -len(suffix)]
    return name


# --- what came instead of the six files ---------------------------------------------------------

_ARCHIVES: Final = {kind for kind, each in KINDS.items() if each.packs}
_MAY_BE_WORK: Final = {
    *_ARCHIVES,
    *("java", "icloud", "lfs", "notebook", "compiled", "word", "document", "pdf", "renamed"),
}
"""Files of these kinds may hold the work of a student in a form that is not read."""
_MAY_STAND_FOR_WORK: Final = {*_MAY_BE_WORK, "link", "picture"}
"""Files of these kinds may have come in place of a file that is not there."""
_NO_WORK: Final = {"python", "link", "page", "picture"}
"""Files of these kinds are read, or are none even if they are called as an exercise is."""
_MAY_HIDE_ARCHIVES: Final = {*_ARCHIVES, "else", "python", "notebook", "text", "data", "renamed"}
_MOST_NAMED: Final = 3
"""At most 3 files are named in a message."""


def is_document(path: str) -> bool:
    """Tell whether a name is that of a document: it may be an archive inside, but is not read as one."""
    return kind_of(path) not in (*_ARCHIVES, "else")


def may_hide_archive(path: str) -> bool:
    """Tell whether a file of this name is an archive if it begins as one: no format of its own does."""
    return kind_of(path) in _MAY_HIDE_ARCHIVES


def may_be_work(path: str, *, is_named: bool, is_absent: bool) -> bool:
    """Tell whether a file that was not read may hold work: by its kind or, if ``is_named``, as it is called
    as an exercise; ``is_absent`` tells whether the file of that exercise, or of any, is not there."""
    kind = kind_of(path)
    if is_absent:
        return kind in _MAY_STAND_FOR_WORK or (is_named and kind != "python")
    return kind in _MAY_BE_WORK or (is_named and kind not in _NO_WORK)


def refusal_message(kinds: Mapping[str, str], damaged: Collection[str] = ()) -> Message:
    """Return the message that none of the six files was found, with what was found and what to hand in.

    ``kinds`` are those of the files by path; ``damaged`` are notebooks that could not be read.
    """
    return said("intake_refused", came=describe_files(kinds, damaged), wanted=", ".join(FILES))


def describe_files(kinds: Mapping[str, str], damaged: Collection[str] = ()) -> Message:
    """Return a message that describes what was handed in, and names files of the most informative kind."""
    if not kinds:
        return said("came_nothing")
    kind = next(kind for kind in KINDS if kind in kinds.values())
    names = sorted(path for path in kinds if kinds[path] == kind)
    more = " …" if len(names) > _MOST_NAMED else ""
    kind = "damaged" if kind == "notebook" and set(names) <= set(damaged) else kind
    told = ", ".join(map(shown, names[:_MOST_NAMED])) + more
    return said("came_named", what=said(f"came_{kind}"), names=told)


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


_SPELT: Final = r" \x41 \u0041 \N{DOT} +AEE- ~{<:~} =41 .xn--bcher-kva."
_ASCII: Final = "".join(map(chr, (9, 10, *range(32, 127)))) + _SPELT
"""All of ASCII that a file of code holds, and what encodings spell other characters by."""


def decode_source(content: bytes) -> str | None:
    """Decode a file as Python would; None if Python could not. Raises RuntimeError outside of a reader."""
    check_reading()
    encoding = declared_encoding(content)
    if encoding is None or not is_text_encoding(encoding):
        return None
    try:
        return content.decode(encoding)
    except ValueError:
        return None


def declared_encoding(content: bytes) -> str | None:
    """Return the encoding that a file names, or UTF-8; None where Python refuses it."""
    try:
        return tokenize.detect_encoding(io.BytesIO(content).readline)[0]
    except SyntaxError:
        return None


@cache
def is_text_encoding(name: str) -> bool:
    """Tell whether ASCII stands for itself in an encoding, whatever stands beside it.

    So it does in those of all alphabets. Those that spell other characters in ASCII (punycode, utf-7), or are
    none of text (rot13, zlib), hide code from whoever reads it, and may take quadratic time.
    """
    try:
        return _ASCII.encode("ascii").decode(name) == _ASCII
    except (ValueError, LookupError):
        return False


def parse_source(text: str) -> ast.Module | None:
    """Parse a text; None if it is no Python, or nested too deep. Raises RuntimeError outside of a reader."""
    check_reading()
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


def definitions_needed(tree: ast.Module, name: str, without: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what a module's own scope binds to a name, and to all names in that, as dumps of the syntax; the
    last of several, and no import. Names in ``without`` are not followed. Raises RecursionError."""
    bound: dict[str, ast.stmt] = {}
    for statement in sorted(scope_statements(tree), key=lambda each: each.lineno):
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            bound |= dict.fromkeys(bound_names(statement), statement)
    left, seen = [name], {name, *without}
    while left:
        if (found := bound.get(one := left.pop())) is not None:
            yield one, ast.dump(found)
            names = {node.id for node in ast.walk(found) if isinstance(node, ast.Name)} - seen
            seen |= names
            left += names


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
