"""Tells what came in place of Python code: by what is in a file first, by its name second.

Every file that does not compile, or has not the name of a Python file, is one of the kinds in ``KINDS``, or
holds one of the faults in ``FAULTS``, with its line. Where nothing is lost, the code as it was meant is told.
"""

from __future__ import annotations

import ast
import re
import textwrap
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from importlib.util import decode_source
from itertools import pairwise
from typing import Final, NamedTuple


class FileKind(NamedTuple):
    """A kind of file: its name for people, how its name ends, and how its bytes begin."""

    words: str
    suffixes: tuple[str, ...] = ()
    beginning: str = r"(?!)"
    """A pattern of the first bytes."""
    packs: bool = False
    """Whether it is an archive."""


KINDS: Final = {
    "java": FileKind(
        "Java code",
        (".java", ".class", ".jar"),
        r"\xca\xfe\xba\xbe|(//[^\n]*\n|/\*.*?\*/|\s)*+(package [\w.]+;|import java|public (\w+ )?class )",
    ),
    "icloud": FileKind(
        "a placeholder of iCloud, not the file itself, which has to be downloaded first", (".icloud",)
    ),
    "lfs": FileKind("a pointer of Git LFS, not the file itself", (), r"version https://git-lfs"),
    "notebook": FileKind("a notebook", (".ipynb", ".ipynb.txt", ".ipynb.json"), r'\s*\{\s*"(cell|nbf|meta)'),
    "python": FileKind("Python code", (".py",)),
    "compiled": FileKind("what Python compiled, not the code itself", (".pyc", ".pyo"), r"[^\0]\r\r\n"),
    "word": FileKind(
        "a Word document",
        (".docx", ".doc"),
        r"PK\x03\x04.{26}(word/|\[Content_Types\]\.xml.*word/)|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    ),
    "document": FileKind(
        "a text document",
        (".odt", ".rtf", ".pages", ".pptx", ".xlsx"),
        r"\s*\{\\rtf|PK\x03\x04.{26}(mimetype|\[Content_Types\]\.xml|Index/)",
    ),
    "pdf": FileKind("a PDF", (".pdf",), r"%PDF-"),
    "rar": FileKind("a RAR archive", (".rar",), r"Rar!", packs=True),
    "xz": FileKind("an xz archive", (".xz", ".txz"), r"\xfd7zX", packs=True),
    "bzip2": FileKind("a bzip2 archive", (".bz2", ".tbz2"), r"BZh[1-9]", packs=True),
    "zstandard": FileKind("a Zstandard archive", (".zst",), r"\x28\xb5\x2f\xfd", packs=True),
    "split": FileKind(
        "a part of a split archive", (".z01", ".z02", ".001", ".002", ".r00"), r"PK\x07\x08", packs=True
    ),
    "archive": FileKind(
        "an archive that is not read",
        (".7z", ".zip", ".zipx", ".gz", ".tgz", ".tar", ".dmg", ".iso"),
        r"PK[\x03\x05]|7z\xbc\xaf\x27\x1c|\x1f\x8b\x08|.{257}ustar",
        packs=True,
    ),
    "link": FileKind(
        "a shortcut, not the file itself",
        (".lnk", ".url", ".webloc", ".desktop"),
        r"L\0\0\0\x01\x14\x02\0|\s*\[(InternetShortcut|Desktop Entry)\]|book\0\0\0\0mark|bplist00.*URL",
    ),
    "picture": FileKind(
        "a picture",
        (".png", ".jpg", ".jpeg", ".heic", ".gif", ".svg", ".webp", ".bmp"),
        r"\x89PNG|\xff\xd8\xff|GIF8|RIFF.{4}WEBP|.{4}ftyp(heic|mif1)|(\s*<\?xml[^>]*>)?\s*<svg",
    ),
    "page": FileKind(
        "a web page",
        (".html", ".htm", ".mht", ".webarchive"),
        r"\s*(<!--.*?-->\s*|<\?xml[^>]*>\s*)?<(!doctype\s+html|html|head|body|div|pre|p|meta|script|table)\b",
    ),
    "zeros": FileKind("nothing but zeros, as of a file that was not downloaded to its end", (), r"\0{64}"),
    "renamed": FileKind("what is not called .py", (".pyw", ".pyi", ".py3", ".pyx")),
    "data": FileKind("data", (".json", ".csv")),
    "text": FileKind("plain text", (".txt", ".md")),
    "else": FileKind("something else", ("",)),
}
"""The kinds of files, the most informative first."""
_BEGINNINGS: Final = {
    kind: re.compile(each.beginning.encode("latin-1"), re.DOTALL | re.IGNORECASE)
    for kind, each in KINDS.items()
}
HEAD_BYTES: Final = 4096
"""A kind is recognised by the first bytes of a file."""
_PACKED: Final = [("archive", kind) for kind in ("java", "word", "document")]
"""Files of these kinds are archives, too."""
_WITH_MORE: Final = re.compile(r"\.py(~|[._-][^./]*)$")
"""How the name of a Python file ends to which an editor or a tool has appended something."""

FAULTS: Final = {
    "conflict": "line {line} is a conflict marker, which git left where two versions met: keep one of them",
    "diff": "from line {line} on it is the difference of two versions (a diff), not the code itself",
    "fences": "line {line} is a fence (```), as a chat puts around code: keep only the code",
    "prompts": "line {line} begins with a prompt, as Python shows where it is used interactively: "
    "keep only the code",
    "numbered": "line {line} and those below begin with their numbers: keep only the code",
    "letter": "line {line} has the letter {letter}, which only looks like one that belongs there: "
    "type it anew",
    "nulls": "line {line} holds null bytes: save it as UTF-8 (PowerShell's > writes UTF-16), or anew",
    "bytes": "line {line} has a letter that is no UTF-8 ({letter}): save it as UTF-8 "
    "(PowerShell's > writes UTF-16)",
    "other": "what is in it is {letter}: hand in the code itself",
}
"""What is wrong with a file that is to be Python and does not compile, as sentences."""


class Came(NamedTuple):
    """What is wrong with a file, one of ``FAULTS``."""

    fault: str
    line: int = 1
    letter: str = ""
    """The letter that is meant, or for "other" the kind of file, one of ``KINDS``."""
    code: str | None = None
    """The code that was meant, with its line numbers, where nothing of it is lost."""

    @property
    def sentence(self) -> str:
        """What is wrong, in English, with the line."""
        letter = KINDS[self.letter].words if self.fault == "other" else self.letter
        return FAULTS[self.fault].format(line=self.line, letter=letter)


def kind_of(name: str, content: bytes = b"") -> str:
    """Return which of ``KINDS`` a file is."""
    inside, by_suffix = kind_inside(content), kind_by_suffix(name)
    if inside is not None and (inside, by_suffix) not in _PACKED:
        return inside
    if _WITH_MORE.search(name.lower()) and by_suffix in ("text", "else"):
        return "renamed"
    return by_suffix


def kind_by_suffix(name: str) -> str:
    """Return which of ``KINDS`` a file is by the end of its name."""
    return next(kind for kind, each in KINDS.items() if name.lower().endswith(each.suffixes))


def kind_inside(content: bytes) -> str | None:
    """Return which of ``KINDS`` bytes are by how they begin; None where they may be code."""
    head = content[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf")
    return next((kind for kind, beginning in _BEGINNINGS.items() if beginning.match(head)), None)


def recognise(content: bytes) -> Came | None:
    """Return what is wrong with a file that is to be Python; None if it compiles or nothing is known."""
    kind = kind_inside(content)
    if kind is not None:
        return None if _compiles(content.decode("utf-8-sig", "replace")) else Came("other", letter=kind)
    try:
        text = decode_source(content)
    except (SyntaxError, ValueError, LookupError):
        return _bytes(content)
    error = _error(text)
    if error is None:
        return None
    lines = re.split(r"\r\n|\r|\n", text)
    looks = (_nulls, _conflict, _diff, _fences, _prompts, _numbers)
    seen = (came for look in looks if (came := look(lines)) is not None)
    return next((came for came in seen if _explains(came, error)), _letter(lines, error))


def _bytes(content: bytes) -> Came | None:
    """Find the first byte that is no UTF-8; None if it is a declared encoding that is not known."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return Came("bytes", content.count(b"\n", 0, error.start) + 1, f"0x{content[error.start]:02x}")
    return None


def _explains(came: Came, error: SyntaxError) -> bool:
    """Tell whether this is why reading stopped: a docstring may show prompts and fences, too."""
    is_sure = came.code is not None or came.fault in ("nulls", "conflict", "diff", "numbered")
    return is_sure or (error.lineno or 1) <= came.line


def _nulls(lines: list[str]) -> Came | None:
    return next((Came("nulls", number) for number, line in enumerate(lines, 1) if "\0" in line), None)


def _first(pattern: str, lines: Iterable[str]) -> int | None:
    return next((number for number, line in enumerate(lines, 1) if re.match(pattern, line)), None)


def _conflict(lines: list[str]) -> Came | None:
    line = _first(r"\s*(<{7}|>{7})( |$)", lines)
    return None if line is None else Came("conflict", line)


def _diff(lines: list[str]) -> Came | None:
    line = _first(r"diff --git |@@ -\d+(,\d+)? \+\d+(,\d+)? @@|\d+(,\d+)?[acd]\d+(,\d+)?$", lines)
    header = _first(r"(---|\+\+\+|\*\*\*) \S", lines)
    return None if line is None else Came("diff", min(line, header or line))


def _fences(lines: list[str]) -> Came | None:
    """Find code between fences, or code with a fence before or behind it."""
    first = _first(r"\s*(```|~~~)", lines)
    if first is None:
        return None
    inside: list[str] = []
    outside: list[str] = []
    is_inside = False
    for line in lines:
        is_fence = re.match(r"\s*(```|~~~)", line) is not None
        is_inside ^= is_fence
        inside.append(line if is_inside and not is_fence else "")
        outside.append(line if not is_inside and not is_fence else "")
    return Came("fences", first, code=_meant(inside, outside))


def _prompts(lines: list[str]) -> Came | None:
    """Find code as it was typed in, among what Python answered."""
    prompt = re.compile(r"[ \t]*(>>>|\.\.\.|In \[\d+\]:|\.\.\.:)( |$)")
    first = _first(r"[ \t]*(>>>|In \[\d+\]:)( |$)", lines)
    if first is None:
        return None
    typed = [prompt.sub("", line) if prompt.match(line) else "" for line in lines]
    return Came("prompts", first, code=_meant(typed, [prompt.sub("", line) for line in lines]))


def _numbers(lines: list[str]) -> Came | None:
    """Find code with the numbers of its lines, which count up by one, in front."""
    number = re.compile(r"\s*(\d+)[ \t]?[:.|)\]]?(?=\D|$)")
    found = [(at, match) for at, line in enumerate(lines) if (match := number.match(line))]
    counts = [int(match[1]) for _, match in found]
    bare = sum(1 for line in lines if line.strip()) - len(found)
    if len(found) < 3 or bare or any(after != before + 1 for before, after in pairwise(counts)):
        return None
    width = max(match.end() for _, match in found)
    behind, aligned = ([""] * len(lines) for _ in range(2))
    for at, match in found:
        behind[at], aligned[at] = lines[at][match.end() :], lines[at][width:]
    return Came("numbered", found[0][0] + 1, code=_meant(behind, aligned))


def _meant(*tries: list[str]) -> str | None:
    """Return the first text that compiles and defines something, but nothing twice; None if none does."""
    for lines in tries:
        text = textwrap.dedent("\n".join(lines))
        defined = list(_defined(text))
        if defined and len({*defined}) == len(defined):
            return text
    return None


def _defined(text: str) -> Iterator[str]:
    """Yield the names of the classes and functions of a text; none if it does not compile."""
    if _compiles(text):
        for statement in ast.parse(text).body:
            if isinstance(statement, ast.ClassDef | ast.FunctionDef):
                yield statement.name


def _letter(lines: list[str], error: SyntaxError) -> Came | None:
    """Find the letter that is no part of Python, or in a word of other letters, where reading stopped."""
    line = error.lineno or 1
    if found := re.search(r"U\+([0-9A-F]{4,6})", error.msg or ""):
        return Came("letter", line, letter_name(chr(int(found[1], 16))))
    words: list[str] = re.findall(r"\w+", lines[line - 1]) if 0 < line <= len(lines) else []
    odd = (letter for word in words if re.search("[A-Za-z]", word) for letter in word if _is_odd(letter))
    return next((Came("letter", line, letter_name(letter)) for letter in odd), None)


def _is_odd(letter: str) -> bool:
    return letter.isalpha() and not unicodedata.name(letter, "LATIN").startswith("LATIN")


def letter_name(letter: str) -> str:
    """Return a letter as people see it, with what Unicode calls it."""
    name = f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".strip()
    return f"{letter} ({name})" if letter.isprintable() and not letter.isspace() else name


def odd_letter(found: str, meant: str) -> tuple[int, str] | None:
    """Return the place, from 1, and the name of the first letter in which a name differs from the one meant.

    None where they differ in more than letters that only look like those of the keyboard.
    """
    pairs = list(zip(found, meant, strict=False))
    odd = [(place, one) for place, (one, other) in enumerate(pairs, 1) if one != other]
    is_alike = len(found) == len(meant) and all(_is_odd(one) for _, one in odd)
    return (odd[0][0], letter_name(odd[0][1])) if odd and is_alike else None


def _compiles(text: str) -> bool:
    return _error(text) is None


def _error(text: str) -> SyntaxError | None:
    """Return why a text is no Python; None if it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "file", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        except SyntaxError as error:
            return error
        except (ValueError, RecursionError, MemoryError) as error:
            return SyntaxError(str(error))
    return None
