"""The corpus as a class: graded by ``grader batch``, as a user would, and written down as a table of marks.

Each hands in only what differs from the base, and the Search that solvers stand on: what is missing is not run.
Who replaces the Search, or any file that is no exercise's, hands in everything, since it could reach everything;
who is hostile, a right checker of mazes too, which must keep its marks. Those whose mistake is ended by a clock
are a class of their own, with less time.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from grader.course.rubric import SHIPPED
from grader.model import ExerciseJson, ResultsJson
from tests.grader.command import ALONE
from tests.submissions.loader import CANARY, FILES, HERE, Case, Loss, base, cases

ROOT = HERE.parents[1]
MARKS = HERE / "marks.txt"
LIMITS: Mapping[str, Mapping[str, float]] = {
    "calm": {"call_cpu_seconds": 15},
    "hasty": {"call_cpu_seconds": 0.5, "call_wall_seconds": 10},
}
"""Where steps are counted the count has to come first, on a busy machine too; where a clock ends something, it
need not be waited for: right submissions take some thousandths of a second."""
HEAD = """\
# What each submission of the corpus gets from grader batch in bubblewrap: points of the exercises that it hands in;
# but for hostile ones, which race with what stops them, lost checks by status, and the mistake that the hint is
# about. The rubric is the shipped one, with less time for what is marked as slow.
# "limit" stands for statuses of which the entry allows several.
# Written by: make marks
"""


def files_of(case: Case) -> dict[str, bytes]:
    """Return the files that a submission hands in to the class."""
    right, files = base(), case.files()
    changed = {path for path in {*right, *files} if right.get(path) != files.get(path)} | {*case.links()}
    own = set(FILES.values()) - {FILES["search"]}
    if not changed or not changed <= own:
        return files
    kept = changed | {FILES["search"]} | ({FILES["perfection"]} if case.kind == "hostile" else set())
    kept |= {FILES[id_] for id_ in (*case.expectation.exercises, *case.expectation.may_lose)}
    return {path: data for path, data in files.items() if path in kept}


def left_out(case: Case) -> set[str]:
    """Return the exercises that a submission does not hand in to the class, and has."""
    without = case.files().keys() - files_of(case).keys()
    return {id_ for id_, file in FILES.items() if file in without}


def grade_here(arguments: Sequence[str]) -> None:
    """Run the grader with these arguments; what it must not tell is in its environment."""
    command = [sys.executable, "-c", ALONE, *arguments]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "SECRET": CANARY}, check=True)


def grade_class(
    out: Path,
    folder: Path,
    chosen: Sequence[Case] | None = None,
    run: Callable[[Sequence[str]], object] = grade_here,
) -> None:
    """Grade the corpus, or those chosen of it, into ``out``; submissions and rubrics are put into ``folder``."""
    classes: dict[str, list[Case]] = {}
    for case in cases() if chosen is None else chosen:
        classes.setdefault(_class_of(case), []).append(case)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "secret.txt").write_text(CANARY)
    shutil.copytree(SHIPPED.parent / "mazes", folder / "mazes", dirs_exist_ok=True)
    for name, members in classes.items():
        for case in members:
            case.materialise(folder / name / _folder_of(case), files_of(case))
        rubric = folder / f"{name}.yaml"
        rubric.write_text(_rubric(LIMITS[name]), encoding="utf-8")
        command = ["batch", str(folder / name), "--out", str(out / name), "--rubric", str(rubric)]
        run([*command, "--no-explain", "--sandbox", "bubblewrap", "--jobs", "2", "--quiet"])


def _class_of(case: Case) -> str:
    return "hasty" if case.expectation.slow else "calm"


def _folder_of(case: Case) -> str:
    return f"{case.kind}--{case.name}"


def _rubric(limits: Mapping[str, float]) -> str:
    """Return the shipped rubric with other limits."""
    return f"limits: {dict(limits)}\n{SHIPPED.read_text(encoding='utf-8')}"


def results_of(out: Path, chosen: Iterable[Case], file: str = "staff.json") -> dict[Case, ResultsJson]:
    """Return the results of a class: what staff see, or what students do (``results.json``)."""
    paths = {case: out / _class_of(case) / _folder_of(case) / file for case in chosen}
    return {case: json.loads(path.read_bytes()) for case, path in paths.items()}


def table(results: Mapping[Case, ResultsJson]) -> str:
    """Return the table of marks: a row a submission."""
    return HEAD + "".join(f"{case}: {_row(case, found)}\n" for case, found in results.items())


def _row(case: Case, results: ResultsJson) -> str:
    absent = left_out(case)
    return "; ".join(_told(case, each) for each in results["exercises"] if each["id"] not in absent)


def _told(case: Case, exercise: ExerciseJson) -> str:
    """Return the points of an exercise, its lost checks by status, and the mistakes that hints are about.

    Where the entry allows several statuses, it hangs on the machine which of them come, and what the hint is.
    """
    points = f"{exercise['id']} {exercise['score']:g}"
    if case.kind == "hostile":
        return points
    loss = case.expectation.exercises.get(exercise["id"], Loss())
    is_any = len(loss.status) > 1
    lost: dict[str, list[str]] = {}
    for check in exercise["checks"]:
        if check["status"] != "passed":
            status = "limit" if is_any and check["status"] in loss.status else check["status"]
            lost.setdefault(status, []).append(check["id"].partition(".")[2])
    whole = len(exercise["checks"])
    told = [f"{status}({'all' if len(ids) == whole else ' '.join(ids)})" for status, ids in lost.items()]
    hints = [] if is_any else [f"~{name}" for name in _named(exercise)]
    return " ".join([points, *told, *hints])


def misconceptions_of(results: ResultsJson) -> set[str]:
    """Return the mistakes that the hints are about."""
    return {name for exercise in results["exercises"] for name in _named(exercise)}


def _named(exercise: ExerciseJson) -> list[str]:
    told = [known["id"] for check in exercise["checks"] if (known := check.get("misconception"))]
    return sorted({id_.partition(".")[2] for id_ in told})
