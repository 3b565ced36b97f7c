"""The lab in a browser tab: static files beside the kit, for any web server.

Python is Pyodide, which browsers fetch from its CDN, or from the same folder. Each file of it is known by its
digest, and nothing else is run.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Template
from typing import Any, Final

from grader.errors import GraderError
from grader.release.kit import Kit, make_zip
from grader.shipped import folder
from lab import __version__
from lab.exercises import BY_ID, Exercise
from lab.own_mazes import SUFFIX
from lab.render.page import asset, page_style, sha256, theme

NAME: Final = "browser"
PYODIDE: Final = "https://cdn.jsdelivr.net/npm/pyodide@314.0.7/"
PYODIDE_FILES: Final[Mapping[str, tuple[int, str]]] = {
    "pyodide.mjs": (17931, "bx1g979Sm+swDw9HmDySHTmCNjZAuiCvDjjv3dvGYQk="),
    "pyodide.asm.mjs": (1250344, "983I7OgGeM63EvjmXr5tOoMgOhgMOZhl9JYSoFFpNjU="),
    "pyodide.asm.wasm": (9598218, "zDbjyrBP38mmP/E+tS6uK5Eb9GwCXMeygfOUvT3h1eY="),
    "python_stdlib.zip": (2545637, "+hlX5XdwaPxPdDf5bYYK4vvpwZcyugbITgBOwW3X3Xo="),
}
"""What the page needs of Pyodide: sizes in bytes, and SHA-256."""
_SOURCE: Final = folder("grader") / "release" / NAME
_TEMPLATE: Final = "student_template/"
_NOT_WORK: Final = ("tests/", "lab/")
_PAGE: Final = (
    "default-src 'none'; script-src 'self' 'sha256-{script}'; style-src 'self' 'nonce-editor'; "
    "style-src-attr 'unsafe-inline'; connect-src 'self'{elsewhere}; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
"""What the page may do. The nonce is for the editor, which writes a style of its own; browsers put attributes
into what is typed over."""
_FRAME: Final = (
    "default-src 'none'; script-src 'sha256-{script}' blob: 'wasm-unsafe-eval'; worker-src blob:; "
    "base-uri 'none'; form-action 'none'"
)
"""What students' code may do: run, and nothing else. Python is WebAssembly, which browsers compile only where
'wasm-unsafe-eval' is allowed; that allows no JavaScript to be evaluated."""

_PANEL: Final = (
    "default-src 'none'; script-src 'sha256-{script}' {scripts}; style-src {styles}; base-uri 'none'; "
    "form-action 'none'"
)
"""What a page may do that students' code can make another of: run the scripts of the kit's pages."""


def read_pyodide(place: Path) -> dict[str, bytes]:
    """Return the files of Pyodide from a folder. Raises GraderError unless they are those that are known."""
    found: dict[str, bytes] = {}
    for name, (_, digest) in PYODIDE_FILES.items():
        try:
            found[name] = (place / name).read_bytes()
        except OSError as error:
            raise GraderError(f"{place / name} cannot be read: expected a file of {PYODIDE}") from error
        if _digest(found[name]) != digest:
            raise GraderError(f"{place / name} is another version: expected the file of {PYODIDE}")
    return found


def make_browser(
    kit: Kit, handouts: Mapping[str, bytes], pyodide: Mapping[str, bytes] | None = None, *, title: str = ""
) -> dict[str, bytes]:
    """Return the files of the page by path, for a kit with handouts in these languages.

    With the files of ``pyodide``, they are among them; else browsers fetch them from its CDN.
    """
    lab = {name: content for name, content in kit.files.items() if name.startswith("lab/")}
    archive = make_zip("", lab)
    wanted = {
        **dict(_of_pyodide(pyodide)),
        "kit.zip": _wanted("kit.zip", archive),
        "worker.js": _wanted("worker.js", (_SOURCE / "worker.js").read_bytes()),
    }
    config = {
        "title": title,
        "version": __version__,
        "service": "",
        "exercises": [_exercise(BY_ID[each]) for each in kit.exercises],
        **_student_files(kit.files),
        "handouts": {language: f"handout.{language}.html" for language in handouts},
        "wanted": wanted,
    }
    packed = {f"pyodide/{_name(name)}": _pack(name, content) for name, content in (pyodide or {}).items()}
    elsewhere = "" if pyodide else f" {PYODIDE}"
    return {
        **dict(_static(elsewhere)),
        **{f"handout.{language}.html": page for language, page in handouts.items()},
        **_pictures(kit.files),
        "kit.zip": archive,
        "config.json": json.dumps(config, ensure_ascii=False, indent=1).encode(),
        **packed,
    }


def _static(elsewhere: str) -> Iterable[tuple[str, bytes]]:
    """Yield the files that are the same for each course, with their policies."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(_SOURCE.iterdir())}
    known = {
        "elsewhere": elsewhere,
        "scripts": _known(asset("page.js"), asset("trace.js")),
        "styles": _known(page_style(), page_style() + asset("trace.css")),
    }
    for page, script, policy in (
        ("index.html", "by_file.js", _PAGE),
        ("frame.html", "frame.js", _FRAME),
        ("panel.html", "shown.js", _PANEL),
    ):
        code = texts.pop(script)
        allowed = policy.format(script=sha256(code), **known)
        texts[page] = Template(texts[page]).substitute(policy=allowed, script=code)
    texts["page.css"] = theme() + texts["page.css"]
    yield from ((name, text.encode()) for name, text in texts.items())


