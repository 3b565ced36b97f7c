"""``maze pack``: looks at what a student hands in, and writes the zip; the same files, the same bytes."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

from lab.commands import student
from lab.commands.errors import CommandError, os_reason
from lab.exercises import EXERCISES, Exercise

_LEFT_OUT = {"tests", "lab", "__pycache__", "venv", "env", "node_modules", "build", "dist"}
_LEFT_OUT_FILES = {"conftest.py", "setup.py"}
_OLDEST_DATE = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


def pack(given: str | None, out: str) -> None:
    """Write the zip and list what is in it; warn of what will earn nothing.

    Raises CommandError, and writes no file, where something in the folder cannot be read.
    """
    folder = student.folder_of(given)
    files, refused = _read(folder)
    if refused:
        raise CommandError("nothing was packed: " + "; ".join(refused))
    _write(Path(out), files)
    print(f"Packed into {out}:")
    for name in files:
        print(f"  {name}")
    for exercise in EXERCISES:
        if (warning := _warning(exercise, files)) is not None:
            print(f"Warning: {warning}")
    print(f"Hand in {out}.")


def _read(folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """The files to hand in by their names, sorted, and what is wrong with those that cannot be read."""
    files: dict[str, bytes] = {}
    refused: list[str] = []
    for path in _python_files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            files[name] = path.read_bytes()
        except OSError as error:
            refused.append(f"{name} cannot be read: {os_reason(error)}")
            continue
        if (wrong := _unreadable(files[name])) is not None:
            refused.append(f"{name} {wrong}")
    return dict(sorted(files.items())), refused


def _python_files(folder: Path) -> Iterator[Path]:
    """The Python files, without caches, tests, hidden folders, virtual environments and links."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            if path.name not in _LEFT_OUT and not (path / "pyvenv.cfg").exists():
                yield from _python_files(path)
        elif path.suffix == ".py" and path.name not in _LEFT_OUT_FILES:
            yield path


def _unreadable(content: bytes) -> str | None:
    """Say why Python could not read the file, None where it can."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        if not _names_its_encoding(content):
            line = content.count(b"\n", 0, error.start) + 1
            return f"is not text in UTF-8 (line {line}): save it as UTF-8"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(content, "file", "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"is not valid Python: {error.msg} (line {error.lineno})"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"is not valid Python: {error}"
    return None


def _names_its_encoding(content: bytes) -> bool:
    """Tell whether a comment at the top names an encoding that the file can be read in (PEP 263)."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        content.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        return False
    return True


def _warning(exercise: Exercise, files: dict[str, bytes]) -> str | None:
    """Say why the exercise will earn nothing as it is."""
    if exercise.file not in files:
        return f"there is no {exercise.file}: {exercise.title} will earn nothing"
    tree = ast.parse(files[exercise.file])
    if exercise.name not in _names(tree):
        return f"{exercise.file} defines no {exercise.name}: {exercise.title} will earn nothing"
    if any(_raises_not_implemented(node) for node in ast.walk(tree)):
        return f"{exercise.file} still raises NotImplementedError"
    return None


def _names(tree: ast.Module) -> set[str]:
    """The names that a file gives a meaning to, at its top level or in branches of it."""
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


def _write(out: Path, files: dict[str, bytes]) -> None:
    """Write the zip: sorted, one date, not compressed, since compressors differ from system to system."""
    try:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            for name, content in files.items():
                entry = zipfile.ZipInfo(name, _OLDEST_DATE)
                entry.create_system, entry.external_attr = _UNIX, 0o644 << 16
                archive.writestr(entry, content)
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {os_reason(error)}") from None
