"""How the grader handles the analysis: it reads the file, and compares each answer with the name's mazes.

Read the file of the analysis, and judge its answers; an answer counts up to its first mistake.

The name in the file determines its mazes; mazes written in the file must match these, and have no other use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Final

from grader.exercises.kit.answers import describe_data
from grader.exercises.kit.check import Case, Check, each
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.findings import Finding, cell_text, cells_text, ending, unmarked
from grader.exercises.kit.folders.checks import titles
from grader.exercises.kit.folders.code import KNOWN
from grader.exercises.kit.kind import Kind
from grader.languages import Message, Text
from grader.languages import Value as Shown
from grader.model import Ask, Call, Claim, Telling
from grader.model.claims import FunctionAnswer
from grader.reader import Read
from lab import Maze, MazeFormatError, Vector
from lab.literals import MOST_CHARACTERS, NoLiteral, UnreadableError, Value, read_literals
from lab.questions import FILE, SOLVERS, draw, name_key
from lab.visits import parting, tidy, with_the_exit

_EXERCISE: Final = "own.analysis"
_FARTHEST: Final = 1_000
"""No maze has more rows or columns."""
_MOST_MAZE: Final = 2_000
"""The characters of a maze of six by six cells."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The literals of a file, or why it cannot be read."""

    literals: Mapping[str, Value | NoLiteral] = field(default_factory=dict)
    refused: Message | None = None
    is_unseen: bool = False
    """Whether reading it went beyond its bounds."""

    @property
    def name(self) -> str:
        """The name that determines the mazes, in normalised form; "" if there is none."""
        return name_key(self.literals.get("name")) or ""


def read(text: str | None) -> Reading:
    """Parse the text of a file, without running it; None means that it is no text."""
    if text is None:
        return Reading(refused=_said("no_text", file=FILE))
    try:
        return Reading(read_literals(text))
    except UnreadableError as error:
        if error.reason == "too_long":
            return Reading(refused=_said("too_long", file=FILE, most=MOST_CHARACTERS))
        return Reading(refused=_said(error.reason, file=FILE, line=error.line, code=error.code))


def judge_visits(reading: Reading, answer: str, solver: str, maze: str) -> Finding | None:
    """Judge a visit order; the part that is right counts."""
    given = _given(reading, answer, maze)
    if isinstance(given, Finding):
        return given
    facts, value = given
    cells = _cells(answer, value, facts)
    if isinstance(cells, Finding):
        return cells
    right = facts.orders[solver]
    if any(parting(order, cells, facts.maze) is None for order in right):
        return None
    order = max(right, key=lambda each: parting(each, cells, facts.maze) or 0)
    return _parted(answer, solver, facts, order, cells)


def judge_first(reading: Reading, answer: str, maze: str) -> Finding | None:
    """Judge who reaches the exit first; naming some of several solvers counts in part."""
    given = _given(reading, answer, maze)
    if isinstance(given, Finding):
        return given
    facts, value = given
    named = _solvers(value)
    if named is None:
        return _failed("no_solvers", facts, answer=answer, value=describe_data(value))
    ways = _who_is_first(facts)
    if named in ways:
        return None
    right = next((way for way in ways if named < way), ways[0])
    part = len(named) / len(right) if named < right else 0.0
    visits = {solver: len(facts.orders[solver.lower()][0]) for solver in SOLVERS}
    counted = ", ".join(f"{solver}: {count}" for solver, count in visits.items())
    text = _said("not_first", answer=answer, named=_listed(named), right=_listed(right), visits=counted)
    expected: dict[str, Telling] = {"text": _listed(right)}
    extra: dict[str, Telling] = {"maze": facts.text, "counted": True}
    return Finding("failed", text, expected, {"text": _listed(named)}, _hint("not_first"), extra, part=part)


# --- reading the file -------------------------------------------------------------------------------


