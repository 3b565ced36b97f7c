"""Where results lie: of one submission, or of a class."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.errors import InputError
from grader.exports.grades_csv import NAME, RESULTS, STAFF, read_grades
from grader.model import ResultsJson
from grader.results import read


def all_results(folder: Path) -> Iterator[ResultsJson]:
    """One submission's results, or those of a class, one after the other. Raises InputError."""
    single = folder / RESULTS
    paths = [single] if single.is_file() else list(paths_of_class(folder).values())
    if not paths:
        raise InputError("expected a folder of results from grader batch or grader grade", path=folder)
    return map(read, paths)


def results_file(path: Path) -> Path:
    """The results.json that a person means: the file, or the one in the folder. Raises InputError."""
    if not path.exists():
        raise InputError(f"expected a {RESULTS}, or the folder that holds it; nothing is there", path=path)
    if not path.is_dir() or (path / RESULTS).is_file():
        return path / RESULTS if path.is_dir() else path
    inside = next(iter(paths_of_class(path).values()), None)
    if inside is not None:
        raise InputError(
            f"these are the results of a class: name one submission, such as {inside.parent}", path=path
        )
    raise InputError(f"expected a folder that grader grade or batch wrote, with {RESULTS} in it", path=path)


def whole_file(path: Path) -> Path:
    """The file that tells all of a result that a person means: staff.json where there is one."""
    results = results_file(path)
    staff = results.with_name(STAFF)
    return staff if results.name == RESULTS and staff.is_file() else results


def paths_of_class(folder: Path) -> dict[str, Path]:
    """Where the results of a class lie, by submission: those that its grades.csv names.

    Without one, every folder with results counts. What was handed in once and is no more has left
    grades.csv, though its folder is kept.
    """
    found = {path.parent.name: path for path in sorted(folder.glob(f"*/{RESULTS}"))}
    if not (folder / NAME).is_file():
        return found
    current = {grade.submission for grade in read_grades(folder)}
    return {name: path for name, path in found.items() if name in current}
