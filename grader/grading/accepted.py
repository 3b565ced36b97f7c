"""What counts although it is not what was asked for: a word on it, and no point less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.checks.base import Case, Exercise
from grader.grading.trial import Trial, sample
from grader.languages import Message, said
from grader.model import Claim, Remark
from grader.model.claims import VectorsValue
from grader.oracle.visit_order import cells_beyond

MAZES = 20
"""So many mazes are looked at, evenly from the smallest to the largest."""


def remarks_on(exercise: Exercise, trial: Trial) -> tuple[Remark, ...]:
    """The remarks on a solver; there is nothing to say of others."""
    checks = {check.id: check for check in trial.checks}
    check = checks.get(f"{exercise.id}.visit-order")
    if exercise.kind != "solver" or check is None or trial.wrong(check):
        return ()
    mazes = [(case, trial.claims[case.call.id]) for case in sample(check.cases, MAZES)]
    name, file = exercise.target.name, exercise.target.file
    return tuple(Remark("accepted", name, file, message) for message in _messages(exercise, mazes))


def _messages(exercise: Exercise, mazes: Sequence[tuple[Case, Claim]]) -> Iterator[Message]:
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
