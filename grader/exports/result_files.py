"""Find the result files of a submission or a class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grader.disk import write_whole, writing
from grader.errors import InputError
from grader.exports.grades_csv import NAME, RESULTS, STAFF, read_grades
from grader.model import ResultsJson
from grader.results import read

_LANGUAGE: Final = re.compile(rb'<html lang="([a-z]{2,3})">')


def read_all_results(folder: Path) -> Iterator[ResultsJson]:
    """Read the results of a submission, or of a class one by one. Raises InputError."""
    single = folder / RESULTS
    paths = [single] if single.is_file() else list(list_class_results(folder).values())
    if not paths:
        raise InputError("expected a folder of results from grader batch or grader grade", path=folder)
    return map(read, paths)


def find_results_file(path: Path) -> Path:
    """Return the path of a results.json, given itself or its folder. Raises InputError."""
    if not path.exists():
        raise InputError(f"expected a {RESULTS}, or the folder that holds it; nothing is there", path=path)
    if not path.is_dir() or (path / RESULTS).is_file():
        return path / RESULTS if path.is_dir() else path
    inside = next(iter(list_class_results(path).values()), None)
    if inside is not None:
        raise InputError(
            f"these are the results of a class: name one submission, such as {inside.parent}", path=path
        )
    raise InputError(f"expected a folder that grader grade or batch wrote, with {RESULTS} in it", path=path)


def find_complete_file(path: Path) -> Path:
    """Return staff.json if it exists, else results.json, which holds less. Raises InputError."""
    results = find_results_file(path)
    staff = results.with_name(STAFF)
    return staff if results.name == RESULTS and staff.is_file() else results


def list_class_results(folder: Path) -> dict[str, Path]:
    """Return the paths of results.json, by submission, for all submissions in the class's grades.csv.

    Without a grades.csv, every folder with results counts. A submission that was removed later is no longer
    in grades.csv, although its folder is kept.
    """
    found = {path.parent.name: path for path in sorted(folder.glob(f"*/{RESULTS}"))}
    if not (folder / NAME).is_file():
        return found
    current = {grade.submission for grade in read_grades(folder)}
    return {name: path for name, path in found.items() if name in current}


def page_language(page: Path) -> str | None:
    """Return the language of a student's page; None if it cannot be read."""
    try:
        found = _LANGUAGE.search(page.read_bytes()[:1000])
    except OSError:
        return None
    return found[1].decode() if found else None


# --- unfinished -------------------------------------------------------------------------------------
# A marker file: the tables of a class may disagree with its results and its ledger.


UNFINISHED: Final = ".unfinished"


@contextmanager
def marked_unfinished(out: Path) -> Iterator[None]:
    """Mark a folder as unfinished while its results are changed.

    If the grader is killed or the disk is full, the mark stays.
    """
    path = out / UNFINISHED
    write_whole(path, b"")
    yield
    with writing(path):
        path.unlink(missing_ok=True)


def check_finished(out: Path) -> None:
    """Raise InputError if a folder is marked as unfinished, since its tables may be out of date."""
    if (out / UNFINISHED).exists():
        before = (out / NAME).is_file()
        raise InputError(
            "a grader is at work here, or was stopped before grades.csv was written: give its command again"
            + (", or grader review, which writes it anew" if before else ""),
            path=out,
        )
