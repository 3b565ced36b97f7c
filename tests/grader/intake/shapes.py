"""What people hand in, built from a right submission, and how much of each shape is graded."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Literal

import py7zr

from grader.shipped import template
from lab.exercises import EXERCISES, FILES
from lab.template import template_folder
from tests.submissions.loader import base

RIGHT = base()
TEMPLATE = dict(zip(FILES, template(), strict=True))
ALL = tuple(exercise.id for exercise in EXERCISES)
Files = Mapping[str, bytes]


def name_of(file: str) -> str:
    return file.rsplit("/", 1)[-1]


def flat(files: Files = RIGHT, folder: str = "") -> dict[str, bytes]:
    return {folder + name_of(path): content for path, content in files.items()}


def renamed(**names: str) -> dict[str, bytes]:
    """Return the right submission with some files, named by their stems, at other paths."""
    stems = {name_of(path).removesuffix(".py"): path for path in RIGHT}
    moved = {stems[stem]: new for stem, new in names.items()}
    return {moved.get(path, path): content for path, content in RIGHT.items()}


def below(folder: str, files: Files = RIGHT) -> dict[str, bytes]:
    return {folder + path: content for path, content in files.items()}


def zipped(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def tarred(files: Files, mode: Literal["w", "w:gz"] = "w:gz") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for path, content in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def sevenzipped(files: Files) -> bytes:
    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w") as archive:
        for path, content in files.items():
            archive.writestr(content, path)
    return buffer.getvalue()


PACKERS: Final[Mapping[str, Callable[[Files], bytes]]] = {
    "zip": zipped,
    "7z": sevenzipped,
    "tar": partial(tarred, mode="w"),
    "tar.gz": tarred,
}
"""By the ending of a name, what packs files."""


def one_file() -> bytes:
    return b"\n\n".join(RIGHT[file] for file in FILES)


def notebook(*cells: str | bytes, form: int = 4) -> bytes:
    texts = [cell.decode() if isinstance(cell, bytes) else cell for cell in cells]
    if form == 3:
        made = [{"cell_type": "code", "input": text, "outputs": []} for text in texts]
        return json.dumps({"nbformat": 3, "worksheets": [{"cells": made}]}).encode()
    code = [{"cell_type": "code", "source": text.splitlines(keepends=True), "outputs": []} for text in texts]
    prose = {"cell_type": "markdown", "source": ["# My lab"]}
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": [prose, *code]}).encode()


def tried_out() -> bytes:
    """Return a notebook as it looks while somebody works in it."""
    return notebook(
        "!pip install maze-lab\n%matplotlib inline",
        "from lab import Maze\nmaze = Maze.from_file('my maze.txt')\nprint(maze)",
        *(RIGHT[file] for file in FILES),
        "%%time\nDFS().solve(maze, Search())",
        "for maze in [1, 2]:\n    raise SystemExit",
        "this is no Python",
        "%%html\n<b>done</b>",
        "Search?\nresult = !ls",
    )


def write_magics() -> bytes:
    return notebook(*(f"%%writefile {path}\n{content.decode()}" for path, content in RIGHT.items()))


def exported(*, is_raw: bool = False) -> bytes:
    """Return a notebook as a Python file: as nbconvert writes it, or with raw magics."""
    first, *others = (RIGHT[file].decode() for file in FILES)
    install = "!pip install \\\n  maze-lab" if is_raw else "get_ipython().system('pip install maze-lab')"
    plot = "%matplotlib inline" if is_raw else "get_ipython().run_line_magic('matplotlib', 'inline')"
    cell = first if is_raw else f"get_ipython().run_cell_magic('time', '', {first!r})"
    trial = "maze = Maze.from_file('my maze.txt')\nprint(DFS().solve(maze, Search()))"
    cells = [install, plot, cell, *others, "from lab import Maze", trial]
    return "\n\n\n# In[ ]:\n\n\n".join(["#!/usr/bin/env python\n# coding: utf-8", *cells]).encode()


def in_notebook_style() -> dict[str, bytes]:
    """Return each file exported from a notebook of its own."""
    lines = b"get_ipython().run_line_magic('load_ext', 'autoreload')\n", b"%autoreload 2\n"
    return {path: lines[n % 2] + content for n, (path, content) in enumerate(RIGHT.items())}


def folder_each(begin: str, imported: str = "utils") -> dict[str, bytes]:
    """Return a folder per exercise, each with a helper of the same name."""
    files = {}
    for number, (path, content) in enumerate(RIGHT.items()):
        folder = f"{begin}{number}" if begin else name_of(path).removesuffix(".py")
        check = f"from {imported} import T\nassert T == {number}\n"
        files[f"{folder}/{name_of(path)}"] = check.encode() + content
        files[f"{folder}/utils.py"] = f"T = {number}\n".encode()
    return files


def in_lab_layout(path: str) -> str:
    """Return a file's path when an exercise's folder is laid out like the lab."""
    folder, name = path.split("/")
    file = FILES[int(folder.removeprefix("ex"))]
    return f"{folder}/{file.removesuffix(name_of(file))}{name}"


def packages(*, exports: bool) -> dict[str, bytes]:
    """Return a package for each solver, with its own helper."""
    files = {path: content for path, content in RIGHT.items() if not path.startswith("solvers/")}
    for exercise in EXERCISES:
        folder, number = exercise.file.removesuffix(".py"), len(files)
        if exercise.file not in files:
            check = f"from .tools import T\nassert T == {number}\n"
            files[f"{folder}/{exercise.stem}.py"] = check.encode() + RIGHT[exercise.file]
            files[f"{folder}/tools.py"] = f"T = {number}\n".encode()
            if exports:
                files[f"{folder}/__init__.py"] = f"from .{exercise.stem} import {exercise.name}\n".encode()
    return files


def in_encoding(encoding: str, comment: str = "# Løsning\n") -> dict[str, bytes]:
    files = dict(RIGHT)
    files["solvers/bfs.py"] = (comment + RIGHT["solvers/bfs.py"].decode()).encode(encoding)
    return files


def swapped() -> dict[str, bytes]:
    return RIGHT | {"solvers/dfs.py": RIGHT["solvers/bfs.py"], "solvers/bfs.py": RIGHT["solvers/dfs.py"]}


def by_flat_names() -> dict[str, bytes]:
    """Return flat files that import each other by flat names, and a helper."""
    dfs = RIGHT["solvers/dfs.py"] + b"\nfrom search import Search\nfrom tools import T\nassert Search and T\n"
    bfs = RIGHT["solvers/bfs.py"] + b"\nimport dfs\nassert dfs.DFS\n"
    return flat(RIGHT | {"solvers/dfs.py": dfs, "solvers/bfs.py": bfs}) | {"tools.py": b"T = 1\n"}


def both_in_one() -> dict[str, bytes]:
    files = {path: content for path, content in RIGHT.items() if path != "solvers/dfs.py"}
    return files | {"solvers/bfs.py": RIGHT["solvers/bfs.py"] + b"\n" + RIGHT["solvers/dfs.py"]}


def repository() -> dict[str, bytes]:
    junk = {
        ".git/config": b"[core]",
        "venv/lib/python3.11/site-packages/dfs.py": b"class DFS: pass\n",
        "env/lib/python3.11/site-packages/solvers/bfs.py": b"class BFS: pass\n",
        "__MACOSX/solution/solvers/._dfs.py": b"\0\1",
        ".DS_Store": b"\0\0\0\1Bud1",
        "tests/test_dfs.py": b"class DFS: pass\n",
        "README.md": b"# Lab 2",
    }
    return below("repo/student_template/", TEMPLATE) | below("repo/work/", RIGHT) | below("repo/", junk)


def twice(first: bytes = b"class DFS: pass\n") -> bytes:
    """Return a zip with two members of one name."""
    content = zipped({"solvers/dfS.py": first, **RIGHT})
    return content.replace(b"solvers/dfS.py", b"solvers/dfs.py")


def without(*ids: str, files: Files = RIGHT) -> dict[str, bytes]:
    gone = {exercise.file for exercise in EXERCISES if exercise.id in ids}
    return {path: content for path, content in files.items() if path not in gone}


def but(*ids: str) -> tuple[str, ...]:
    return tuple(id_ for id_ in ALL if id_ not in ids)


def four_solvers() -> bytes:
    solvers = (content for path, content in RIGHT.items() if path.startswith("solvers/"))
    return b"\n\n".join(solvers)


def kit() -> dict[str, bytes]:
    """Return the folder that students get, including its tests."""
    root = template_folder()
    assert root is not None
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.py")}


def in_folder(files: Files) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        for path, content in files.items():
            target = folder / "ada" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return folder / "ada"

    return write


def as_file(name: str, content: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return write


def as_zip(files: Files) -> Callable[[Path], Path]:
    return as_file("ada.zip", zipped(files))


SHAPES: Mapping[str, tuple[Callable[[Path], Path] | Files, tuple[str, ...], set[str]]] = {
    # what is handed in, the exercises that are graded as right, and the kinds of remarks
    "as it should be": (in_folder(RIGHT), ALL, set()),
    "flat in a zip": (flat(), ALL, {"moved"}),
    "flat, importing each other": (by_flat_names(), ALL, {"moved"}),
    "a zip in a zip beside a text": ({"lab.zip": zipped(RIGHT), "README.md": b"hi"}, ALL, {"opened"}),
    "a zip in a folder beside a text": (in_folder({"a.zip": zipped(RIGHT), "b.txt": b"hi"}), ALL, {"opened"}),
    "capitals": (
        renamed(dfs="Solvers/DFS.py", bfs="Solvers/BFS.py", my_generator="Generators/MyGenerator.py"),
        ALL,
        {"moved"},
    ),
    "copies by a system": (
        renamed(bfs="solvers/bfs copy.py", dijkstra="solvers/Kopi av dijkstra.py", search="search - Copy.py"),
        ALL,
        {"moved"},
    ),
    "versions": (renamed(dfs="solvers/dfs_final_v2.py", bfs="bfs.py.txt"), ALL, {"moved"}),
    "other names": (renamed(dfs="solvers/depth_first.py", my_generator="generators/prim.py"), ALL, {"moved"}),
    "a repository with the template beside": (repository(), ALL, set()),
    "the template in the place, the work beside": (
        RIGHT | {"solvers/dfs.py": TEMPLATE["solvers/dfs.py"], "dfs.py": RIGHT["solvers/dfs.py"]},
        ALL,
        {"moved"},
    ),
    "a member that came twice": (as_file("ada.zip", twice()), ALL, set()),
    "a member that came twice, once as it was handed out": (
        as_file("ada.zip", twice(TEMPLATE["solvers/dfs.py"])),
        ALL,
        set(),
    ),
    "two downloads that are not the same": (
        flat() | {"dfs (1).py": RIGHT["solvers/dfs.py"] + b"# later\n"},
        ALL,
        {"moved"},
    ),
    "one Python file": (as_file("lab2.py", one_file()), ALL, {"taken"}),
    "one Python file called lab.py": (as_file("lab.py", one_file()), ALL, {"taken"}),
    "one Python file in a zip": ({"my lab/solution final.py": one_file()}, ALL, {"taken"}),
    "a notebook": (as_file("lab.ipynb", tried_out()), ALL, {"taken"}),
    "a large notebook": ({"lab.ipynb": tried_out() + b" " * 400_000}, ALL, {"taken"}),
    "an old notebook": (as_file("lab.ipynb", notebook(*RIGHT.values(), form=3)), ALL, {"taken"}),
    "a notebook that writes files": (as_file("lab.ipynb", write_magics()), ALL, {"taken"}),
    "a notebook that writes files elsewhere": (
        as_file("lab.ipynb", write_magics().replace(b"%%writefile ", b"%%writefile /content/")),
        ALL,
        {"taken"},
    ),
    "a notebook as a Python file": (as_file("lab.py", exported()), ALL, {"taken"}),
    "a notebook as a Python file with its magics": ({"l.py": exported(is_raw=True)}, ALL, {"taken"}),
    "notebooks as Python files in their places": (in_notebook_style(), ALL, set()),
    "notebooks as Python files, flat": (flat(in_notebook_style()), ALL, {"taken"}),
    "a folder for each exercise": (folder_each(""), ALL, {"taken"}),
    "a folder for each exercise, numbered": (folder_each("my exercise "), ALL, {"taken"}),
    "a package for each exercise": (folder_each("ex", ".utils"), but("perfection"), {"taken"}),
    "packages for solvers": (packages(exports=False), ALL, {"taken"}),
    "packages for solvers that export them": (packages(exports=True), ALL, {"taken"}),
    "a folder for each exercise, laid out as the lab": (
        {in_lab_layout(path): text for path, text in folder_each("ex").items()},
        ALL,
        {"taken"},
    ),
    "contents that changed places": (swapped(), ALL, {"moved"}),
    "two classes in one file": (both_in_one(), ALL, {"taken"}),
    "UTF-16 without a mark": (in_encoding("utf-16-le"), ALL, {"encoding"}),
    "Latin-1, flat": (flat(in_encoding("latin-1")), ALL, {"encoding", "moved"}),
    "Latin-1 that says so": (in_encoding("latin-1", "# coding: latin-1\n# Løsning\n"), ALL, set()),
    "UTF-8 with a mark": (in_encoding("utf-8-sig"), ALL, set()),
    "the kit, one not written": (in_folder(kit() | without("generator")), but("generator"), set()),
    "the kit in a zip, one not written": (below("kit/", kit() | without("bfs")), but("bfs"), set()),
    "one file that is called solvers": (
        without("search", "dfs", "bfs", "dijkstra") | {"solvers.py": four_solvers()},
        ALL,
        {"taken"},
    ),
    "one file that is called generators": (
        without("generator") | {"generators.py": RIGHT["generators/my_generator.py"]},
        ALL,
        {"moved"},
    ),
    "flat, beside a program that is called solvers": (
        flat() | {"solvers.py": b"from dfs import DFS\n"},
        ALL,
        {"moved"},
    ),
    "a zip for each exercise": (
        in_folder({f"{name_of(path)}.zip": zipped({name_of(path): text}) for path, text in RIGHT.items()}),
        ALL,
        {"moved", "opened"},
    ),
    "five flat, one missing": (flat(without("bfs")), but("bfs"), {"moved"}),
    "five of one file": (
        as_file("lab2.py", one_file().replace(b"class BFS", b"class Other")),
        but("bfs"),
        {"taken"},
    ),
    "five of a notebook": (
        as_file("lab.ipynb", notebook(*without("perfection").values())),
        but("perfection"),
        {"taken"},
    ),
    "a helper with its folder in capitals": (
        renamed(dfs="Solvers/dfs.py")
        | {"Solvers/dfs.py": b"from solvers.tools import TOOL\n" + RIGHT["solvers/dfs.py"]}
        | {"Solvers/tools.py": b"TOOL = 1\n"},
        ALL,
        {"moved"},
    ),
    # refused
    "an empty folder": (in_folder({"x/.keep": b""}), (), {"refused"}),
    "a zip in a zip in a zip": ({"a.zip": zipped({"b.zip": zipped(RIGHT)})}, (), {"refused"}),
    "a notebook that is none": (as_file("lab.ipynb", b"[" * 200_000), (), {"refused"}),
    "Python nested too deep": (
        as_file("lab.py", b"class DFS: x = " + b"-" * 100_000 + b"1"),
        (),
        {"refused"},
    ),
}
