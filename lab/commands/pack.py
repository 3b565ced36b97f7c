"""``maze pack``: check what a student hands in, and write a reproducible zip."""

from __future__ import annotations

import ast
import io
import warnings
import zipfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from lab.came import KINDS, kind_of, odd_letter, recognise
from lab.commands import output_files, student
from lab.commands.errors import CommandError, os_reason
from lab.commands.pack_warnings import left_behind, risks
from lab.exercises import EXERCISES, FILES, Exercise, exercise_of
from lab.own_mazes import MOST, TOO_MANY, find_problem, own_mazes_in

_LEFT_OUT = {"tests", "lab", "__pycache__", "venv", "env", "node_modules", "build", "dist"}
_LEFT_OUT_FILES = {"conftest.py", "setup.py"}
_NO_WORK = {"python", "archive", "text", "page", "picture", "else"}
"""Kinds of files that are not named where they are left out, unless they are called as an exercise is."""
_OLDEST_DATE = (1980, 1, 1, 0, 0, 0)
_UNIX = 3

MOST_FILE_BYTES, MOST_BYTES, MOST_FILES = 256 * 1024, 2 * 1024**2, 500
MOST_NAME_CHARACTERS, MOST_DEPTH = 200, 12
"""What the grader reads of a submission: sizes in bytes, folders around a file and the file itself."""


def pack(given: str | None, out: str) -> None:
    """Write the zip and list its files; warn of what is left out, and of what will earn nothing.

    Raises CommandError, and writes no file, if a file of the exercises cannot be handed in.
    """
    files, warnings = _check_files(given, "maze pack DIR")
    with output_files.open_output(out) as partial:
        partial.write_bytes(_archive(files))
    print(f"Packed into {out}:")
    for name in files:
        print(f"  {name}")
    for warning in warnings:
        print(f"Warning: {warning}")
    print(f"Hand in {out}.")


