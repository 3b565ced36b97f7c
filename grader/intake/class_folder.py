"""Tells what lies in a folder of a class: whose each file or folder is, and what is no submission."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from grader.errors import IntakeError
from grader.intake.archives import is_archive as is_archive_content
from grader.intake.candidates import exercise_named_like
from grader.intake.files import is_file, is_folder, read_regular
from grader.intake.names import is_called_archive, is_junk
from grader.intake.notebooks import MOST_BYTES, SUFFIX, is_notebook_name, read_notebook
from grader.intake.python_source import names_a_class
from grader.intake.source_files import holds_code
from grader.platforms.base import DownloadItem, ReadText
from grader.platforms.registry import PLATFORMS
from lab.exercises import FILES

_PAPERS: Final = (
    *(".txt", ".md", ".rst", ".pdf", ".html", ".htm", ".log", ".csv", ".tsv", ".xls", ".xlsx", ".ods"),
    *(".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".sh", ".bat", ".py", SUFFIX),
    *(".pyc", ".pyo", "~"),
)
"""Files with these endings are what teachers keep beside submissions: lists, texts, scripts."""
_TEXT_BYTES: Final = 64 * 1024
"""At most 64 KiB of a receipt are read."""
_METADATA_BYTES: Final = 32 * 1024**2
"""At most 32 MiB of a file are read in which a platform describes all submissions."""


def _text(path: Path) -> str:
    most = _METADATA_BYTES if path.suffix == ".yml" else _TEXT_BYTES
    try:
        return read_regular(path, most, follow=False).decode("utf-8", "replace")
    except OSError:
        return ""


def is_left_behind(name: str) -> bool:
    """Tell whether a name at the top of a class was left behind by a system or tool, and comes from no
    platform.

    Names that begin with a dot are not enough: some students' first names do.
    """
    return is_junk((name, "")) and (
        name.startswith("._") or not recognise_platform([Path(name)], lambda _: "")[0]
    )


def recognise_platform(
    paths: Sequence[Path], text: ReadText = _text
) -> tuple[str, list[DownloadItem], list[Path]]:
    """Return the platform that named most of the paths, its pieces, and the paths that it did not name.

    The platform is "" if no platform named at least half of the paths. ``text`` returns the beginning of a
    receipt, where the paths are files on the disk.
    """
    best: tuple[str, list[DownloadItem], list[Path]] = ("", [], list(paths))
    for name, platform in PLATFORMS.items():
        found = platform.find(paths, text) if platform.find else paths
        read = platform.reader(paths, text)
        pieces = [piece for piece in map(read, found) if piece is not None]
        named = {place for piece in pieces for place in (piece.path, *piece.path.parents)}
        others = [path for path in paths if path not in named]
        is_best = len(others) < len(best[2]) and 2 * len(others) <= len(paths)
        if is_best and platform.is_download(pieces) and (platform.is_sure or not best[0]):
            best = (name, pieces, others)
    return best


def leads_to(path: Path, folder: Path | None) -> bool:
    """Tell whether a path leads to a folder."""
    try:
        return path.resolve() == folder
    except (OSError, RuntimeError):  # links that lead in a circle
        return False


def holds(path: Path, name: str) -> bool:
    """Tell whether a folder holds something of this name; False if it cannot be looked into."""
    try:
        return bool(name) and path.is_dir() and (path / name).exists()
    except OSError:  # a folder that may not be looked into
        return False


def list_folder(folder: Path) -> list[Path] | None:
    """Return what lies in a student's folder; None if it cannot be read, which is reported when it is
    graded."""
    try:
        return children(folder, lambda name: is_junk((name,)))
    except IntakeError:
        return None


def children(folder: Path, is_rubbish: Callable[[str], bool] = is_left_behind) -> list[Path]:
    """Return what lies in a folder, without what systems leave behind. Raises IntakeError."""
    try:
        paths = [path for path in sorted(folder.iterdir()) if not is_rubbish(path.name)]
    except OSError as error:
        raise IntakeError(f"expected a folder of submissions: {error.strerror}", path=folder) from None
    return paths


def hidden_folders(paths: Sequence[Path]) -> list[Path]:
    """Return folders with files of the lab that are hidden beside these, and may have been overlooked."""
    names = sorted(paths[0].parent.glob(".*")) if paths else []
    beside = [path for path in names if is_left_behind(path.name)]
    return [path for path in beside if lab_tops() & {inside.name for inside in path.glob("*")}]


def is_wrapper(folder: Path) -> bool:
    """Tell whether a lone folder was wrapped around a platform's download by a tool."""
    inside = list_folder(folder) or [] if is_folder(folder) else []
    if recognise_platform([folder])[0]:
        return False
    return bool(recognise_platform(inside)[0]) or (len(inside) == 1 and is_wrapper(inside[0]))


def holds_folders_only(paths: Sequence[Path]) -> bool:
    """Tell whether these are folders that all hold nothing but folders, and none of the lab's."""
    inside = [(list_folder(path) or []) if is_folder(path) else [] for path in paths]
    lab = lab_tops()
    return all(each and all(is_folder(path) and path.name not in lab for path in each) for each in inside)


def loose_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files and folders of the lab that lie at the top of a class, in nobody's folder.

    One file with all classes, or one with a student's name, is a submission of its own; these are several.
    """
    laid_out = [path for path in paths if path.name in lab_tops()]
    flat = [path for path in paths if path.suffix == ".py" and exercise_named_like(path.name)]
    exercises = {exercise_named_like(path.name) for path in flat}
    return [*laid_out, *flat] if len({path.name for path in laid_out}) > 1 or len(exercises) > 1 else []


def lab_tops() -> set[str]:
    """Return the names of the files and folders at the top of a submission."""
    return {file.split("/")[0] for file in FILES}


def is_archive(path: Path) -> bool:
    """Tell whether this is a file with the name of an archive, also of one that cannot be read."""
    return is_file(path) and is_called_archive(path.name)


def is_submission(path: Path) -> bool:
    """Tell whether this may be a student's: anything but a teacher's papers; what cannot be graded is
    refused later."""
    is_paper = path.name.lower().endswith(_PAPERS)
    return not is_paper or path.is_symlink() or path.is_dir() or is_archive(path) or _is_code(path)


def _is_code(path: Path) -> bool:
    """Tell whether a loose file defines a class of the lab, as a notebook with all of them does.

    A notebook that is damaged may have done so, and an archive may be called like a file of code.
    """
    if not path.name.lower().endswith((".py", ".txt", ".json", SUFFIX)):
        return False
    try:
        content = read_regular(path, MOST_BYTES, follow=False)
    except OSError:
        return False
    if is_archive_content(content):
        return True
    is_code = holds_code(path.name, content) and names_a_class(content)
    return is_code or (is_notebook_name(path.name) and read_notebook(content) is None)
