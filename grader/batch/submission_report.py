"""The report on one submission: what its results.json says, what of it students see, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self, cast

from grader.batch.code_text import CODE_BYTES, files_in, is_cut
from grader.batch.job import CODE_FILE, Done, Job, MazeTry
from grader.batch.line_comments import lines_of_code
from grader.batch.marks import without_layers
from grader.disk import writing
from grader.errors import InputError
from grader.exports.grades_csv import find_complete_file
from grader.feedback import render_html, sentences
from grader.feedback.page import find_first_check, read_page
from grader.feedback.translation import translate_page
from grader.feedback.views import Page
from grader.grading.engine import FEEDBACK, RESULTS, STAFF_PAGE, write_results
from grader.intake.class_listing import HandIn
from grader.intake.files import read_regular
from grader.languages import Catalogue, said
from grader.model import CheckJson, ExerciseJson, Remark, ResultsJson, Submission
from grader.points import round_points
from grader.results import as_json, checks_of, mark_of, parse, read, remark_data
from grader.text import in_bytes, visible

_DECIDES: Final = "said.decides"
_MOST_BYTES: Final = 64 * 1024 * 1024
"""A page may have at most 64 MiB."""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of one submission."""

    data: ResultsJson
    """The content of results.json."""
    for_staff: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What only staff may see, by the names of files; a report that was read back has none."""
    language: str | None = None
    """The language of its page, where that is not the rubric's."""

    @classmethod
    def parse(cls, content: bytes) -> Self:
        """Read a report from the bytes of results.json. Raises InputError."""
        return cls(parse(content))

    @classmethod
    def read(cls, folder: Path | str) -> Self:
        """Read a report from the folder in which it was saved. Raises InputError."""
        return cls(read(Path(folder) / RESULTS))

    @property
    def submission(self) -> str:
        """Return the name of the submission."""
        return self.data["submission"]

    @property
    def score(self) -> float:
        """Return the score, with all that was added and taken off."""
        return self.data["score"]

    @property
    def max_score(self) -> float:
        """Return the score that there is to earn."""
        return self.data["max_score"]

    @property
    def mark(self) -> float | None:
        """Return the score as a mark; None if there is none, as of exempt, undecided and refused work."""
        return mark_of(self.data)

    @property
    def is_exempt(self) -> bool:
        """Whether staff decided that there is no mark."""
        layer = self.data.get("adjusted")
        return bool(layer and layer["exempt"])

    @property
    def conflict(self) -> tuple[float, float] | None:
        """Return what the grader gave when a person decided, and what it gives now; None if that is the same
        for the same work."""
        found = self.data.get("adjusted", {}).get("conflict")
        return (found["decided_on"], found["now"]) if found else None

    @property
    def has_unmarked(self) -> bool:
        """Whether a person still has to give the points of a check."""
        return any(check["status"] == "unmarked" for check in self.checks.values())

    @property
    def checks(self) -> dict[str, CheckJson]:
        """Return the checks of all exercises by their ids, in order."""
        return {check["id"]: check for check in checks_of(self.data)}

    def points(self) -> dict[str, float]:
        """Return the points of each exercise and check, by its id."""
        exercises = {each["id"]: each["score"] for each in self.data["exercises"]}
        return exercises | {id_: check["score"] for id_, check in self.checks.items()}

    def save(self, folder: Path | str) -> None:
        """Write results.json, the page with feedback, and what only staff may see. Raises DiskError."""
        with writing(Path(folder)):
            Path(folder).mkdir(parents=True, exist_ok=True)
        page = render_html(self.data, language=self.language).encode()
        write_results(Path(folder), as_json(self.data), page, self.for_staff)

    def page(self, t: Catalogue) -> Page:
        """Return it as the content of a page in a language."""
        return translate_page(read_page(self.data), t)

    def causes(self, t: Catalogue) -> list[str]:
        """Say in a language, of each exercise that lost points, what it lost the first of them for."""
        page = self.page(t)
        return sentences.first_causes(page, find_first_check(page), t)

    def titles(self, t: Catalogue) -> dict[str, str]:
        """Return the titles of the checks in a language, with those of their exercises, by id."""
        return {
            check.id: f"{exercise.title}: {check.title}"
            for exercise in self.page(t).exercises
            for check in exercise.checks
        }

    def passed(self) -> dict[str, bool]:
        """Return for each check whether it passed or was withdrawn, by id."""
        withdrawn = self.data.get("withdrawn", {"checks": {}})["checks"]
        return {id_: check["status"] == "passed" or id_ in withdrawn for id_, check in self.checks.items()}

    def without_hidden(self) -> Report:
        """Return it with only the public checks and their points, and without the decisions of staff, which
        would reveal the whole mark; what they wrote about lines stays."""
        plain = deepcopy(without_layers(self.data))
        exercises = [found for each in plain["exercises"] if (found := _public_part(each))["checks"]]
        later = remark_data(Remark("accepted", "", "", said("hidden_later")))
        at_lines = [each for each in self.data.get("comments", []) if "file" in each]
        made: dict[str, Any] = {
            **plain,
            **({"comments": at_lines} if at_lines else {}),
            **{key: self.data[key] for key in ("earlier_comments",) if key in self.data},
            "exercises": exercises,
            "score": round_points(sum(each["score"] for each in exercises)),
            "max_score": round_points(sum(each["max_score"] for each in exercises)),
            "intake": [
                *(each for each in plain.get("intake", ()) if each["kind"] not in ("cost", "bonus")),
                later,
            ],
        }
        for key in ("repair_cost", "bonus"):
            made.pop(key, None)
        return Report(cast(ResultsJson, made))