def _known(*texts: str) -> str:
    return " ".join(f"'sha256-{sha256(text)}'" for text in texts)


def _exercise(exercise: Exercise) -> dict[str, Any]:
    solves = exercise.kind in ("solver", "walker")
    return {"id": exercise.id, "title": exercise.title, "file": exercise.file, "name": exercise.name} | {
        "solves": solves
    }


def _student_files(files: Mapping[str, bytes]) -> dict[str, dict[str, str]]:
    """Return what students begin with: their Python files, and the mazes."""
    own = {
        name.removeprefix(_TEMPLATE): content.decode()
        for name, content in files.items()
        if name.startswith(_TEMPLATE) and not name.removeprefix(_TEMPLATE).startswith(_NOT_WORK)
    }
    return {
        "files": {name: text for name, text in own.items() if name.endswith(".py")},
        "mazes": {name: text for name, text in own.items() if name.endswith(SUFFIX)},
    }


def _pictures(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the pictures of the handout."""
    start = f"{_TEMPLATE}pictures/"
    return {
        name.removeprefix(_TEMPLATE): content for name, content in files.items() if name.startswith(start)
    }


def _of_pyodide(files: Mapping[str, bytes] | None) -> Iterable[tuple[str, dict[str, Any]]]:
    for name, (size, digest) in PYODIDE_FILES.items():
        if files is None:
            yield name, {"from": PYODIDE + name, "integrity": f"sha256-{digest}", "bytes": size}
        else:
            packed = _name(name) != name
            yield name, _wanted(f"pyodide/{_name(name)}", _pack(name, files[name])) | {"packed": packed}


def _wanted(place: str, content: bytes) -> dict[str, Any]:
    """Return where a file is, which another version of it in a browser's cache is not taken for."""
    address = f"{place}?{hashlib.sha256(content).hexdigest()[:12]}"
    return {"from": address, "integrity": f"sha256-{_digest(content)}", "bytes": len(content)}


def _name(name: str) -> str:
    """Return the name of a packed file; no server knows this suffix, so that none unpacks it by itself."""
    return name if name.endswith(".zip") else f"{name}.packed"


def _pack(name: str, content: bytes) -> bytes:
    """Pack what is no archive, since simple servers do not."""
    return content if name.endswith(".zip") else gzip.compress(content, mtime=0)


def _digest(content: bytes) -> str:
    return base64.b64encode(hashlib.sha256(content).digest()).decode()
