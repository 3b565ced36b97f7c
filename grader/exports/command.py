"""``grader export``: what is written for whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.errors import InputError
from grader.exports import gradescope, new_table
from grader.exports.feedback_zip import zip_feedback
from grader.exports.gradebook import PLATFORMS, fill
from grader.exports.grades_csv import NAME, RESULTS, read_grades
from grader.exports.junit import junit
from grader.model import Plain
from grader.results import read


def export(
    what: str,
    results: Path | None,
    out: Path,
    *,
    gradebook: Path | None = None,
    assignment: str | None = None,
    rubric: Path | None = None,
) -> str:
    """Write one export; return what to tell. Raises InputError."""
    _check_target(out)
    if what == "gradescope" and results is None:
        return f"{out}: {gradescope.build_autograder(out, rubric)} files, to upload as the autograder"
    if results is None:
        raise InputError("expected the folder of results that grader batch wrote")
    if what in PLATFORMS:
        return _gradebook(what, results, out, gradebook, assignment)
    if what == "feedback":
        platform, count = zip_feedback(results, read_grades(results), out)
        return f"{out}: {count} pages for {platform.title()}"
    content = junit(_all(results)) if what == "junit" else gradescope.as_gradescope(_one(results))
    out.write_bytes(content)
    return f"{out}: written"


def _check_target(out: Path) -> None:
    """See whether the file can be there, before any work."""
    if out.is_dir():
        raise InputError("expected the name of a file to write, got a folder", path=out)
    if not out.parent.is_dir():
        raise InputError("expected a folder that exists: make it first", path=out.parent)


def _gradebook(what: str, results: Path, out: Path, gradebook: Path | None, assignment: str | None) -> str:
    grades = read_grades(results)
    if gradebook is None:
        filled = new_table.make(what, results, grades, assignment)
    else:
        filled = fill(what, gradebook, grades, assignment)
    out.write_bytes(filled.content)
    return "\n".join([f"{out}: {filled.written} scores", *(f"  {problem}" for problem in filled.problems)])


def _all(results: Path) -> Iterator[Mapping[str, Plain]]:
    """One submission's results, or those of a class, one after the other."""
    single = results / RESULTS
    paths = [single] if single.is_file() else list(paths_of_class(results).values())
    if not paths:
        raise InputError("expected a folder of results from grader batch or grader grade", path=results)
    return map(read, paths)


def _one(results: Path) -> Mapping[str, Plain]:
    return read(results_file(results))


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
