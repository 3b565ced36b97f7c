"""The public tests of solvers/search.py."""

from __future__ import annotations

import json
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial
from inspect import getattr_static
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from conftest import SMALL, Looking, at_work
from public_cases import Case, drawn
from public_checks import of_drawn_cases, stands_for, your

from lab import EAST, MOVES, NORTH, SOUTH, Vector
from lab.commands.reporter import fail
from lab.commands.retelling import FailedCall, Watching
from lab.exercises import BY_NAME
from lab.held import NOTHING, Held, held_after, of_state, wrong_parts
from lab.recorded import Told
from lab.steps import is_pair, shown
from lab.story import Recorded
from lab.way import cell_text, describe, is_list

START = Vector(2, 2)
KINDS_OF_KNOWN_CELLS = (
    *(tuple, list, deque, dict, MappingProxyType),
    *(type({}.keys()), type({}.values()), type(OrderedDict().keys()), type(OrderedDict().values())),
)
"""What grading takes for known cells as well."""
MOST_SHOWN = 30
"""The last steps are shown."""
CONTAINERS = (dict, list, set, deque)
RIGHT = {
    steps: Held(*held)
    for steps, held in json.loads(Path(__file__).with_name("search_states.json").read_text("utf-8")).items()
}
"""What a right Search holds after the steps of these tests."""


class Step(NamedTuple):
    """A call of a search, or the question which cells it knows."""

    search: int
    name: str
    given: tuple[Vector, ...]

    def __str__(self) -> str:
        given = ", ".join(map(_text, self.given))
        return self.name if self.name == "known_cells" else f"{self.name}({given})"

    def take(self, search: Any) -> Any:
        """Take the step with a search."""
        member = getattr(search, self.name)
        return member if self.name == "known_cells" else member(*self.given)


class Story:
    """A new Search of yours with the calls so far, which a failure lists; perhaps beside one made before."""

    def __init__(self, before: Story | None = None) -> None:
        self.search = your("Search")()
        self.before = before
        self.steps: list[Step] = [] if before is None else before.steps
        self.mark(START)

    def mark(self, cell: Vector) -> None:
        self._take("mark_as_pending", cell)

    def record(self, start: Vector, move: Vector) -> Vector:
        """Record a move, and return the cell that it leads to."""
        self._take("record", start, move, start + move)
        return start + move

    def take(self, name: str, expected: Vector) -> None:
        self._compare(self._take(name, expected=expected), expected)

    def ask(self, name: str, cell: Vector, expected: Any) -> None:
        self._compare(self._take(name, cell, expected=expected), expected)

    def leads_to(self, cell: Vector, expected: list[Vector]) -> None:
        self._compare(_listed(self._take("moves_to", cell, expected=expected)), expected)

    def knows(self, *cells: Vector) -> None:
        known = self._take("known_cells", expected=[*cells])
        _check_kind(known, self.steps)
        self._compare(tuple(known), cells)

    def has_pending(self, expected: bool) -> None:
        self._compare(self._take("has_pending_cells", expected=expected), expected)

    def _take(self, name: str, *given: Vector, expected: Any = None) -> Any:
        self.steps.append(Step(int(self.before is not None), name, given))
        steps = [*self.steps]
        call = FailedCall(BY_NAME["Search"], partial(_take_again, steps), partial(_tell, steps, expected))
        at_work(f"It was in the last of these steps:\n\n{self._told()}", call)
        return steps[-1].take(self.search)

    def _told(self) -> str:
        return _told(self.steps)

    def _compare(self, actual: Any, expected: Any) -> None:
        if actual == expected:
            return
        fail(f"{_wrong(self.steps, expected, actual)}\n\n{self._shared()}".rstrip())

    def _shared(self) -> str:
        """Say what two searches have in common that holds anything."""
        if self.before is None:
            return ""
        held = {name: getattr_static(self.search, name) for name in dir(self.search) if name[:2] != "__"}
        full = {name: value for name, value in held.items() if type(value) in CONTAINERS and value}
        other = self.before.search
        same = [name for name, value in full.items() if getattr_static(other, name, None) is value]
        return f"Both searches have the very same {' and '.join(same)}." if same else ""


