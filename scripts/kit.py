"""Packs what students get: ``lab`` with the command ``maze``, and the template; no answers, no grader.

python scripts/kit.py [ZIP]        default: dist/mazes-lab.zip
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = "mazes-lab"
TIME = (2026, 1, 1, 0, 0, 0)
"""Of every file, so that the same sources give the same bytes."""

PYPROJECT = """\
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "mazes-lab"
dynamic = ["version"]
description = "The lab on mazes as graphs: what students are given"
requires-python = ">=3.11"
dependencies = ["pytest"]

[project.optional-dependencies]
plot = ["matplotlib", "networkx", "pillow"]

[project.scripts]
maze = "lab.cli:main"

[tool.setuptools.dynamic]
version = { attr = "lab.__version__" }

[tool.setuptools.packages.find]
include = ["lab*"]

[tool.setuptools.package-data]
lab = ["py.typed"]
"""


README = """\
# The lab on mazes as graphs

You need Python 3.11 or later. In this folder, the first time:

    python3 -m venv .venv              (on Windows: py -m venv .venv)
    . .venv/bin/activate               (on Windows: .venv\\Scripts\\activate)
    python -m pip install .

In every new terminal, activate the environment again, with the second line. Then work in student_template:

    cd student_template
    maze check

- student_template/README.md is the handout: what to write, how to test it, what to hand in.
- student_template holds the six files that you write, some mazes, and the public tests.
- lab holds what you are given; read it, and leave it as it is.
"""


def main() -> int:
    """Write the zip, and say where it is."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist" / "mazes-lab.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files()):
            archive.writestr(zipfile.ZipInfo(f"{FOLDER}/{name}", TIME), content, zipfile.ZIP_DEFLATED)
    print(f"The students' kit is {path}: hand it out, the README in it says how to begin.")
    return 0


def files() -> Iterator[tuple[str, bytes]]:
    """The names and contents of the kit."""
    yield "pyproject.toml", PYPROJECT.encode()
    yield "README.md", README.encode()
    for source, target in (("lab", "lab"), ("student_template", "student_template")):
        for path in (ROOT / source).rglob("*"):
            hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(ROOT).parts)
            if path.is_file() and not hidden:
                yield f"{target}/{path.relative_to(ROOT / source).as_posix()}", path.read_bytes()


if __name__ == "__main__":
    sys.exit(main())