def _given(reading: Reading, answer: str, maze: str) -> tuple[Facts, Value] | Finding:
    """Return the maze of the file's name and the value of an answer, or why there is nothing to judge."""
    if reading.is_unseen:
        return unmarked(_said("too_much", file=FILE))
    if reading.refused is not None:
        return Finding("failed", reading.refused, {}, {})
    literals = reading.literals
    name = literals.get("name")
    if "name" not in literals or isinstance(name, NoLiteral) or name_key(name) is None:
        shown = "" if isinstance(name, NoLiteral) or name is None else describe_data(name)
        return Finding("failed", _said("no_name", value=shown) if shown else _said("name_missing"), {}, {})
    drawn = draw(str(name))[maze]
    facts = facts_of(drawn.to_text())
    if not _is_maze(literals.get(maze), drawn):
        return _failed("other_maze", facts, maze=maze, name=str(name))
    value = literals.get(answer)
    if isinstance(value, NoLiteral):
        return _failed("no_literal", facts, answer=answer, line=value.line, code=value.code)
    if value is None or value in ([], (), ""):
        return _failed("not_filled", facts, answer=answer)
    return facts, value


def _is_maze(text: Value | NoLiteral, drawn: Maze) -> bool:
    if not isinstance(text, str) or len(text) > _MOST_MAZE:
        return False
    try:
        return Maze.from_text(text) == drawn
    except MazeFormatError:
        return False


def _cells(answer: str, value: Value, facts: Facts) -> list[Vector] | Finding:
    if not isinstance(value, (list, tuple)):
        return _failed("no_list", facts, answer=answer, value=describe_data(value))
    cells: list[Vector] = []
    for number, part in enumerate(value, start=1):
        cell = _cell(part)
        if cell is None:
            return _failed("no_cell", facts, answer=answer, number=number, value=describe_data(part))
        if not facts.dimension.includes(cell):
            return _failed(
                *("outside", facts),
                answer=answer,
                number=number,
                cell=cell_text(cell),
                rows=facts.dimension.row_count,
                columns=facts.dimension.column_count,
            )
        cells.append(cell)
    return cells


def _cell(part: Value) -> Vector | None:
    """Return a pair of whole numbers as a cell; None for anything else."""
    numbers = [*part] if isinstance(part, (list, tuple)) else []
    whole = [each for each in numbers if type(each) is int and abs(each) < _FARTHEST]
    return Vector(*whole) if len(whole) == len(numbers) == 2 else None


def _solvers(value: Value) -> frozenset[str] | None:
    """Return the named solvers, in upper or lower case; None if anything else is named."""
    by_word = {solver.casefold(): solver for solver in SOLVERS}
    parts = value.replace(" and ", ",").split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)):
        return None
    words = [by_word.get(part.strip().casefold()) if isinstance(part, str) else None for part in parts]
    return frozenset(word for word in words if word) if all(words) else None


# --- what is right ----------------------------------------------------------------------------------


def _parted(
    answer: str, solver: str, facts: Facts, order: Sequence[Vector], cells: Sequence[Vector]
) -> Finding:
    """Say where an answer departs from the right order that it follows longest, ignoring entry and exit."""
    index = parting(order, cells, facts.maze) or 0
    due, came = tidy(order, facts.maze), with_the_exit(cells, facts.maze)
    most = len(due) + 1
    wanted = due[index] if index < len(due) else order[-1]
    counts: dict[str, Shown] = {"answer": answer, "count": index, "most": most, "wanted": cell_text(wanted)}
    if index < len(came):
        text = _said("parted", **counts, cell=cell_text(came[index]))
    else:
        text = _said("stopped", **counts)
    expected: dict[str, Telling] = {"text": cells_text(order), "visits": order}
    actual: dict[str, Telling] = {"text": cells_text(cells), "visits": cells}
    extra: dict[str, Telling] = {
        "maze": facts.text,
        "counted": True,
        "parts_at": came[index] if index < len(came) else wanted,
    }
    return Finding("failed", text, expected, actual, _hint(solver), extra, part=index / most)


def _who_is_first(facts: Facts) -> list[frozenset[str]]:
    """Return the sets of solvers that reach the exit after the fewest visits, for each way of counting.

    Whether a visit is counted when the exit is taken or when it is seen, and how a DFS marks its cells, can
    make a difference: each count is right. The usual one comes first.
    """
    found = []
    for until in (len, lambda order: _until_seen(order, facts)):
        for deep in facts.orders["dfs"]:
            orders = {solver: facts.orders[solver.lower()][0] for solver in SOLVERS} | {"DFS": deep}
            counts = {solver: until(order) for solver, order in orders.items()}
            least = min(counts.values())
            found.append(frozenset(solver for solver, count in counts.items() if count == least))
    return list(dict.fromkeys(found))


