"""Statements that hardly anybody means are pointed at, and none in work that is right."""

from __future__ import annotations

import ast

import pytest

from grader.grading.explain.lint import Oversight, oversight_in
from grader.intake.python_source import decode_source, parse_source
from grader.verification.bank import SHIPPED

GO = "def go(cell):\n    if at_exit(cell):\n        return [cell]\n    for end in ends(cell):\n        {}\n"


@pytest.mark.parametrize(
    ("code", "kind", "line"),
    [
        ("while search.has_pending_cells:\n    pass", "uncalled", 1),
        ("if not maze.has_exit:\n    pass", "uncalled", 1),
        ("if found and maze.is_exit:\n    pass", "uncalled", 1),
        ("for move in maze.valid_moves_at:\n    pass", "uncalled", 1),
        ("cells = [cell for cell in size.all_positions]", "uncalled", 1),
        ("best = search.distance_to < 3", "uncalled", 1),
        ("Vector(cell.row + move.column, 1)", "row_or_column", 1),
        ("seen.add(f'{cell.row}{cell.column}')", "glued", 1),
        ("key = str(row) + str(col)", "glued", 1),
        ("table = [[0] * 4] * 3", "same_row", 1),
        ("table = [[]] * 3", "same_row", 1),
        ("for move in moves:\n    cell + move", "no_effect", 2),
        ("visited == True", "no_effect", 1),
        ("queue.pop", "no_effect", 1),
        ("sorted(moves)", "no_effect", 1),
        ("\nsearch.moves_to(cell)", "no_effect", 2),
        ("way = way.append(move)", "gives_none", 1),
        ("def way():\n    return moves.reverse()", "gives_none", 2),
        ("queue.append(way + moves.sort())", "gives_none", 1),
        ("for move in moves.reverse():\n    pass", "gives_none", 1),
        (GO.format("go(end)"), "answer", 5),
        (
            "for end in ends:\n    if end == x:\n        return 1\n    else:\n        return 2",
            "first_turn",
            2,
        ),
        ("def go():\n    return moves\n    moves.reverse()", "unreached", 3),
        ("while q:\n    if q:\n        pass\n    else:\n        break\n        q.pop()", "unreached", 6),
    ],
)
def test_an_oversight_is_found(code: str, kind: str, line: int) -> None:
    assert oversight_in(ast.parse(code)) == Oversight(kind, line)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "code",
    [
        '"""Text."""\nx = [sorted(moves), way + [move]]',
        "take = queue.pop\nbest = min(cells, key=search.distance_to)",
        "maze.entry == cell and queue.append(cell)\n" if False else "queue.append(cell)",
        GO.format("yield from go(end)"),
        GO.format("found.append(go(end))"),
        GO.format("nonlocal best; go(end)"),
        "def mark(cell):\n    for end in ends:\n        mark(end)\n    return None",
        "for end in ends:\n    if end == x:\n        return 1\n    else:\n        continue",
        "def append(x):\n    return [x]\nway = self.append(1)",
        "def go():\n    return go\n    def inner(): ...",
    ],
)
def test_what_may_be_meant_is_none(code: str) -> None:
    assert oversight_in(ast.parse(code)) is None


def test_no_right_submission_has_one() -> None:
    found = {
        str(path): oversight_in(tree)
        for path in sorted((SHIPPED / "right").rglob("*.py"))
        if (tree := parse_source(decode_source(path.read_bytes()) or "")) is not None
    }
    assert len(found) > 100
    assert {name: oversight for name, oversight in found.items() if oversight} == {}
