"""What came instead of the six files, in plain words, and what to hand in."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from grader.intake.notes import shown
from grader.languages import Message, said
from lab.exercises import FILES

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
