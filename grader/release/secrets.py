"""A course's secrets in searchable form: hidden mazes, hidden checks, the reference."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from grader.course.plan import Plan
from grader.exercises.kit.folders.code import JUDGE
from grader.release.maze_drawings import Rows, canonical, walls
from grader.shipped import folder
from lab.exercises import exercise_of

FEW_CELLS: Final = 4
"""Mazes with no more cells are not secret."""
MANY_CELLS: Final = 12
"""From this many cells on, a maze is recognised by its walls; a smaller one also needs entry and exit."""
CODE_LINES: Final = 3
"""This many identical statements in a row are no coincidence."""
_LEAST_CODE: Final = 60
"""Less code, in characters, may be the same by chance."""
_LEAST_TEXT: Final = 40
"""Less text, in characters, may be the same by chance."""


@dataclass(frozen=True)
class Secrets:
    """The secrets to search for, each described for people."""

    mazes: Mapping[Rows, str]
    words: Mapping[str, str]
    """Ids of hidden checks, names and purposes of hidden mazes, sentences of the reference."""
    code: Mapping[tuple[str, ...], str]
    told: tuple[str, ...] = field(default=())
    """Lines with the number of secrets of each kind."""


def collect_secrets(plan: Plan) -> Secrets:
    """Collect what students must not see of a course."""
    mazes, words = dict(_secret_mazes(plan)), dict(_secret_words(plan))
    answers = list(_answers(plan))
    code, texts = dict(_secret_code(answers)), dict(_secret_texts(answers))
    count = sum(maze.visibility == "hidden" for maze in plan.rubric.mazes)
    told = (
        f"{count} hidden mazes, and all others of more than {FEW_CELLS} cells that hidden checks ask about, "
        "turned and mirrored as well",
        f"names and purposes of the hidden mazes, ids of {len(_hidden(plan))} hidden checks",
        f"code and texts of the answers, {len(set(code.values()) | set(texts.values()))} functions and files",
    )
    return Secrets(mazes, {**words, **texts}, code, told)


def _hidden(plan: Plan) -> list[str]:
    return [check for check, planned in plan.points.items() if planned.visibility == "hidden"]


def _secret_mazes(plan: Plan) -> Iterator[tuple[Rows, str]]:
    hidden = set(_hidden(plan))
    for exercise in plan.exercises:
        for check in exercise.checks:
            for case in check.cases if check.id in hidden else ():
                if case.maze is not None:
                    yield from canonical_forms(case.maze, f"a maze of the hidden check {check.id}")
    named = [(maze.name, maze.text, maze.visibility == "hidden") for maze in plan.rubric.mazes]
    for name, text, is_hidden in (*named, *chain(*(own.mazes for own in plan.rubric.own_exercises))):
        if is_hidden:
            yield from canonical_forms(text, f"the hidden maze “{name}”")


def canonical_forms(text: str, what: str) -> Iterator[tuple[Rows, str]]:
    """Yield the forms by which a maze is known, none of a tiny one, each with what it is."""
    rows = tuple(text.strip("\n").split("\n"))
    cells = (len(rows) // 2) * (len(rows[0]) // 2)
    if cells > FEW_CELLS:
        yield canonical(rows), what
    if cells >= MANY_CELLS:
        yield canonical(walls(rows)), what


def _secret_words(plan: Plan) -> Iterator[tuple[str, str]]:
    for check in _hidden(plan):
        yield check, f"the id of the hidden check {check}"
    for maze in plan.rubric.mazes:
        if maze.visibility == "hidden":
            for text in (maze.name, *maze.caught):
                if len(text.split()) > 2:
                    yield text, f"what is said of the hidden maze “{maze.name}”"


# --- the answers ----------------------------------------------------------------------------------


_Answers = Sequence[tuple[str, ast.Module]]


def _answers(plan: Plan) -> Iterator[tuple[str, ast.Module]]:
    root = folder("reference")
    for path in sorted(root.rglob("*.py")):
        yield path.relative_to(root).as_posix(), ast.parse(path.read_bytes())
    for own in plan.rubric.own_exercises:
        yield own.file, ast.parse(own.reference)
        yield f"{own.id}/{JUDGE}", ast.parse(own.judge)


def _secret_functions(file: str, tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a reference file that students do not get."""
    search = exercise_of("script")
    own = search.methods if search is not None and file == search.file else None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and (own is None or node.name in own):
            yield node


def _secret_code(answers: _Answers) -> Iterator[tuple[tuple[str, ...], str]]:
    for file, tree in answers:
        for function in _secret_functions(file, tree):
            lines = statements(function)
            for start in range(len(lines) - CODE_LINES + 1):
                window = lines[start : start + CODE_LINES]
                if len("".join(window)) >= _LEAST_CODE:
                    yield window, f"code of the answers, {function.name} of reference/{file}"


def statements(function: ast.FunctionDef) -> tuple[str, ...]:
    """Return the normalised lines of a function's body without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    text = ast.unparse(ast.Module(body, []))
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _secret_texts(answers: _Answers) -> Iterator[tuple[str, str]]:
    """Yield the first sentences of the reference's longer docstrings, which no skeleton contains."""
    for file, tree in answers:
        documented: list[ast.Module | ast.FunctionDef] = [tree, *_secret_functions(file, tree)]
        for node in documented:
            _, _, more = (ast.get_docstring(node) or "").partition("\n\n")
            sentence = " ".join(more.split("\n\n")[0].split()).split(". ")[0]
            if len(sentence) >= _LEAST_TEXT:
                yield sentence, f"a text of the answers, of reference/{file}"