def _until_seen(order: Sequence[Vector], facts: Facts) -> int:
    """Return how many cells are visited before the first one from which the exit is seen."""
    exit_ = facts.maze.exit
    return sum(1 for _ in takewhile(lambda cell: exit_ not in _reached(cell, facts), order))


def _reached(cell: Vector, facts: Facts) -> list[Vector]:
    return [cell + move for move in facts.maze.valid_moves_at(cell)]


# --- words ------------------------------------------------------------------------------------------


def _said(key: str, **values: Shown) -> Message:
    return Message(f"{_EXERCISE}.said.{key}", tuple(values.items()))


def _hint(key: str) -> Text:
    return Message(f"{_EXERCISE}.hint.{key}")


def _failed(key: str, facts: Facts, **values: Shown) -> Finding:
    """Return a finding for an answer with no right part, with the maze."""
    return Finding("failed", _said(key, **values), {}, {}, extra={"maze": facts.text})


def _listed(solvers: frozenset[str]) -> str:
    return ", ".join(solver for solver in SOLVERS if solver in solvers)


_NO_ARGUMENTS: Final = Ask("", (), 1)


def _checks(_book: object, exercise: str) -> Mapping[str, Callable[[], Check]]:
    """Return functions that make the checks, by id; each check has one case, the answer of that name."""
    known = titles(exercise)

    def make(id_: str, answer: str) -> Check:
        label = Message(f"own.{exercise}.maze.{answer.partition('_')[2]}")
        case = Case(Call(id_, _NO_ARGUMENTS), label, answer)
        return Check(id_, known[id_], (case,), each(_judge))

    def maker(id_: str, answer: str) -> Callable[[], Check]:
        return lambda: make(id_, answer)

    asked = KNOWN[exercise].exercise.checks
    return {
        f"{exercise}.{name}": maker(f"{exercise}.{name}", each_.cases[0])
        for name, each_ in asked.items()
        if not each_.criteria
    }


def _judge(case: Case, claim: Claim) -> Finding | None:
    answer = str(case.given)
    reading = None if claim.data is None else claim.data.returned
    if not isinstance(reading, Reading):
        return ending(claim, expected={})
    first, _, maze = answer.partition("_")
    if first == "first":
        return judge_first(reading, answer, maze)
    return judge_visits(reading, answer, first, maze)


def _drawn_from(claim: Claim) -> str:
    reading = None if claim.data is None else claim.data.returned
    return reading.name if isinstance(reading, Reading) else ""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A reading as the process sends it that parses the file."""

    literals: Mapping[str, Any]
    refused: Message | None


def _reads(text: Callable[[], str | None], attempt: Read) -> FunctionAnswer:
    """Read the file in a process with bounds."""

    def parse() -> _Sent:
        reading = read(text())
        return _Sent({name: _sent(value) for name, value in reading.literals.items()}, reading.refused)

    came = attempt(parse, _Sent)
    reading = Reading(is_unseen=True)
    if came is not None:
        reading = Reading({name: _received(value) for name, value in came.literals.items()}, came.refused)
    return FunctionAnswer(reading, changed=None, used_search=False)


def _sent(value: Value | NoLiteral) -> Any:
    """Return a value as JSON: only objects stand for what JSON has not."""
    if isinstance(value, NoLiteral):
        return {"line": value.line, "code": value.code}
    if isinstance(value, tuple):
        return {"tuple": [*map(_sent, value)]}
    return [*map(_sent, value)] if isinstance(value, list) else value


def _received(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(map(_received, value["tuple"])) if "tuple" in value else NoLiteral(**value)
    return [*map(_received, value)] if isinstance(value, list) else value


KIND = Kind(
    titles=titles,
    checks=_checks,
    sentence=lambda _exercise, wrong: wrong.finding.message,
    reproduce=lambda _target, _case, _file: None,  # the page shows the maze and the order
    reads=_reads,
    drawn_from=_drawn_from,
)
