"""The contents of a box besides Python: the lab's library and the runner. Nothing else enters it.

The modules are listed one by one, so that a new file does not get in by itself: they are what students are
promised, and what watches their solvers. Modules that explore mazes, know visit orders, or draw mazes stay
outside; files may still import their stand-ins (stand_ins/). So does the one generator that students are
given: handing the work of MyGenerator to it, or reading its code, earns nothing. Code that tries itself out
while it is loaded gets one maze from it, always the same, which is recognised if MyGenerator returns it.

Folders are built once and then only read; they appear complete or not at all. Several processes may build the
same one. What boxes read is in memory if possible: the kernel caches what was read from a disk, so by the
time of an access a box could tell which files, or names of missing files, an earlier box asked for: a hidden
channel. A file system in memory is always equally fast.
"""

from __future__ import annotations

import compileall
import hashlib
import os
import py_compile
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

import lab
from grader.errors import SandboxError
from grader.sandbox.cgroup import belongs_to_ended, own_name
from lab.user_folders import user_folder

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - its owner is checked
_ROOM_BYTES: Final = 256 * 1024 * 1024
"""The memory that has to be free, enough for two versions of Python."""


def cached_folder(name: str, build: Callable[[Path], None]) -> Path:
    """Return the cache's folder of this name, calling ``build`` if it does not exist yet."""
    target = cache_folder() / name
    if target.is_dir():
        return target
    for left in target.parent.glob(".*-*"):  # unfinished folders of graders that were killed
        if belongs_to_ended(left.name):
            remove(left)
    work = Path(tempfile.mkdtemp(prefix=own_name(f".{name}"), dir=target.parent))
    try:
        build(work)
        _make_read_only(work)
        try:
            work.rename(target)
        except OSError:
            if not target.is_dir():  # another process has built the same one first
                raise
    except OSError as error:
        raise SandboxError(f"cannot fill {target}: {error}; free some space there or remove it") from error
    finally:
        if work.is_dir():
            remove(work)
    return target


def remove(folder: Path) -> None:
    """Remove a read-only folder with its contents."""
    for path, _, _ in os.walk(folder):
        Path(path).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def in_memory() -> bool:
    """Return whether the cache is in memory."""
    return cache_folder().parent == _MEMORY


def cache_folder() -> Path:
    """Return the first folder that is writable and belongs to nobody else.

    Root's can be read by others, since its boxes run as users of their own. Only root's is in memory: files
    that other users keep there are removed when they log out.
    """
    own = user_folder("XDG_CACHE_HOME", ".cache")
    places = [] if own is None else [own]
    if os.geteuid() == 0:
        places.insert(0, Path("/var/cache"))
    if os.geteuid() == 0 and _holds_programs(_MEMORY):
        places.insert(0, _MEMORY)
    places.append(Path(tempfile.gettempdir()))
    for place in places:
        folder = place / (
            f"maze-grader-{os.geteuid()}" if place == Path(tempfile.gettempdir()) else "maze-grader"
        )
        try:
            folder.mkdir(parents=True)
            folder.chmod(0o755)  # regardless of the umask
        except FileExistsError:
            pass
        except OSError:
            continue
        about = folder.lstat()
        ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.geteuid() and not about.st_mode & 0o022
        if ours and os.access(folder, os.W_OK):
            return folder
    raise SandboxError(f"no folder to keep the boxes' files in: expected {places[0]} to be writable")


def kept_folder(name: str) -> Path:
    """Return the folder in which a command keeps what it found out between runs, below the user's own."""
    own = user_folder("XDG_CACHE_HOME", ".cache")
    if own is not None:
        with suppress(OSError):
            (own / "maze-grader" / name).mkdir(parents=True, exist_ok=True)
            return own / "maze-grader" / name
    folder = cache_folder() / name  # a user without a writable home
    folder.mkdir(exist_ok=True)
    return folder


