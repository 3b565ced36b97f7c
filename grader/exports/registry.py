"""The formats of ``grader export``; each module is imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.errors import InputError
from grader.lazy import LazyFunction
from grader.platforms import NAMES

if TYPE_CHECKING:
    from grader.course.rubric import Rubric


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """A request for one export."""

    what: str
    out: Path
    """The file to write; its folder exists."""
    results: Path | None
    gradebook: Path | None
    assignment: str | None
    groups: Path | None
    """The platform's list of groups: members without work get the mark of the one who submitted."""
    students: Path | None
    """The table that says whose the submissions are of which the gradebook leaves that open; it is written
    if some are open."""
    key: Path | None
    """The key file, if the results are under pseudonyms."""
    refused: str
    """How to write refused work: "blank" leaves the cell unchanged, "zero" writes 0."""
    anyway: bool
    """Whether to write the marks of what is open, too."""
    dry_run: bool
    """Whether only to report what would be written."""
    rubric: Callable[[], Rubric]
    """Loads the requested rubric, or the shipped one. Raises RubricError or MazeFileError."""
    over: bool = False
    """Whether to write over words that people wrote into cells."""
    only: tuple[str, ...] = ()
    """The students whose pages are wanted; empty for all."""
    changed_since: Path | None = None
    """An earlier zip of pages: those in it are wanted only where they have changed."""

    def folder(self) -> Path:
        """Return the folder of results. Raises InputError if it does not exist, or its run is unfinished."""
        from grader.exports.grades_csv import check_finished

        if self.results is None:
            raise InputError("expected the folder of results that grader batch wrote")
        check_finished(self.results)
        return self.results


EXPORTS: Final[Mapping[str, Callable[[ExportRequest], str]]] = {
    **dict.fromkeys(NAMES, LazyFunction("grader.exports.scores:export")),
    "feedback": LazyFunction("grader.exports.feedback_zip:export"),
    "gradescope": LazyFunction("grader.exports.gradescope:export"),
    "checks": LazyFunction("grader.exports.checks:export"),
    "plot": LazyFunction("grader.exports.plot:export"),
    "junit": LazyFunction("grader.exports.junit:export"),
}
"""The export functions by format: each writes the file and returns a message. Raises InputError."""
