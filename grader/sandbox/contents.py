"""The contents of a box besides Python: the lab's library, and the runner. Nothing else enters it.

The list of modules is explicit, so that no new module gets in by accident. The one generator that students
are given is replaced by a stand-in that raises an error: delegating MyGenerator's work to it, or reading its
code, earns nothing. While a file is loaded, the stand-in returns a fixed maze, so that code can try itself
out; that maze is recognised if MyGenerator returns it.
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
"""Tells a runner that it may end every process it sees."""

_LAB: Final = (
    "__init__",
    "dimension",
    "factory",
    "generator",
    "generators/__init__",
    "graph",
    "maze",
    "maze_format",
    "render/__init__",
    "render/colours",
    "render/strokes",
    "render/svg",
    "render/text",
    "solver",
    "vector",
    "visits",
    "walker",
    "watch",
    "way",
)
_STAND_IN: Final = '''"""Stands where the generator is that students are given; its code stays outside."""

from __future__ import annotations

import sys

from lab.dimension import Dimension
from lab.factory import Factory
from lab.generator import Generator
from lab.maze import Maze
from lab.vector import EAST, SOUTH


class AldousBroderNotAvailable(RuntimeError):
    """Somebody else was to do the work."""

    def __init__(self) -> None:
        super().__init__("AldousBroder is given: MyGenerator has to make the maze itself")


class AldousBroder(Generator):
    """Makes nothing here, but for code that tries itself out while it is loaded."""

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Refuse in a call; one perfect maze a dimension otherwise. Raises AldousBroderNotAvailable."""
        if not _is_loading():
            raise AldousBroderNotAvailable
        maze = factory.fully_disconnected(dimension)
        for cell in dimension.all_positions():
            row, column = cell
            number = (3 * row * row + 5 * column * column + 7 * row * column) // 4
            moves = [move for move in (EAST, SOUTH) if dimension.includes(cell + move)]
            if moves:
                maze.break_wall(cell, moves[number % len(moves)])
        return maze


def _is_loading() -> bool:
    frame = sys._getframe()
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and code.co_filename.startswith("/submission/"):
            return True
        frame = frame.f_back
    return False
'''


@dataclass(frozen=True, slots=True)
class Contents:
    """The folder that a box holds, byte-compiled for this Python, and the digest of its version."""

    folder: Path
    digest: str


def sources() -> dict[str, bytes]:
    """Return every file that enters a box, by path, in the order of the paths."""
    library, inside = Path(lab.__file__).parent, Path(__file__).resolve().parents[1] / "inside"
    found = {f"lab/{name}.py": library / f"{name}.py" for name in _LAB}
    found |= {f"inside/{file.name}": file for file in inside.glob("*.py")}
    files = {path: file.read_bytes() for path, file in found.items()}
    files["lab/generators/aldous_broder.py"] = _STAND_IN.encode()
    return dict(sorted(files.items()))


def digest(files: dict[str, bytes]) -> str:
    """Return a name for this version of the files, which depends on nothing but their names and bytes."""
    seen = hashlib.sha256()
    for path, content in sorted(files.items()):
        seen.update(f"{path}\0{len(content)}\0".encode() + content)
    return seen.hexdigest()[:16]


@lru_cache(maxsize=1)
def contents() -> Contents:
    """Return the folder with the contents of a box, built if it does not exist yet."""
    files = sources()
    name = digest(files)
    folder = cached_folder(f"box-{name}-{sys.implementation.cache_tag}", lambda work: _write(work, files))
    return Contents(folder, name)


def command(python: str, box: str, *arguments: str, rules: str = "{}") -> list[str]:
    """Return the command that starts a runner, which first restricts itself by ``rules`` and then listens."""
    start = (
        f"import sys; sys.path.insert(0, {box!r}); "
        f"from inside.guard import lock_in; lock_in({rules}); "
        "from inside.runner import main; main()"
    )
    return [python, *FLAGS, "-c", start, *arguments]


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files and their byte code, which Python uses without checking whether it is out of date."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(file), dfile=f"/box/{path}", doraise=True, invalidation_mode=mode)
