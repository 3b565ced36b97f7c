"""Gradescope: results in its schema, and the autograder as a zip to upload there."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from grader.course.rubric import Rubric
from grader.disk import whole, write_whole
from grader.errors import InputError
from grader.exports import grades_csv, scores
from grader.exports.grades_csv import find_results_file
from grader.exports.registry import ExportRequest
from grader.model import Json, ResultsJson
from grader.results import read
from grader.shipped import bank, folder, pins, template_root

_PACKAGES: Final = ("lab", "reference", "grader")
_SCRIPTS: Final = ("setup.sh", "run_autograder")
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_VISIBILITY: Final = {"public": "visible", "hidden": "after_published"}
_COURSE: Final = "course"
"""The rubric's folder in the zip; the script run_autograder uses the same name."""


def export(request: ExportRequest) -> str:
    """Write one submission's results for Gradescope, or a class as a table of scores.

    Without results, write the autograder.
    """
    if request.results is None:
        count = build_autograder(request.out, request.rubric())
        return f"{request.out}: {count} files, to upload as the autograder"
    if (request.results / grades_csv.NAME).is_file():
        return scores.export(request)
    write_whole(request.out, format_results(read(find_results_file(request.results))))
    return f"{request.out}: written"


def format_results(results: ResultsJson) -> bytes:
    """Return the content of Gradescope's results.json. Raises InputError if there is no mark."""
    if "fault" in results:
        raise InputError(f"{results['submission']} could not be graded: {results['fault']}")
    remarks = [remark["message"] for remark in results.get("intake", ())]
    data = {
        "score": results["score"],
        "output": "\n".join([*remarks, *results["notes"]]),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "execution_time": round(results["timing"].get("total", 0.0)),
        "tests": list(_tests(results)),
        "extra_data": {"sandbox": results["sandbox"], "max_score": results["max_score"]},
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _tests(results: ResultsJson) -> Iterator[dict[str, Json]]:
    for number, exercise in enumerate(results["exercises"], 1):
        for index, check in enumerate(exercise["checks"], 1):
            # no more than the feedback page shows
            maze = (check["counterexample"] or {}).get("maze")
            parts = [check["message"], maze if isinstance(maze, str) else "", check["hint"]]
            yield {
                "name": f"{exercise['title']}: {check['title']}",
                "number": f"{number}.{index}",
                "score": check["score"],
                "max_score": check["max_score"],
                "status": "passed" if check["status"] == "passed" else "failed",
                "output": "\n\n".join(part for part in parts if part),
                "output_format": "text",
                "visibility": _VISIBILITY[check["visibility"]],
                "tags": [exercise["id"]],
            }


def build_autograder(target: Path, rubric: Rubric) -> int:
    """Write the zip with scripts, sources, requirements and rubric; return the number of files in it."""
    members = dict(_members(rubric))
    with whole(target) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in sorted(members.items()):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.external_attr = (0o755 if name in _SCRIPTS else 0o644) << 16
            packed.writestr(info, content, zipfile.ZIP_DEFLATED)
    return len(members)


def _members(rubric: Rubric) -> Iterator[tuple[str, bytes]]:
    for script in _SCRIPTS:
        yield script, files(__package__).joinpath("gradescope_files", script).read_bytes()
    yield "requirements.txt", "".join(f"{line}\n" for line in pins()).encode()
    left_out = bank()
    roots = {package: folder(package) for package in _PACKAGES} | {"student_template": template_root()}
    for package, root in roots.items():
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix != ".pyc" and left_out not in path.parents:
                yield f"project/{package}/{path.relative_to(root).as_posix()}", path.read_bytes()
    if not rubric.mazes:
        home = rubric.path.resolve().parent
        raise InputError("expected at least one test maze, since the zip keeps no empty folder", path=home)
    yield f"{_COURSE}/rubric.yaml", rubric.path.read_bytes()
    yield from ((f"{_COURSE}/{name}", path.read_bytes()) for name, path in course_files(rubric))


def course_files(rubric: Rubric) -> Iterator[tuple[str, Path]]:
    """Yield the maze files and the course's own exercises, with paths relative to the rubric."""
    home = rubric.path.resolve().parent
    for maze in rubric.mazes:
        folder = maze.path.parent.resolve()
        if not folder.is_relative_to(home):
            raise InputError(
                "expected the mazes below the folder of the rubric: move them there", path=rubric.path
            )
        yield f"{folder.relative_to(home).as_posix()}/{maze.path.name}", maze.path
    yield from _own_exercises(rubric, home)


def _own_exercises(rubric: Rubric, home: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of exercises that the rubric names, except those that ship with the grader."""
    for root in (each.folder.resolve() for each in rubric.own_exercises):
        if root.is_relative_to(folder("grader").resolve()):
            continue
        if not root.is_relative_to(home):
            raise InputError(
                "expected the exercises below the folder of the rubric: move them there", path=rubric.path
            )
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                yield path.relative_to(home).as_posix(), path
