"""A root folder with only this Python: all that a box sees of the machine's files.

Executable, standard library and shared libraries are copied once, to the same paths as outside, so that
Python finds them as usual. They are copied rather than mounted: installed packages (the reference could be
among them) stay outside, a box's user can read the copy wherever the original is, and one mount per box is
enough. Byte code is copied as well, or compiled if it is missing.
"""

from __future__ import annotations

import compileall
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from grader.errors import SandboxError
from grader.sandbox.cache import cached_folder

BOX: Final = "/box"
"""The mount point of a box's contents."""
SCRATCH: Final = "/tmp"  # noqa: S108 - in a box, which nobody shares
"""The only folder in a box to which a submission may write."""

_LEFT_OUT: Final = (
    *("site-packages", "dist-packages", "test", "tests", "idlelib", "ensurepip", "tkinter", "turtledemo"),
    *("lib2to3", "config-*", "*.opt-*.pyc", "*.a", "*.exe", "sitecustomize*", "EXTERNALLY-MANAGED"),
)
_LIBRARY: Final = re.compile(r"(?:=>\s+|^\s*)(/\S+)\s+\(0x", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Runtime:
    """The root folder, and the path of Python in it."""

    root: Path
    python: str
    """Its path inside the root; outside, it is below ``root``."""
    libraries: tuple[str, ...]
    """Paths of the shared libraries that Python uses, the same inside and outside."""


@lru_cache(maxsize=1)
def runtime() -> Runtime:
    """Return the root folder for this Python, building it if necessary. Raises SandboxError."""
    executable = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    library = Path(sysconfig.get_path("stdlib"))
    about = executable.stat()
    version = (
        f"{sys.version}\0{executable}\0{about.st_size}\0{about.st_mtime_ns}\0{library.stat().st_mtime_ns}"
    )
    name = hashlib.sha256(f"{version}\0{_LEFT_OUT}".encode()).hexdigest()[:16]
    root = cached_folder(f"python-{name}", lambda work: _fill(work, executable, library))
    listed = (root / "libraries").read_text(encoding="utf-8").split("\n")
    return Runtime(root, str(executable), tuple(path for path in listed if path))


def _fill(work: Path, executable: Path, library: Path) -> None:
    for folder in {library, Path(sysconfig.get_path("platstdlib"))}:
        _copy_folder(folder, work)
    _copy_file(executable, work)
    modules = sorted(library.glob("lib-dynload/*.so"))
    libraries = _libraries([executable, *modules])
    for path in libraries:
        _copy_file(Path(path), work)
    (work / "libraries").write_text("\n".join(libraries), encoding="utf-8")
    compileall.compile_dir(_below(work, library), quiet=2, stripdir=str(work), prependdir="/")
    for mounted in (BOX, SCRATCH, "/dev"):
        _below(work, Path(mounted)).mkdir(parents=True, exist_ok=True)
    _below(work, Path("/dev/null")).touch()


def _copy_folder(folder: Path, work: Path) -> None:
    shutil.copytree(
        folder, _below(work, folder), ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True
    )


def _copy_file(file: Path, work: Path) -> None:
    target = _below(work, file)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, target)


def _below(work: Path, path: Path) -> Path:
    return work / path.relative_to("/")


def _libraries(files: list[Path]) -> list[str]:
    """Ask the dynamic linker which libraries the files need, directly or indirectly."""
    try:
        asked = subprocess.run(  # noqa: S603 - of Python's own files
            ["ldd", *map(str, files)],  # noqa: S607 - wherever the system has it
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except OSError as error:
        raise SandboxError(f"cannot tell which libraries Python needs: {error}; install ldd") from error
    return sorted(set(_LIBRARY.findall(asked.stdout)))
