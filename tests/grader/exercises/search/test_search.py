"""The judge of scripts: what it says, which step it finds to be wrong, and what smaller scripts it shows."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count, pairwise, takewhile
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises.kit.check import Case, Wrong
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.library import CaseBook
from grader.exercises.search.judge import FIRST_SHOWN, LAST_SHOWN, Script, judge_script
from grader.exercises.search.kind import checks
from grader.exercises.search.long_scripts import KINDS as LONG_KINDS
from grader.exercises.search.long_scripts import MOST, extent, is_fair, long_scripts, moved, simpler
from grader.exercises.search.scripts import KINDS, scripts
from grader.exercises.search.scripts import Script as Steps
from grader.exercises.search.states import MOST_ASKED, asked_state
from grader.languages import said
from grader.model import Call, Claim, RunScript, Step
from lab import EAST, NORTH, SOUTH, Vector
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.words import english
from tests.submissions import loader


def script_of(*steps: Step) -> Script:
    return Script(steps)


def long_script(kind: str) -> Script:
    return script_of(*long_scripts(kind, 1)[-1])


def claim_of(script: Script, target: type) -> Claim:
    (claim,) = run_with(target)([Call("c", RunScript(tuple(script.steps)))], False)
    return claim


class NarrowKeys(Search):
    """Takes cells sixteen columns apart for the same."""

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        if (end[0] & 15, end[1] & 15) not in {(row & 15, column & 15) for row, column in self.known_cells}:
            super().record(start, move, end)


class Forgetful(Search):
    """Finds a hundred cells, and no more."""

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        if len(self.known_cells) < 100 or end in self.known_cells:
            super().record(start, move, end)


@pytest.mark.parametrize("kind", LONG_KINDS)
def test_long_scripts_show_what_goes_wrong_with_many_cells(kind: str) -> None:
    script = long_script(kind)
    assert judge_script(script, claim_of(script, Search)) is None
    assert judge_script(script, claim_of(script, Forgetful)) is not None
    assert judge_script(script, claim_of(script, NarrowKeys)) is not None


class InFloats(Search):
    """Counts 0.0, 1.0, and so on; and may be half a step off."""

    off = 0.0

    def distance_to(self, position: Vector) -> Any:
        return super().distance_to(position) + self.off


class HalfAStepOff(InFloats):
    off = 0.5


BEGUN: tuple[Step, ...] = ((0, "mark_as_pending", ((1, 1),)), (0, "record", ((1, 1), EAST, (1, 2))))


def test_a_distance_may_be_a_float() -> None:
    script = script_of(*BEGUN, (0, "distance_to", ((1, 1),)), (0, "distance_to", ((1, 2),)))
    assert judge_script(script, claim_of(script, InFloats)) is None
    finding = judge_script(script, claim_of(script, HalfAStepOff))
    assert finding is not None
    assert english(finding.message) == "search.distance_to((1, 1)) gave 0.5; expected 0"


def lines_of(side: Any) -> list[dict[str, str]]:
    return [{part: english(text) for part, text in line.items()} for line in side["steps"]]


def test_a_long_script_is_shown_with_its_ends() -> None:
    script = long_script("order")
    finding = judge_script(script, claim_of(script, Forgetful))
    assert finding is not None
    expected, actual = lines_of(finding.expected), lines_of(finding.actual)
    assert len(expected) == len(actual) == FIRST_SHOWN + 1 + LAST_SHOWN
    assert "more calls" in expected[FIRST_SHOWN]["call"]
    assert [line["call"] for line in expected] == [line["call"] for line in actual]
    assert finding.extra["parts_at"] == len(actual) - 1
    assert expected[-1]["gives"] != actual[-1]["gives"]


class Backwards(Search):
    def moves_to(self, position: Vector) -> list[Vector]:
        return [move.opposite() for move in super().moves_to(position)]


class Fails(Search):
    def distance_to(self, position: Vector) -> int:
        raise KeyError(position)


class Shared(Search):
    _moves: ClassVar[dict[Vector, Vector | None]] = {}  # type: ignore[misc]

    def __init__(self) -> None:
        super().__init__()
        del self._moves


class OnePending(Search):
    """All searches have one list of what is pending."""

    _pending: ClassVar[list[Vector]] = []  # type: ignore[misc]

    def __init__(self) -> None:
        super().__init__()
        del self._pending


class Remembered(Search):
    _known: tuple[Vector, ...] | None = None

    @property
    def known_cells(self) -> tuple[Vector, ...]:
        self._known = super().known_cells if self._known is None else self._known
        return self._known


@pytest.mark.parametrize(
    ("search", "lost"),
    [
        (Search, []),
        (Shared, ["separate"]),
        (Backwards, ["new-cell", "known-cell", "shorter-way", "way-back"]),
        (Fails, ["new-cell", "known-cell", "shorter-way", "way-back"]),
        (Remembered, ["new-cell", "separate"]),
    ],
)
def test_what_is_wrong_from_the_first_costs_no_separation(search: Any, lost: list[str]) -> None:
    made = [make() for make in checks(CaseBook(seed=1, examples=20)).values()]
    calls = {case.call.id: case.call for check in made for case in check.cases}
    claims = {claim.call: claim for claim in run_with(search)([*calls.values()], False)}
    found = [check.id for check in made if check.judge(check.cases, claims)]
    assert found == [f"search.{name}" for name in lost]


A, B, C, D = Vector(2, 1), Vector(2, 2), Vector(1, 2), Vector(1, 1)
"""B lies east of A, C north of B, D north of A."""
START: Step = (0, "mark_as_pending", (A,))
TO_B: Step = (0, "record", (A, EAST, B))
TO_C: Step = (0, "record", (B, NORTH, C))
FIRST: Step = (0, "first_pending", ())


def state_told(target: Any, *steps: Step) -> tuple[int, str, Mapping[str, str]] | None:
    """Return what is told of a script whose last answer is wrong: the step, the sentence and its values."""
    script = script_of(*steps)
    call = Call("c", RunScript(steps))
    run = run_with(target)
    wrong = Wrong(
        Case(call, said("a_script"), script),
        Finding("failed", said("a_script"), {}, {}, step=len(steps) - 1),
    )
    found = asked_state(wrong, run([call], False)[0], lambda calls: run(calls, False))
    return None if found is None else (found.step, found.told.key, found.told.values)


def search_in(name: str) -> Any:
    """Return the class Search of a submission that is right."""
    held: dict[str, Any] = {}
    exec(loader.Case("right", name).files()["solvers/search.py"].decode(), held)  # noqa: S102 - of this repository
    return held["Search"]


@pytest.mark.parametrize(
    "name", ["plain", "search-nodes", "search-slots-and-heap", "search-ordered-dict-records"]
)
@given(st.sampled_from([*KINDS]).flatmap(scripts))
def test_after_no_step_is_anything_wrong_in_a_search_that_is_right(name: str, script: Steps) -> None:
    told = state_told(search_in(name), *script)
    assert told is not None
    assert told[:2] == (len(script) - 1, "state_right" if len(script) - 1 <= MOST_ASKED else "step")


class Anew(Search):
    """Puts a new list in the place of what waits."""

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, move, end)
        self._pending = [end]


class Aside(Search):
    """Counts right, and keeps the moves of the last way."""

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, move, end)
        self._moves[end] = move


class InFront(Search):
    """Puts each new cell in front of those that wait."""

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, move, end)
        self._pending.insert(0, self._pending.pop())


class TakesAnother(Search):
    """Gives the closest one, and takes out the last."""

    def closest_pending(self) -> Vector:
        closest = min(self._pending, key=self._distances.__getitem__)
        self._pending.pop()
        return closest


class TakesNone(Search):
    """Gives pending cells, and keeps them."""

    def _take(self, index: int) -> Vector:
        return self._pending[index]


class FirstIsLast(Search):
    def first_pending(self) -> Vector:
        return self.last_pending()


class Counted(Search):
    """Says something else each time that it is asked."""

    asked = count()

    def has_pending_cells(self) -> bool:
        return next(self.asked) % 2 == 0


@pytest.mark.parametrize(
    ("target", "steps", "at", "values"),
    [
        (Anew, (START, TO_B, TO_C, FIRST), 1, ("pending", "[(2, 2)]", "[(2, 1), (2, 2)]")),
        (
            InFront,
            (START, TO_B, (0, "record", (A, NORTH, D)), FIRST),
            2,
            ("pending", "[(1, 1), (2, 2), (2, 1)]", "[(2, 1), (2, 2), (1, 1)]"),
        ),
        (
            Aside,
            (START, TO_B, TO_C, (0, "record", (C, SOUTH, B)), (0, "moves_to", (B,))),
            3,
            ("moves_to((2, 2))", "RuntimeError", "[east]"),
        ),
        (
            TakesAnother,
            (START, TO_B, (0, "closest_pending", ()), FIRST),
            2,
            ("pending", "[(2, 1)]", "[(2, 2)]"),
        ),
        (
            Shared,
            (START, TO_B, (1, "mark_as_pending", (B,)), (0, "moves_to", (B,))),
            2,
            ("search.moves_to((2, 2))", "[]", "[east]"),
        ),
        (
            OnePending,
            (START, (1, "has_pending_cells", ())),
            0,
            ("other_search_1: pending", "[(2, 1)]", "[]"),
        ),
    ],
)
def test_the_first_step_is_told_after_which_something_is_wrong(
    target: Any, steps: tuple[Step, ...], at: int, values: tuple[str, str, str]
) -> None:
    told = state_told(target, *steps)
    assert told is not None
    assert told[:2] == (at, "state_new" if target is OnePending else "state")
    assert tuple(told[2][name] for name in ("part", "came", "due")) == values


class Swapped(Search):
    def first_pending(self) -> Vector:
        return super().last_pending()

    def last_pending(self) -> Vector:
        return super().first_pending()


@pytest.mark.parametrize("target", [TakesNone, FirstIsLast, Swapped])
def test_what_is_pending_is_not_known_where_the_taking_is_wrong(target: Any) -> None:
    assert state_told(target, START, TO_B, FIRST) == (
        2,
        "step",
        {"step": "search.first_pending()"},
    )


def test_of_a_search_that_answers_otherwise_when_it_is_asked_again_no_state_is_told() -> None:
    told = state_told(Counted, START, (0, "has_pending_cells", ()), TO_B, FIRST)
    assert told is not None
    assert told[1] == "step"


FAR = (
    (0, "mark_as_pending", ((7, 9),)),
    (0, "record", ((7, 9), (0, 1), (7, 10))),
    (0, "has_pending_cells", ()),
    (0, "distance_to", ((7, 10),)),
    (0, "first_pending", ()),
)


@given(st.sampled_from([*KINDS]).flatmap(scripts))
def test_every_script_that_is_drawn_is_fair(script: Steps) -> None:
    assert is_fair(script)


@given(st.sampled_from([*KINDS]).flatmap(scripts), st.data())
def test_what_is_made_of_a_script_is_fair_and_no_larger(script: Steps, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(script) - 1))
    for made in simpler(script, at):
        assert is_fair(made)
        assert made != script
        assert (len(made), extent(made)) <= (at + 1, extent(script))


@given(st.sampled_from([*KINDS]).flatmap(scripts))
def test_whatever_is_fair_without_some_calls_in_a_row_is_made(script: Steps) -> None:
    sizes = [*takewhile(bool, (len(script) // 2**halved for halved in count(1)))]
    ends = [(at, min(at + size, len(script) - 1)) for size in sizes for at in range(0, len(script) - 1, size)]
    left = [script, *(script[:start] + script[end:] for start, end in ends)]
    fair = dict.fromkeys([script, *map(moved, filter(is_fair, left))][:MOST])
    assert simpler(script, len(script) - 1) == sorted([each for each in fair if each != script], key=len)


def test_the_calls_move_to_the_first_row_and_column() -> None:
    assert moved(FAR)[1] == (0, "record", ((1, 1), (0, 1), (1, 2)))
    assert extent(moved(FAR)) == 3
    assert moved((FAR[2],)) == (FAR[2],)


def test_of_the_calls_after_the_wrong_one_none_is_left_and_others_are_taken_out() -> None:
    made = simpler(FAR, 3)
    assert moved((*FAR[:2], FAR[3])) in made
    assert all(script[-1][1] == "distance_to" for script in made)


@pytest.mark.parametrize(
    ("script", "fair"),
    [
        (FAR, True),
        (FAR[1:], False),
        ((FAR[0], FAR[0]), False),
        ((FAR[3],), True),
        ((*FAR[:2], (0, "record", ((7, 10), (0, -1), (7, 9)))), True),
    ],
)
def test_a_script_is_fair_where_the_contract_says_what_comes(script: Steps, fair: bool) -> None:
    assert is_fair(script) is fair


def test_a_cell_from_which_another_was_found_gets_no_shorter_way() -> None:
    way = [(1, 1), (2, 1), (2, 2), (1, 2), (1, 3)]
    pairs = list(pairwise(way))
    steps = [(0, "record", (one, (two[0] - one[0], two[1] - one[1]), two)) for one, two in pairs]
    shorter = (0, "record", ((1, 1), (0, 1), (1, 2)))
    start = (0, "mark_as_pending", ((1, 1),))
    assert is_fair((start, *steps[:3], shorter))
    assert not is_fair((start, *steps, shorter))
