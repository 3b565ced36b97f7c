"""How the grader handles the student's own generator."""

from __future__ import annotations

from grader.exercises.generator import checks, made_mazes
from grader.exercises.generator.judge import judge_dimension, made, size
from grader.exercises.generator.misconceptions import MODELS
from grader.exercises.kit.check import Case, PlannedExercise, Wrong
from grader.exercises.kit.hidden_kinds import of_a_dimension
from grader.exercises.kit.kind import Gallery, Kind
from grader.exercises.kit.misconception import AnswerReader
from grader.languages import Message, said
from grader.model import Claim, Generate, Json, Target
from grader.model.claims import MazeValue
from lab import Maze
from lab.recorded import Told
from lab.story import Recorded
from lab.telling import of_maze


def _sentence(_exercise: PlannedExercise, wrong: Wrong) -> Message:
    if wrong.finding.decides:
        return said("decides", finding=wrong.finding.message)
    return said("for_a_dimension", **wrong.told())


def _reproduce(_target: Target, case: Case, file: str) -> Json:
    """Return a command that makes the maze, or several with one generator."""
    asked = case.call.asked(Generate)
    rows, columns, seed = asked.rows, asked.columns, asked.seed
    if asked.times > 1:
        code = "from random import Random; from lab import Dimension, Factory; "
        code += f"from generators.my_generator import MyGenerator; g = MyGenerator(Random({seed})); "
        each = f"g.generate(Factory(), Dimension({rows}, {columns})).to_text()"
        return {"file": None, "command": f'python -c "{code}[print({each}) for _ in range({asked.times})]"'}
    command = f"maze generate {file} -r {rows} -c {columns} --algorithm mine --seed {seed}"
    return {"file": None, "command": command}


def _picture(case: Case, claim: Claim) -> dict[str, Json] | None:
    asked = case.call.asked(Generate)
    if judge_dimension(asked, claim) is not None:
        return None
    (maze,) = made(claim)
    return {"rows": asked.rows, "columns": asked.columns, "seed": asked.seed, "maze": maze.text}


def _story(_exercise: str, wrong: Wrong, claim: Claim, run: Recorded) -> list[Told]:
    """Tell which wall closed a cycle, or which cells stayed apart."""
    mazes = [Maze.from_text(each.text) for each in claim.made if isinstance(each, MazeValue)]
    if len(mazes) != 1 or wrong.case.call.asked(Generate).times != 1:
        return []
    return of_maze(run, mazes[0])


KIND = Kind(
    titles=lambda _: checks.TITLES,
    checks=lambda book, _: checks.checks(book),
    sentence=_sentence,
    reproduce=_reproduce,
    hidden_kind=lambda case: of_a_dimension(size(case.call.asked(Generate))),
    models=MODELS,
    reader=AnswerReader(made_mazes.read, made_mazes.wrong_of),
    with_sources=checks.with_sources,
    told_by_check={"repeat": "generator-remembers"},
    gallery=Gallery(checks.gallery, _picture),
    story=_story,
)
