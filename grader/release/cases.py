"""The drawn cases of the public tests: what the grade asks, drawn anew, and what is right there.

The kit's tests ask what the public checks of the grade ask, on cases of the same families. The number from
which they are drawn is a digest of the public mazes, so one course gives one kit, and nothing of the rubric's
seed, from which the grade's own mazes follow, can be told from it. What a hidden check asks about is left
out, turned and mirrored as well.

All is data, a file for each kind of exercise, none of them Python: a cell is two letters, for its row and its
column; moves are their first letters.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from grader.course.plan import Plan, fixed_mazes
from grader.exercises.kit.check import Case, Check, sample
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.library import CaseBook
from grader.exercises.registry import make_checks
from grader.exercises.search.judge import Given, answers
from grader.model import Call, Generate, IsPerfect, RunScript, Solve, Step
from grader.model.claims import NONE, BoolValue, IntValue, Raised, VectorsValue, VectorValue
from grader.release.handout import Rows, canonical, walls
from grader.session.connection import size_of
from lab import MOVES, Vector
from lab.exercises import BY_ID, LAB_EXERCISES
from lab.maze import Position
from lab.proportion import SIZES, size_class

FEW_CELLS: Final = 4
"""Mazes with no more cells are not secret."""
MANY_CELLS: Final = 12
"""From this many cells on, a maze is recognised by its walls; a smaller one also needs entry and exit."""
FILE: Final = "tests/cases_of_{}.json"
"""Their places in the student's folder, by the kind of exercise; none is too large to be handed in."""
DRAWN: Final = 60
"""Small mazes of a family; as in the grade, half as many of up to 20 x 20 join them."""
DRAWS: Final = 3
"""From so many draws come the cases of which each draw has few."""
MOST_SERIES: Final = 12
"""How many cases at most of what is asked to see whether something is remembered."""
MOST_CONTROLS: Final = 48
"""How many at most to see whether any work is done; those of a checker come in sets of four."""
_A: Final = ord("a") - 1
_ORDERED: Final = ("visit-order", "controls")
"""Where a solver's order of visits is looked at."""
LETTERS: Final = {
    "mark_as_pending": "m",
    "record": "r",
    "has_pending_cells": "p",
    "first_pending": "f",
    "last_pending": "l",
    "closest_pending": "c",
    "distance_to": "d",
    "moves_to": "w",
    "known_cells": "k",
}
"""The calls of a Search."""


def drawn_cases(
    plan: Plan, kept: Collection[str], is_secret: Callable[[str], bool]
) -> Iterator[tuple[str, bytes]]:
    """Yield the files for these exercises of a course, by path; ``is_secret`` tells of a maze whether
    students must not see it."""
    fixed = [maze for maze in fixed_mazes(plan.rubric) if not maze.hidden]
    texts = "\n".join(sorted({maze.text for maze in fixed}))
    seed = int(sha256(texts.encode()).hexdigest()[:8], 16)
    book, *others = (CaseBook(seed + number, DRAWN, fixed) for number in range(DRAWS))
    mazes, asked = defaultdict[str, _Mazes](_Mazes), defaultdict[str, dict[str, Any]](dict)
    for exercise, kind in ((each.id, each.kind) for each in LAB_EXERCISES if each.id in kept):
        shown = [
            id_
            for id_, check in plan.points.items()
            if id_.startswith(f"{exercise}.") and check.visibility == "public"
            if check.own is None and not check.criteria
        ]
        cases = _by_check(make_checks(exercise, shown, book))
        for other in others:
            more = _by_check(make_checks(exercise, shown, other))
            cases = {name: (*some, *_added(name, some, more[name])) for name, some in cases.items()}
        asked[kind][exercise] = {
            name: [
                mazes[kind].told(case.call, ordered_by=exercise if name in _ORDERED else "")
                for case in some
                if not any(map(is_secret, _mazes_of(case.call)))
            ]
            for name, some in cases.items()
        }
    for name, of_it in asked.items():
        yield FILE.format(name), _as_json({"mazes": mazes[name].known, "asked": of_it})


def _by_check(checks: Iterable[Check]) -> dict[str, Sequence[Case]]:
    found: dict[str, Sequence[Case]] = {}
    for check in checks:
        name, cases = check.id.partition(".")[2], [case for case in check.cases if not case.wave]
        series = [case for case in cases if len(_mazes_of(case.call)) > 1]
        found[name] = sample(series, MOST_SERIES) if series else cases
        if check.controls:
            found["controls"] = check.controls[:MOST_CONTROLS]
    return found


def _added(name: str, some: Sequence[Case], more: Sequence[Case]) -> Iterator[Case]:
    """Yield those of another draw that join the cases of a check: all that show whether any work is done, and
    those of more than 12 x 12 cells, of which each draw has a few, and which together count as much as all
    smaller ones: luck decides less where there are more. Their orders of visits would take too much room."""
    known = {case.call.arguments for case in some}
    for case in more:
        is_large = size_class(size_of(case.call)) == len(SIZES) - 1 and name not in _ORDERED
        is_new, mazes = case.call.arguments not in known, len(_mazes_of(case.call))
        if (is_large and is_new and mazes < 2) or (name == "controls" and mazes):
            yield case