def _told(steps: Sequence[Step]) -> str:
    """List the steps of the search that was asked last."""
    own = [f"    search.{step}" for step in steps if step.search == steps[-1].search]
    left_out = len(own) - MOST_SHOWN
    return "\n".join([f"    ... {left_out} steps before ...", *own[left_out:]] if left_out > 0 else own)


def _wrong(steps: Sequence[Step], expected: Any, actual: Any) -> str:
    told = f"After these steps the last answer is wrong.\n\n{_told(steps)}\n"
    return f"{told}\nexpected: {_text(expected)}\nactual:   {_text(actual)}"


def _check_kind(known: Any, steps: Sequence[Step]) -> None:
    if not isinstance(known, KINDS_OF_KNOWN_CELLS):
        text = f"search.known_cells gave an object of the class {type(known).__name__}; "
        text += "expected a tuple, a list, a dict, or the keys or values of one."
        fail(f"{text}\n\n{_told(steps)}")


def _take_again(steps: Sequence[Step], watching: Watching) -> Any:
    begun, searches, gave = list[int](), dict[int, Any](), None
    watching({"step": begun})
    for number, step in enumerate(steps):
        begun.append(number)
        if step.search not in searches:
            searches[step.search] = your("Search")()
        gave = step.take(searches[step.search])
    return gave


def _tell(steps: Sequence[Step], expected: Any, run: Recorded, gave: Any) -> list[Told]:
    """Tell the first step after which what the search holds is wrong; else the one whose answer is."""
    if _listed(gave) == expected:
        return []
    at, told = len(steps) - 1, Told("step", None, {"step": str(steps[-1])})
    for number, step in enumerate(steps[:-1]):
        right = RIGHT.get(text_of(steps[: number + 1]))
        ours = None if right is None else held_after(steps[: number + 1], answers_of)
        if ours is not None and right is not None and (odd := wrong_parts(ours, right)):
            at, told = number, of_state(str(step), odd[0], ours, right)
            break
    return run.of_step(at, told, [n for n in range(at) if steps[n].search == steps[at].search])


def text_of(steps: Sequence[Step]) -> str:
    """Return the steps as text, which ``RIGHT`` is looked up by."""
    return " ".join(f"{step.search}.{step}" for step in steps)


def answers_of(steps: Sequence[Any]) -> list[str]:
    """Return what each step with new searches gives, up to an exception other than a LookupError."""
    searches, gave = dict[int, Any](), list[str]()
    for number, name, given in steps:
        try:
            if number not in searches:
                searches[number] = your("Search")()
            came = Step(number, name, given).take(searches[number])
            came = came if is_pair(came) else _listed(came)
        except LookupError:
            gave.append(NOTHING)
        except Exception as error:  # noqa: BLE001 - a student's code may raise anything
            return [*gave, type(error).__name__]
        else:
            gave.append(f"[{', '.join(map(shown, came))}]" if isinstance(came, list) else shown(came))
    return gave


def _listed(value: Any) -> Any:
    return [*value] if is_list(value) or isinstance(value, KINDS_OF_KNOWN_CELLS) else value


def _text(value: Any) -> str:
    if isinstance(value, Vector):
        return value.name if abs(value.row) + abs(value.column) == 1 and 0 in value else cell_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_text(item) for item in value) + "]"
    return describe(value)


def look_at(check: str) -> Looking:
    return Looking(check_script, drawn("search", check))


def _always(_steps: Sequence[Step]) -> bool:
    return True


def _is_told_apart(steps: Sequence[Step]) -> bool:
    """Tell whether the last answer counts for two searches: a way may be wrong before the second begins."""
    return steps[-1].name not in ("distance_to", "moves_to") or any(each.search for each in steps[:-1])


