"""How the grader handles solvers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.exercises.kit.check import Case, PlannedExercise, Wrong
from grader.exercises.kit.hidden_kinds import of_a_way
from grader.exercises.kit.kind import Kind, Noted
from grader.exercises.kit.misconception import AnswerReader, one_by_one
from grader.exercises.kit.reproduce import module_of
from grader.exercises.kit.reproduce import one_by_one as mazes_one_by_one
from grader.exercises.kit.solvers import checks, runs
from grader.exercises.kit.solvers.misconceptions import MASKS, MODELS
from grader.exercises.kit.solvers.story import story
from grader.exercises.kit.solvers.visit_order import cells_beyond
from grader.languages import Message, said
from grader.model import Claim, Json, Solve, Target
from grader.model.claims import VectorsValue


def sentence(exercise: PlannedExercise, wrong: Wrong) -> Message:
    """Say what the solver did on which maze."""
    solver = exercise.target.name
    return said("on_a_maze", label=wrong.case.label, solver=solver, finding=wrong.finding.message)


def reproduce(target: Target, case: Case, file: str) -> Json:
    """Return the maze to save and the command that solves it, or several with one solver."""
    mazes = case.call.asked(Solve).mazes
    if len(mazes) == 1:
        return {"file": file, "command": f"maze solve {file} --algorithm {target.name} --visited"}
    made = f"from {module_of(target)} import {target.name}; from solvers.search import Search; "
    return mazes_one_by_one(mazes, f"{made}s = {target.name}(); ", "s.solve({}, Search())", file=file)


def _noted(exercise: PlannedExercise, mazes: Sequence[tuple[Case, Claim]]) -> Iterator[Message]:
    """Note moves in something other than a list, and a solver that goes on after the exit."""
    name = exercise.target.name
    returned = [run.returned for _, claim in mazes for run in claim.runs[:1]]
    kinds = [value.container for value in returned if isinstance(value, VectorsValue)]
    kind = next((kind for kind in kinds if kind != "list"), None)
    if kind is not None:
        yield said("counts_as_list", solver=name, kind=kind)
    counts = [cells_beyond(case.facts, claim, exercise.id) for case, claim in mazes]
    seen = [count for count in counts if count is not None]
    if len(seen) == len(mazes) and any(seen):
        label = mazes[seen.index(max(seen))][0].label
        yield said("goes_on", solver=name, label=label, count=str(max(seen)))


SOLVER = Kind(
    titles=checks.titles,
    checks=checks.checks,
    sentence=sentence,
    reproduce=reproduce,
    hidden_kind=of_a_way,
    models=MODELS,
    masks=MASKS,
    reader=AnswerReader(runs.read, one_by_one(runs.is_right)),
    told_by_check={"repeat": "remembers-the-maze-before"},
    noted=Noted("visit-order", _noted),
    story=story,
    may_use_search=True,
)
