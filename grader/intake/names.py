"""Names from outside, of members of an archive, of files and of submissions, and what they say."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.languages import Message, said
from grader.text import shown, visible
from lab.exercises import FILES

ARCHIVE_SUFFIXES: Final = (".zip", ".7z", ".tar", ".tar.gz", ".tgz")
ARCHIVES: Final = f"{', '.join(ARCHIVE_SUFFIXES[:-1])} or {ARCHIVE_SUFFIXES[-1]}"
"""All of them, for people."""
_SAYS_UTF_8: Final = 0x800
_CODE_SUFFIXES: Final = (".py", ".ipynb")

_JUNK: Final = frozenset(
    {"__MACOSX", "__pycache__", "node_modules", "venv", "site-packages", "Thumbs.db", "desktop.ini"}
)
_JUNK_SUFFIXES: Final = (".pyc", ".pyo", "~")
_RESERVED: Final = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_DRIVE: Final = re.compile(r"^[A-Za-z]:(?=[/\\])")
_UNSAFE: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*]')


def is_one_name(name: object) -> bool:
    """Whether this can be the name of a file or folder: one part of a path, and no way out of it."""
    return isinstance(name, str) and name not in ("", ".", "..") and not {"/", "\0"} & set(name)


def parts_of(name: str) -> list[str]:
    """Split a path at slashes of either kind, as unzip does: one that starts at a root starts below."""
    return [part for part in re.split(r"[/\\]", _DRIVE.sub("", name)) if part not in ("", ".")]


def clean_part(part: str) -> str:
    """Return a name in composed Unicode, with a plain space for spaces of other kinds, and without signs that
    nobody sees; what has become empty, hidden or a way out by that gets an underscore."""
    if part.isascii() and part.isprintable() and not part.endswith((" ", ".")):
        return part
    text = "".join(map(_seen, unicodedata.normalize("NFC", part)))
    is_hidden_now = text.startswith(".") and not part.startswith(".")
    if is_hidden_now or not text.strip():
        text = f"_{text.strip()}"
    return text if text == ".." else text.rstrip(" .") or text


def _seen(sign: str) -> str:
    """A character of a name as people see it."""
    kind = unicodedata.category(sign)
    if sign.isprintable():
        return sign
    if "\udc80" <= sign <= "\udcff":  # a byte that is no UTF-8: most are of Western Europe
        return _seen(bytes([ord(sign) - 0xDC00]).decode("cp1252", "replace"))
    return " " if kind in ("Zs", "Zl", "Zp") else "" if kind in ("Cc", "Cf") else "\ufffd"


def is_changed(name: str, path: str) -> bool:
    """Tell whether a path is more than its name with plain separators: whether it was cleaned."""
    plain = unicodedata.normalize("NFC", name).replace("\\", "/")
    return plain.startswith("/") or path != "/".join(
        part for part in plain.split("/") if part not in ("", ".")
    )


def numbered(path: str, number: int) -> str:
    """Return another name for a file, as copying makes it: ``dfs (2).py``."""
    folder, slash, name = path.rpartition("/")
    stem, dot, suffix = name.partition(".")
    return f"{folder}{slash}{stem} ({number}){dot}{suffix}"


def zip_name(name: str, flags: int) -> str:
    """The name of a member as it was meant: where the zip does not say that it is UTF-8, zipfile takes it for
    the code page of the first PC, but a Mac writes UTF-8 all the same, and Windows that of its country."""
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
    """Tell whether a path is what systems and tools leave behind: caches, settings, repositories."""
    return any(part.startswith(".") or part in _JUNK for part in parts) or parts[-1].endswith(_JUNK_SUFFIXES)


def collision_key(path: str) -> str:
    """What two paths share that cannot lie side by side on every system."""
    return unicodedata.normalize("NFC", path.casefold())


def is_code_name(path: Path) -> bool:
    """Tell whether a name ends like that of a Python file or a notebook."""
    return path.suffix.lower() in _CODE_SUFFIXES


def is_archive_name(name: str) -> bool:
    """Tell whether a name ends like that of an archive that intake reads."""
    return clean_part(name).lower().endswith(ARCHIVE_SUFFIXES)


def version_of(name: str) -> tuple[bool, list[int], str]:
    """Of several names the greater one is the later version, as a person would say: v10 after v2, and
    what calls itself final after both."""
    return "final" in name.casefold(), [int(digits) for digits in re.findall(r"\d{1,9}", name)], name


def safe_name(name: str) -> str:
    """Make a name into one that can be a folder everywhere; "submission" where nothing is left."""
    text = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8"))
    text = "".join(c if c.isprintable() else "-" for c in _UNSAFE.sub("-", text))
    text = text.encode()[:150].decode("utf-8", "ignore").lstrip(". ").rstrip(". ")
    return f"_{text}" if _RESERVED.fullmatch(text) else text or "submission"


def submission_name(path: Path) -> str:
    """Name a submission after its folder or archive: one safe part of a path."""
    return safe_name(_called(path))


def student_name(path: Path) -> str:
    """Name a student as the folder or archive is called: with plain spaces, and nothing a terminal obeys."""
    called = unicodedata.normalize("NFC", _called(path))
    spaced = "".join(" " if unicodedata.category(sign) == "Zs" else sign for sign in called)
    return visible(spaced.strip(), one_line=True)


def _called(path: Path) -> str:
    """What a folder is called, or an archive without its ending."""
    name = path.name if path.name not in ("", "..") else path.resolve().name
    for suffix in (*ARCHIVE_SUFFIXES, *_CODE_SUFFIXES):
        if name.lower().endswith(suffix) and not path.is_dir():
            return name[: -len(suffix)]
    return name


# --- what came instead of the six files ---------------------------------------------------------

_KINDS: Final = {
    "came_java": (".java", ".class", ".jar"),
    "came_notebook": (".ipynb",),
    "came_python": (".py",),
    "came_word": (".docx", ".doc"),
    "came_document": (".odt", ".rtf", ".pages"),
    "came_pdf": (".pdf",),
    "came_archive": (".rar", ".7z", ".zip", ".gz", ".tgz", ".tar", ".xz", ".bz2"),
    "came_link": (".url", ".webloc", ".lnk"),
    "came_page": (".html", ".htm"),
    "came_picture": (".png", ".jpg", ".jpeg", ".heic", ".gif", ".svg"),
    "came_text": (".txt", ".md"),
    "came_else": ("",),
}
"""By what their names end with, the most telling first."""
_NAMED: Final = 3


def is_document(path: str) -> bool:
    """Tell whether a name is that of a document, which may be an archive inside but is none to hand in."""
    return _kind(path) not in ("came_archive", "came_else")


def refusal(paths: Collection[str]) -> Message:
    """Say that none of the six files was found, what came, and what to hand in."""
    return said("intake_refused", came=came(paths), wanted=", ".join(FILES))


def came(paths: Collection[str]) -> Message:
    """Say what came, the most telling of it by name."""
    if not paths:
        return said("came_nothing")
    kinds = [kind for kind in _KINDS if any(_kind(path) == kind for path in paths)]
    kind = kinds[0]
    names = sorted(path for path in paths if _kind(path) == kind)
    more = " …" if len(names) > _NAMED else ""
    return said(kind, names=", ".join(map(shown, names[:_NAMED])) + more)


def _kind(path: str) -> str:
    return next(kind for kind, ends in _KINDS.items() if path.lower().endswith(ends))