def check_script(case: Case, judges: Callable[[Sequence[Step]], bool] = _always) -> None:
    """Take the steps of a drawn script, and compare each answer."""
    steps, wanted, searches = list[Step](), list[Any](), dict[int, Any]()

    def tell(run: Recorded, gave: Any) -> list[Told]:
        return _tell(steps, wanted[-1], run, gave)

    call = FailedCall(BY_NAME["Search"], partial(_take_again, steps), tell)
    at_work(lambda: f"It was in the last of these steps:\n\n{_told(steps)}", call, size=SMALL)
    for text in case.given.split():
        step, right = _read(text)
        if step.search not in searches:
            searches[step.search] = your("Search")()
        steps.append(step)
        wanted.append(right)
        try:
            gave = _given_by(step, searches[step.search], right)
        except Exception as error:
            if isinstance(error, NotImplementedError) or judges(steps):
                raise
            return
        came = _came(steps, gave, right)
        if right is not None and came != right:
            if judges(steps):
                fail(_wrong(steps, right, came))
            return


def _came(steps: Sequence[Step], gave: Any, right: Any) -> Any:
    """Return what is compared of an answer, after a check of its type."""
    if steps[-1].name == "known_cells":
        _check_kind(gave, steps)
    return _listed(gave) if isinstance(right, list) else gave


def _given_by(step: Step, search: Any, right: Any) -> Any:
    """Take a step; a LookupError is an answer where it is the right one."""
    try:
        return step.take(search)
    except LookupError:
        if right is not _LOOKUP:
            raise
        return _LOOKUP


_LOOKUP: Final = "a LookupError"
_NAMES: Final = {
    "m": "mark_as_pending",
    "r": "record",
    "p": "has_pending_cells",
    "f": "first_pending",
    "l": "last_pending",
    "c": "closest_pending",
    "d": "distance_to",
    "w": "moves_to",
    "k": "known_cells",
}
_MOVES: Final = {move.name[0]: move for move in MOVES}


def _read(text: str) -> tuple[Step, Any]:
    """Return a step of a drawn script, and the right answer; None where any answer is."""
    plain = text.lstrip("+")
    called, _, answer = plain.partition("=")
    name, given = _NAMES[called[0]], called[1:]
    if name == "record":
        move, start = _MOVES[given[-1]], _cell(given[:-1])
        return Step(len(text) - len(plain), name, (start, move, start + move)), None
    step = Step(len(text) - len(plain), name, tuple(map(_cell, given.split(":"))) if given else ())
    if name == "mark_as_pending":
        return step, None
    if answer == "!":
        return step, _LOOKUP
    if name == "moves_to":
        return step, [_MOVES[letter] for letter in answer]
    if name == "known_cells":
        return step, [*map(_cell, filter(None, answer.split(":")))]
    if name == "has_pending_cells":
        return step, answer == "True"
    return step, int(answer) if name == "distance_to" else _cell(answer)


def _cell(text: str) -> Vector:
    return Vector(*map(int, text.split(",")))


