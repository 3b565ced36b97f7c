"""How many wrong submissions get the right hint: ``python -m tests.grader.exercises.misconceptions.report``.

Each submission runs in a process of its own, over all calls of the shipped rubric.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections import Counter
from pathlib import Path

from grader.exercises.kit.diagnosis import diagnose
from grader.exercises.registry import kind_of
from tests.grader.exercises.misconceptions.in_process import calls_of, claims_of
from tests.submissions.loader import Case, cases

SECONDS = 120


def _diagnosed(case: Case, exercise: str) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        claims = claims_of(case, exercise, Path(folder), calls_of(exercise))
        return diagnose(kind_of(exercise), exercise, claims)


def _hints(case: Case, answers: multiprocessing.SimpleQueue[tuple[str, str | None]]) -> None:
    for exercise in case.expectation.exercises:
        try:
            answers.put((exercise, _diagnosed(case, exercise)))
        except BaseException as error:  # noqa: BLE001 - whatever a submission raises
            answers.put((exercise, None))
            sys.stderr.write(f"{case.name}: {error!r}\n")


def _hints_within(case: Case) -> dict[str, str | None]:
    """The hints that come in time; what hangs is ended."""
    answers: multiprocessing.SimpleQueue[tuple[str, str | None]] = multiprocessing.SimpleQueue()
    child = multiprocessing.get_context("fork").Process(target=_hints, args=(case, answers))
    child.start()
    child.join(SECONDS)
    child.kill()
    found = {}
    while not answers.empty():
        exercise, hint = answers.get()
        found[exercise] = hint
    return found


def main() -> None:
    """Print a line a submission, and the counts."""
    counts: Counter[str] = Counter()
    for exercise in ("search", "dfs", "perfection", "generator", "bfs", "dijkstra"):
        calls_of(exercise)
    for case in cases("wrong"):
        hints = _hints_within(case)
        for exercise in case.expectation.exercises:
            hint = hints.get(exercise)
            right = hint == f"{exercise}.{case.expectation.mistake}"
            kind = "none" if hint is None else "right" if right else "WRONG"
            counts[kind] += 1
            print(f"{kind:6} {case.name:50} {hint or ''}", flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main()
