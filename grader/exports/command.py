"""``grader export``: what is written for whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports import gradescope
from grader.exports.feedback_zip import zip_feedback
from grader.exports.gradebook import PLATFORMS, fill
from grader.exports.grades import read_grades
from grader.exports.junit import junit
from grader.model import Plain
from grader.results import read

_RESULTS: Final = "results.json"


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
    if what == "gradescope" and results is None:
        return f"{out}: {gradescope.build_autograder(out, rubric)} files, to upload as the autograder"
    if results is None:
        raise InputError("expected the folder of results that grader batch wrote")
    if what in PLATFORMS:
        return _gradebook(what, results, out, gradebook, assignment)
    if what == "feedback":
        grades = read_grades(results)
        platform = next((grade.platform for grade in grades if grade.platform), "no platform")
        return f"{out}: {zip_feedback(platform, results, grades, out)} pages for {platform.title()}"
    if what == "junit":
        out.write_bytes(junit(_all(results)))
    else:
        out.write_bytes(gradescope.as_gradescope(read(results / _RESULTS)))
    return f"{out}: written"


def _gradebook(what: str, results: Path, out: Path, gradebook: Path | None, assignment: str | None) -> str:
    if gradebook is None:
        raise InputError(f"expected --gradebook FILE: the gradebook as {what.title()} exports it")
    filled = fill(what, gradebook, read_grades(results), assignment)
    out.write_bytes(filled.content)
    return "\n".join([f"{out}: {filled.written} scores", *(f"  {problem}" for problem in filled.problems)])


def _all(results: Path) -> Iterator[Mapping[str, Plain]]:
    """One submission's results, or those of a class, one after the other."""
    single = results / _RESULTS
    paths = [single] if single.is_file() else sorted(results.glob(f"*/{_RESULTS}"))
    if not paths:
        raise InputError("expected results of grader batch or grader grade", path=results)
    return map(read, paths)