class TestSearch:
    @stands_for("new-cell")
    def test_unknown_cell_becomes_pending(self) -> None:
        """makes an unknown cell pending"""
        story = Story()
        story.take("first_pending", START)
        north = story.record(START, NORTH)
        story.has_pending(True)
        story.take("first_pending", north)
        story.has_pending(False)

    @stands_for("new-cell")
    def test_unknown_cell_becomes_known(self) -> None:
        """knows the cells in the order they were found"""
        story = Story()
        north = story.record(START, NORTH)
        east = story.record(START, EAST)
        further = story.record(north, EAST)
        story.knows(START, north, east, further)

    @stands_for("new-cell")
    def test_distance(self) -> None:
        """counts one move more than to the cell before"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        story.ask("distance_to", north, 1)
        story.ask("distance_to", corner, 2)

    @stands_for("way-back")
    def test_moves(self) -> None:
        """remembers the moves that lead to a cell"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        story.leads_to(corner, [NORTH, EAST])

    @stands_for("new-cell")
    def test_two_neighbours(self) -> None:
        """knows the way to each neighbour of one cell"""
        story = Story()
        for move in (NORTH, SOUTH):
            cell = story.record(START, move)
            story.ask("distance_to", cell, 1)
            story.leads_to(cell, [move])

    @stands_for("known-cell")
    def test_longer_way(self) -> None:
        """keeps the shorter way when a longer one is found"""
        story = Story()
        east = story.record(START, EAST)
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        story.record(corner, SOUTH)
        story.ask("distance_to", east, 1)
        story.leads_to(east, [EAST])

    @stands_for("known-cell")
    def test_equally_long_way(self) -> None:
        """keeps the first of two ways that are equally long"""
        story = Story()
        north = story.record(START, NORTH)
        east = story.record(START, EAST)
        corner = story.record(north, EAST)
        story.record(east, NORTH)
        story.ask("distance_to", corner, 2)
        story.leads_to(corner, [NORTH, EAST])

    @stands_for("shorter-way")
    def test_shorter_way(self) -> None:
        """takes over a shorter way to a known cell"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        east = story.record(corner, SOUTH)
        story.record(START, EAST)
        story.ask("distance_to", east, 1)
        story.leads_to(east, [EAST])

    @stands_for("shorter-way")
    def test_way_before_and_after(self) -> None:
        """tells the shorter way, and the way beyond, also where it was asked for the longer one before"""
        story = Story()
        corner = story.record(story.record(START, NORTH), EAST)
        east = story.record(corner, SOUTH)
        story.leads_to(east, [NORTH, EAST, SOUTH])
        story.record(START, EAST)
        story.leads_to(east, [EAST])
        story.leads_to(story.record(east, SOUTH), [EAST, SOUTH])

    @stands_for("shorter-way")
    def test_known_cell_is_pending_once(self) -> None:
        """does not make a pending cell pending a second time"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        east = story.record(corner, SOUTH)
        story.record(START, EAST)
        for cell in (START, north, corner, east):
            story.take("first_pending", cell)
        story.has_pending(False)

    @stands_for("shorter-way")
    def test_visited_cell_is_not_pending_again(self) -> None:
        """does not make a visited cell pending again, even for a shorter way"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        east = story.record(corner, SOUTH)
        for cell in (east, corner, north, START):
            story.take("last_pending", cell)
        story.record(START, EAST)
        story.ask("distance_to", east, 1)
        story.has_pending(False)

    @stands_for("order")
    def test_order_of_pending_cells(self) -> None:
        """gives the pending cells out first, last and closest"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        south = story.record(START, SOUTH)
        story.take("first_pending", START)
        story.take("last_pending", south)
        story.take("closest_pending", north)
        story.take("closest_pending", corner)

    @stands_for("known-cell")
    def test_entry_stays_the_beginning(self) -> None:
        """leaves the entry as the beginning of every way"""
        story = Story()
        north = story.record(START, NORTH)
        story.record(north, SOUTH)
        story.ask("distance_to", START, 0)
        story.leads_to(START, [])

    @stands_for("separate")
    def test_two_searches(self) -> None:
        """keeps two searches apart"""
        first = Story()
        second = Story(first)
        first.record(START, NORTH)
        second.knows(START)
        second.take("first_pending", START)
        second.has_pending(False)
        for case in drawn("search", "separate"):
            check_script(case, judges=_is_told_apart)

    @stands_for("new-cell")
    @of_drawn_cases
    def test_new_cells(self) -> Looking:
        """answers after drawn calls that find new cells"""
        return look_at("new-cell")

    @stands_for("known-cell")
    @of_drawn_cases
    def test_known_cells(self) -> Looking:
        """answers after drawn calls that find known cells again"""
        return look_at("known-cell")

    @stands_for("shorter-way")
    @of_drawn_cases
    def test_shorter_ways(self) -> Looking:
        """answers after drawn calls that find shorter ways"""
        return look_at("shorter-way")

    @stands_for("order")
    @of_drawn_cases
    def test_orders(self) -> Looking:
        """gives the pending cells out in the order that is asked for"""
        return look_at("order")

    @stands_for("way-back")
    @of_drawn_cases
    def test_ways_back(self) -> Looking:
        """tells the moves and the distance of cells that lie far away"""
        return look_at("way-back")
