"""What ``grader export`` can write, and for whom; none is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.errors import InputError
from grader.exports.unfinished import check_finished
from grader.lazy import LazyFunction
from grader.platforms.registry import PLATFORMS

if TYPE_CHECKING:
    from grader.course.rubric import Rubric


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    what: str
    out: Path
    """The file to write, in a folder that is there."""
    results: Path | None
    gradebook: Path | None
    assignment: str | None
    groups: Path | None
    """The platform's list of groups: whoever of one has no work gets the mark of the one who has."""
    key: Path | None
    """Who is who, where the results are under pseudonyms."""
    refused: str
    """What becomes of refused work: "blank" leaves the cell as it is, "zero" makes it 0."""
    anyway: bool
    """Write marks though people still have something to look at."""
    dry_run: bool
    """Tell what would be written, and write nothing."""
    rubric: Callable[[], Rubric]
    """Loads the rubric that was named, or the shipped one. Raises RubricError or MazeFileError."""

    def folder(self) -> Path:
        """Where the results lie. Raises InputError where no folder was named, or a run was not finished."""
        if self.results is None:
            raise InputError("expected the folder of results that grader batch wrote")
        check_finished(self.results)
        return self.results


EXPORTS: Final[Mapping[str, Callable[[Request], str]]] = {
    **dict.fromkeys(PLATFORMS, LazyFunction("grader.exports.scores:export")),
    "feedback": LazyFunction("grader.exports.feedback_zip:export"),
    "gradescope": LazyFunction("grader.exports.gradescope:export"),
    "junit": LazyFunction("grader.exports.junit:export"),
}
"""By name: writes the file and returns what to tell. Raises InputError."""