def build_zip(given: str | None, *, named_by: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the zip as bytes, and the warnings; ``named_by`` is the option that names a folder.

    Raises CommandError.
    """
    files, warnings = _check_files(given, named_by)
    return _archive(files), warnings


def risks_in(folder: Path) -> Sequence[str]:
    """Return warnings about code that will cost points, although it runs here."""
    files, _ = _read(folder)
    return [*risks({name: content for name, content in files.items() if name.endswith(".py")})]


def is_code(name: str) -> bool:
    """Tell whether a file of this name, seen from the student's folder, is handed in as Python."""
    *folders, last = name.split("/")
    hidden = any(each.startswith(".") for each in (*folders, last))
    return (
        last.endswith(".py") and last not in _LEFT_OUT_FILES and not hidden and _LEFT_OUT.isdisjoint(folders)
    )


def _check_files(given: str | None, named_by: str) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Return the files to hand in, and the warnings about them."""
    files, refused = _read(student.folder_of(given, named_by=named_by))
    if own := [f"{name} {wrong}" for name, wrong in refused.items() if name in FILES]:
        raise CommandError("nothing was packed: " + "; ".join(own))
    code = {name: content for name, content in files.items() if name.endswith(".py")}
    told = (
        *_left_out(refused),
        *_size_warning(files),
        *_worth_nothing(code),
        *risks(code),
        *left_behind(code),
    )
    return files, told


def _read(folder: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the files to hand in by name, sorted, and the reasons why others cannot be handed in."""
    files: dict[str, bytes] = {}
    refused: dict[str, str] = {}
    mazes = _own_mazes(folder)
    refused |= _other_files(folder, mazes)
    for path in (*_python_files(folder, refused, folder), *mazes[:MOST]):
        name = path.relative_to(folder).as_posix()
        try:
            content = path.read_bytes()
        except OSError as error:
            refused[name] = f"cannot be read: {os_reason(error)}"
            continue
        find = find_problem if path in mazes else _python_problem
        if (wrong := _name_problem(name) or _too_large(content) or find(content)) is not None:
            refused[name] = wrong
        else:
            files[name] = content
    refused |= {path.relative_to(folder).as_posix(): TOO_MANY for path in mazes[MOST:]}
    return dict(sorted(files.items())), refused


def _other_files(folder: Path, mazes: Collection[Path]) -> dict[str, str]:
    """Return files that look like work but are not Python, with what they are and that they are left out."""
    missing = {each.stem for each in EXERCISES if not (folder / each.file).is_file()}
    places = [folder, *{(folder / each.file).parent for each in EXERCISES} - {folder}]
    found: dict[str, str] = {}
    for place in places:
        try:
            paths = sorted(place.iterdir())
        except OSError:  # reported by _python_files
            continue
        for path in paths:
            kind = kind_of(path.name)
            is_named = path.name.partition(".")[0].casefold() in missing
            is_work = kind not in _NO_WORK or (is_named and kind != "python")
            if is_work and path.is_file() and path not in mazes and not path.name.startswith("."):
                name = path.relative_to(folder).as_posix()
                found[name] = f"is {KINDS[kind].words}, and only Python files are graded"
    return found


def _own_mazes(folder: Path) -> list[Path]:
    """Return the student's own test mazes, if the course has a perfection checker."""
    return [folder / name for name in own_mazes_in(folder)] if exercise_of("checker") is not None else []


def _python_files(folder: Path, refused: dict[str, str], top: Path) -> Iterator[Path]:
    """Yield the Python files, without caches, tests, hidden folders, virtual environments and links."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        refused[folder.relative_to(top).as_posix()] = f"cannot be read: {os_reason(error)}"
        return
    for path in paths:
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            if path.name not in _LEFT_OUT and not (path / "pyvenv.cfg").exists():
                yield from _python_files(path, refused, top)
        elif path.suffix == ".py" and path.name not in _LEFT_OUT_FILES:
            yield path


def _name_problem(name: str) -> str | None:
    """Say why the grader would refuse a file of this name; None if it would not."""
    if not name.isprintable() or "\\" in name:
        return "has a sign in its name that not every system can read: rename it"
    if len(name) > MOST_NAME_CHARACTERS:
        return f"has a name of more than {MOST_NAME_CHARACTERS} characters: shorten it"
    if name.count("/") >= MOST_DEPTH:
        return f"lies more than {MOST_DEPTH} folders deep: move it up"
    return None


def _too_large(content: bytes) -> str | None:
    if len(content) <= MOST_FILE_BYTES:
        return None
    return f"is larger than {MOST_FILE_BYTES // 1024} KiB, which is the most that the grader reads"


def _python_problem(content: bytes) -> str | None:
    """Say why Python cannot read the file; None if it can."""
    came = recognise(content)
    if came is not None:
        return f"is not valid Python: {came.sentence}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(content, "file", "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"is not valid Python: {error.msg} (line {error.lineno})"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"is not valid Python: {error}"
    return None


def _left_out(refused: dict[str, str]) -> list[str]:
    return [f"left out: {name} {wrong}" for name, wrong in refused.items()]


def _size_warning(files: dict[str, bytes]) -> list[str]:
    """Warn if there are too many files for all to be read."""
    size = sum(map(len, files.values()))
    if len(files) <= MOST_FILES and size <= MOST_BYTES:
        return []
    most = f"{MOST_FILES} files and {MOST_BYTES // 1024**2} MiB"
    return [f"the grader reads at most {most}, the exercises first: take out what you do not need"]


def _worth_nothing(files: dict[str, bytes]) -> list[str]:
    warnings = (_warning(exercise, files) for exercise in EXERCISES)
    return [warning for warning in warnings if warning is not None]


def _warning(exercise: Exercise, files: dict[str, bytes]) -> str | None:
    """Say why the exercise will earn nothing as it is; None if it may earn points."""
    if exercise.file not in files:
        return f"there is no {exercise.file}: {exercise.title} will earn nothing"
    tree = ast.parse(files[exercise.file])
    if exercise.name not in _names(tree):
        odd = [odd_letter(name, exercise.name) for name in sorted(_names(tree))]
        letter = next((f" (letter {each[0]} is {each[1]})" for each in odd if each is not None), "")
        return f"{exercise.file} defines no {exercise.name}{letter}: {exercise.title} will earn nothing"
    if any(_raises_not_implemented(node) for node in ast.walk(tree)):
        return f"{exercise.file} still raises NotImplementedError"
    return None


def _names(tree: ast.Module) -> set[str]:
    """Return the names that a file binds at its top level, or inside its branches."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names


def _raises_not_implemented(node: ast.AST) -> bool:
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return isinstance(error, ast.Name) and error.id == "NotImplementedError"


def _archive(files: dict[str, bytes]) -> bytes:
    """Return the zip: sorted, with a fixed date, and uncompressed, since compressors differ between
    systems."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _OLDEST_DATE)
            entry.create_system, entry.external_attr = _UNIX, 0o644 << 16
            archive.writestr(entry, content)
    return zipped.getvalue()