def _holds_programs(memory: Path) -> bool:
    """Return whether the folder is in memory and large enough, and allows programs to run from it."""
    try:
        mounted = [line.split()[1:3] for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
        about = os.statvfs(memory)
    except OSError:
        return False
    room = (memory / "maze-grader").is_dir() or about.f_bavail * about.f_frsize >= _ROOM_BYTES
    return [str(memory), "tmpfs"] in mounted and not about.f_flag & os.ST_NOEXEC and room


def _make_read_only(folder: Path) -> None:
    for path, _, files in os.walk(folder):
        for name in files:
            file = Path(path, name)
            file.chmod(0o555 if file.stat().st_mode & 0o100 else 0o444)
        Path(path).chmod(0o755)


# --- runtime ----------------------------------------------------------------------------------------
# A root folder with only this Python: all that a box sees of the machine's files.
#
# Executable, standard library and shared libraries are copied once, to the same paths as outside, so that
# Python finds them as usual. They are copied rather than mounted: installed packages (the reference could be
# among them) stay outside, a box's user can read the copy wherever the original is, and one mount per box is
# enough. Byte code is copied as well, or compiled if it is missing.

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
        shutil.copytree(
            folder, _below(work, folder), ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True
        )
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


ENVIRONMENT: Final = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": SCRATCH}
"""The complete environment of a runner."""
FLAGS: Final = ("-s", "-S", "-B", "-P", "-X", "utf8")
"""Options of Python: no user folder, no site, no byte code written, no script's folder on the path, UTF-8."""
OWN_PID_NAMESPACE: Final = "--own-pid-namespace"
"""Tells a runner that it may kill every process it sees."""

_LAB: Final = (
    "__init__",
    "absent",
    "desktop",
    "dimension",
    "factory",
    "generator",
    "generators/__init__",
    "half_loaded",
    "identities",
    "leftovers",
    "luck",
    "maze",
    "maze_format",
    "noted",
    "render/__init__",
    "solver",
    "steps",
    "suggestion",
    "vector",
    "waits",
    "watch",
)
"""What students are promised, what watches and records their code, and what passes over what they left in it:
nothing that solves, judges or makes mazes."""
_ABSENT: Final = ("graph", "render/svg", "render/text", "visits", "walker", "way")
"""Parts of the lab that a leftover import may name, and that are not there."""
_STAND_INS: Final = {"generators/aldous_broder": "aldous_broder", **dict.fromkeys(_ABSENT, "absent")}


_ZONES: Final = Path(str(resources.files("tzdata")))
"""The package of the time zones, which machines have in other versions, or not at all."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The folder for a box, byte-compiled for this Python, and the digest of its version."""

    folder: Path
    digest: str


def sources() -> dict[str, bytes]:
    """Return every file that enters a box by path, sorted; of the time zones, the one with the version."""
    library, inside = Path(lab.__file__).parent, Path(__file__).resolve().parents[1] / "inside"
    found = {f"lab/{name}.py": library / f"{name}.py" for name in _LAB}
    found |= {f"inside/{file.name}": file for file in inside.glob("*.py")}
    stand_ins = Path(__file__).parent / "stand_ins"
    found |= {f"lab/{name}.py": stand_ins / f"{file}.py" for name, file in _STAND_INS.items()}
    found["tzdata/__init__.py"] = _ZONES / "__init__.py"
    return {path: file.read_bytes() for path, file in sorted(found.items())}


def zones() -> dict[str, bytes]:
    """Return what a box holds besides the sources: all time zones, of the version that the sources name."""
    found = (path for path in _ZONES.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(_ZONES.parent).as_posix(): path.read_bytes() for path in found}


def digest(files: dict[str, bytes]) -> str:
    """Return a name for this version of the files, which depends only on their names and bytes."""
    seen = hashlib.sha256()
    for path, content in sorted(files.items()):
        seen.update(f"{path}\0{len(content)}\0".encode() + content)
    return seen.hexdigest()[:16]


@lru_cache(maxsize=1)
def contents() -> Contents:
    """Return the folder with a box's contents, building it if necessary."""
    files = sources()
    name = digest(files)
    folder = cached_folder(
        f"box-{name}-{sys.implementation.cache_tag}", lambda work: _write(work, files | zones())
    )
    return Contents(folder, name)


def command(python: str, box: str, *arguments: str, rules: str = "{}") -> list[str]:
    """Return the command that starts a runner, which restricts itself by ``rules`` before it listens."""
    start = (
        f"import sys; sys.path.insert(0, {box!r}); "
        f"from inside.guard import lock_in; lock_in({rules}); "
        "from inside.runner import main; main()"
    )
    return [python, *FLAGS, "-c", start, *arguments]


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files and their byte code, which Python uses without checking their age."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        if file.suffix != ".py":
            continue
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(file), dfile=f"/box/{path}", doraise=True, invalidation_mode=mode)