def _public_part(exercise: ExerciseJson) -> ExerciseJson:
    checks = [check for check in exercise["checks"] if check["visibility"] != "hidden"]
    is_zeroed = exercise.get("zeroed") is True and any(map(_zeroes_exercise, checks))
    if exercise.get("zeroed") and not is_zeroed:
        checks = [_undo_skip(check) for check in checks]
    made: dict[str, Any] = {
        **exercise,
        "zeroed": is_zeroed,
        "checks": checks,
        "score": round_points(sum(check["score"] for check in checks)),
        "max_score": round_points(sum(check["max_score"] for check in checks)),
    }
    ids = {check["id"] for check in checks}
    if not ids.issuperset(exercise.get("look_at", {}).get("checks", ())):
        del made["look_at"]
    return cast(ExerciseJson, made)


def _zeroes_exercise(check: CheckJson) -> bool:
    """Tell whether this check made the whole exercise earn nothing."""
    message = (check.get("said") or {}).get("message")
    return isinstance(message, list) and message[:1] == [_DECIDES]


def _undo_skip(check: CheckJson) -> CheckJson:
    """Return a check as passed if it was skipped because of a hidden check."""
    if check["status"] != "skipped":
        return check
    made: dict[str, Any] = {**check, "status": "passed", "score": check["max_score"], "message": ""}
    made.pop("said", None)
    return cast(CheckJson, made)


@dataclass(frozen=True, slots=True)
class ResultFolder:
    """The folder with the files of one result."""

    path: Path

    def save(self, done: Done) -> None:
        """Write the files of a result, with the student's code, which is compared. Raises DiskError."""
        with writing(self.path):
            self.path.mkdir(exist_ok=True)
        write_results(self.path, done.results, done.page, {**done.staff, CODE_FILE: done.code})

    def read_results(self) -> bytes:
        """Return the bytes of results.json. Raises OSError."""
        return (self.path / RESULTS).read_bytes()

    def read_page(self, *, for_staff: bool = False) -> bytes:
        """Return the page for the student, or the one for staff. Raises OSError, also for a link."""
        return read_page_file(self.path / (STAFF_PAGE if for_staff else FEEDBACK))

    def kept_code(self) -> bytes:
        """Return the student's code as it is kept; empty where none was."""
        path = self.path / CODE_FILE
        return path.read_bytes() if path.is_file() else b""

    def read_code(self) -> dict[str, list[str]]:
        """Return the lines of the student's code by file, cut where there is much of it."""
        return {name: lines_of_code(text) for name, text in files_in(self.kept_code()).items()}

    def shown_maze(self, check: str) -> str:
        """Return the maze on which staff see that a check failed; empty without one. Raises InputError."""
        checks = checks_of(read(find_complete_file(self.path)))
        case = next((each["counterexample"] for each in checks if each["id"] == check), None) or {}
        return case["maze"] if isinstance(case.get("maze"), str) else ""

    def to_try(self, name: str, check: str, maze: str) -> Job:
        """Return the job that asks this code a check on a maze. Raises InputError where it is not kept."""
        files = files_to_try(name, self.kept_code(), self.path)
        return Job(HandIn(name, ()), submission=Submission(name, files), to_try=MazeTry(check, maze))

    def pages(self) -> list[str]:
        """Return the names of the pages that are there: the student's, and perhaps one for staff."""
        return [name for name in (FEEDBACK, STAFF_PAGE) if (self.path / name).is_file()]

    @property
    def has_staff_page(self) -> bool:
        """Whether staff see more than the student."""
        return STAFF_PAGE in self.pages()


def files_to_try(name: str, code: bytes, where: Path) -> dict[str, bytes]:
    """Return the files of code that was kept. Raises InputError where there is none, or only a part."""
    if not code or is_cut(code):
        why = f"only {in_bytes(CODE_BYTES)} of it are kept" if code else "found none"
        raise InputError(f"expected the code that was graded of {visible(name)}: {why}", path=where)
    return files_in(code)


def read_page_file(path: Path) -> bytes:
    """Return a page of the disk. Raises OSError, also for what is no regular file."""
    return read_regular(path, _MOST_BYTES, follow=False)
