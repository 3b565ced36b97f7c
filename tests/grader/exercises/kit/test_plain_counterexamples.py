"""Of all that a check has found the plainest is shown."""

from __future__ import annotations

from grader.exercises.search.kind import script_of
from grader.grading.case_runs import CaseRuns
from grader.grading.verdicts import CounterexampleFinder
from reference.solvers.dfs import DFS
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.exercises.all_exercises import NeverShorter, exercise


def test_counterexamples_are_small() -> None:
    asked = exercise("bfs")
    trial = CaseRuns(asked.checks, run_with(DFS, Search))
    trial.run()
    shortest = next(check for check in asked.checks if check.id == "bfs.shortest")
    wrong = trial.wrong(shortest)
    assert wrong is not None
    assert CounterexampleFinder(trial).plainest(shortest, wrong).case.facts.dimension.position_count <= 6


def test_a_wrong_search_is_shown_by_few_calls_near_the_first_cell() -> None:
    asked = exercise("search")
    trial = CaseRuns(asked.checks, run_with(NeverShorter))
    trial.run()
    shorter = next(check for check in asked.checks if check.id == "search.shorter-way")
    wrong = trial.wrong(shorter)
    assert wrong is not None
    shown = CounterexampleFinder(trial).plainest(shorter, wrong)
    assert len(script_of(shown.case).steps) <= 6
    assert shown.finding.step == len(script_of(shown.case).steps) - 1
    assert max(max(cell) for _, _, cells in script_of(shown.case).steps for cell in cells) <= 3