def _mazes_of(call: Call) -> tuple[str, ...]:
    match call.arguments:
        case Solve(mazes):
            return mazes
        case IsPerfect(maze, before):
            return (*before, maze)
    return ()


class _Mazes:
    """The mazes that are asked about, each once, with what is right there."""

    def __init__(self) -> None:
        self.known: list[dict[str, Any]] = []
        self._places: dict[str, int] = {}

    def told(self, call: Call, *, ordered_by: str) -> Any:
        """Return a call as data: the places of its mazes, dimension and seeds, or a script."""
        match call.arguments:
            case Solve() | IsPerfect():
                return [self._place(text, ordered_by) for text in _mazes_of(call)]
            case Generate(rows, columns, seed):
                return [rows, columns, seed]
            case RunScript(steps):
                right = answers(steps)
                return " ".join(map(_step_text, steps, right))
        raise ValueError(f"expected a call of an exercise of the lab, got {call.id}")

    def _place(self, text: str, ordered_by: str) -> int:
        if text not in self._places:
            facts = facts_of(text)
            of_it = {"perfect": facts.is_perfect, "cycle": bool(facts.cycle), "length": facts.length or 0}
            self.known.append({"maze": facts.text, **{name: each for name, each in of_it.items() if each}})
            self._places[text] = len(self.known) - 1
        place = self._places[text]
        if ordered_by and BY_ID[ordered_by].kind == "solver":
            self.known[place] |= _orders(facts_of(text), ordered_by)
        return place


def _orders(facts: Facts, solver: str) -> dict[str, Any]:
    """Return the right orders of a solver, and the ways that right ones find."""

    def letters(cells: Iterable[Position]) -> str:
        return "".join(chr(_A + row) + chr(_A + column) for row, column in cells)

    reach = {"reach": letters(facts.distances)} if facts.islands else {}
    right, ways = facts.right_orders[solver], ["".join(map(_letter, way)) for way in facts.ways[solver]]
    if not BY_ID[solver].goes_deep:
        return {"broad": letters(right.orders[0]), "short": ways, **reach}
    tried = {"tried": letters(right.tried)} if right.tried else {}
    return {"deep": [*map(letters, right.orders)], "ways": ways, **tried, **reach}


def _letter(move: Position) -> str:
    return MOVES[MOVES.index(Vector(*move))].name[0]


def secret_mazes(plan: Plan) -> Iterator[tuple[Rows, str]]:
    """Yield the mazes that students must not see, in the forms by which they are known, each with what it
    is."""
    hidden = {id_ for id_, check in plan.points.items() if check.visibility == "hidden"}
    for exercise in plan.exercises:
        for check in exercise.checks:
            for case in check.cases if check.id in hidden else ():
                if case.maze is not None:
                    yield from canonical_forms(case.maze, f"a maze of the hidden check {check.id}")
    named = [(maze.name, maze.text, maze.visibility == "hidden") for maze in plan.rubric.mazes]
    own = chain.from_iterable(each.mazes for each in plan.rubric.own_exercises)
    for name, text, is_hidden in (*named, *((maze.name, maze.text, maze.hidden) for maze in own)):
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


# --- scripts for a Search ------------------------------------------------------------------------------


def _step_text(step: Step, right: Given) -> str:
    """Return a step of a script with its right answer, such as ``r2,2n`` or ``d1,2=1``; what the second
    Search is asked begins with ``+``."""
    instance, method, given = step
    cells = given[:1] if method == "record" else given
    more = _letter(given[1]) if method == "record" else ""
    answer = "" if right is NONE else f"={_answer_text(method, right)}"
    return f"{'+' * instance}{LETTERS[method]}{':'.join(map(_cell_text, cells))}{more}{answer}"


def _answer_text(method: str, right: Given) -> str:
    match right:
        case Raised():
            return "!"
        case BoolValue(value):
            return str(value)
        case IntValue(value):
            return str(value)
        case VectorValue(value):
            return _cell_text(value)
        case VectorsValue(values):
            if method == "moves_to":
                return "".join(map(_letter, values))
            return ":".join(map(_cell_text, values))
    raise ValueError(f"expected an answer of a Search, got {right}")


def _cell_text(cell: Position) -> str:
    return f"{cell[0]},{cell[1]}"


def _as_json(told: Mapping[str, Any]) -> bytes:
    """Return it as JSON, a line for each maze and each check."""

    def line(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"))

    asked = (
        f'"{exercise}":{{\n' + ",\n".join(f'"{name}":{line(each)}' for name, each in of_it.items()) + "\n}"
        for exercise, of_it in told["asked"].items()
    )
    mazes, calls = (",\n".join(each) for each in (map(line, told["mazes"]), asked))
    return f'{{"mazes":[\n{mazes}\n],\n"asked":{{\n{calls}\n}}}}\n'.encode()
