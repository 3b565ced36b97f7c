"""The contents of a box besides Python: the lab's library and the runner. Nothing else enters it.

The modules are listed one by one, so that a new file does not get in by itself: they are what students are
promised, and what watches their solvers. Modules that explore mazes, know visit orders, or draw mazes stay
outside; files may still import their stand-ins (stand_ins/). So does the one generator that students are
given: handing the work of MyGenerator to it, or reading its code, earns nothing. Code that tries itself out
while it is loaded gets one maze from it, always the same, which is recognised if MyGenerator returns it.
"""

from __future__ import annotations

import hashlib
import py_compile
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import lab
from grader.sandbox.cache import cached_folder
from grader.sandbox.runtime import SCRATCH

ENVIRONMENT: Final = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": SCRATCH}
"""The complete environment of a runner."""
FLAGS: Final = ("-s", "-S", "-B", "-P", "-X", "utf8")
"""Options of Python: no user folder, no site, no byte code written, no script's folder on the path, UTF-8."""
OWN_PID_NAMESPACE: Final = "--own-pid-namespace"
"""Tells a runner that it may kill every process it sees."""

_LAB: Final = (
    "__init__",
    "absent",
    "dimension",
    "factory",
    "generator",
    "generators/__init__",
    "leftovers",
    "maze",
    "maze_format",
    "render/__init__",
    "solver",
    "steps",
    "vector",
    "watch",
)
"""What students are promised, what watches and records their code, and what passes over what they left in it:
nothing that solves, judges or makes mazes."""
_ABSENT: Final = ("graph", "render/svg", "render/text", "visits", "walker", "way")
"""Parts of the lab that a leftover import may name, and that are not there."""
_STAND_INS: Final = {
    "generators/aldous_broder": "aldous_broder",
    **dict.fromkeys(_ABSENT, "absent"),
}


@dataclass(frozen=True, slots=True)
class Contents:
    """The folder for a box, byte-compiled for this Python, and the digest of its version."""

    folder: Path
    digest: str


def sources() -> dict[str, bytes]:
    """Return every file that enters a box by path, sorted."""
    library, inside = Path(lab.__file__).parent, Path(__file__).resolve().parents[1] / "inside"
    found = {f"lab/{name}.py": library / f"{name}.py" for name in _LAB}
    found |= {f"inside/{file.name}": file for file in inside.glob("*.py")}
    stand_ins = Path(__file__).parent / "stand_ins"
    found |= {f"lab/{name}.py": stand_ins / f"{file}.py" for name, file in _STAND_INS.items()}
    return {path: file.read_bytes() for path, file in sorted(found.items())}


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
    folder = cached_folder(f"box-{name}-{sys.implementation.cache_tag}", lambda work: _write(work, files))
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
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(file), dfile=f"/box/{path}", doraise=True, invalidation_mode=mode)
