"""The checks of DFS, BFS and Dijkstra, and how the grader handles solvers.

One run of a solver over its mazes serves all of its judges: the cases of a family are made once, and shared
by every check that uses the family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from grader.exercises.kit.check import (
    Case,
    Check,
    Claims,
    Judge,
    Ladder,
    PlannedExercise,
    Wrong,
    each,
    module_of,
    of_a_way,
)
from grader.exercises.kit.check import one_by_one as mazes_one_by_one
from grader.exercises.kit.facts import Facts, facts_of, goes_deep
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.kind import Kind, Noted
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.small_mazes import FixedMaze
from grader.exercises.kit.solvers.cases import SolverCases, cells_beyond, judge_order, judge_stated
from grader.exercises.kit.solvers.runs import (
    judge_shortest,
    judge_something,
    judge_unchanged,
    judge_way,
    moves_of,
    seen,
    story,
)
from grader.exercises.kit.solvers.space import SPACE
from grader.languages import Message, said, titles_in
from grader.model import Claim, Json, Solve, Target, Telling
from grader.model.claims import Value, VectorsValue


@dataclass(frozen=True, slots=True)
class Own:
    """A check as it was declared."""

    title: str
    mazes: tuple[FixedMaze, ...]
    """Each with everything that the check judges there."""


def own_check(book: CaseBook, exercise: str, id_: str, own: Own) -> Check:
    """Make the check: it pays for a way on each of its mazes, found as stated."""

    def judge(case: Case, claim: Claim) -> Finding | None:
        return judge_way(case.facts, claim, exercise) or broken(case, claim, exercise)

    cases = SolverCases(book, exercise).of_own_check(id_.partition(".")[2], own.mazes)
    return Check(id_, own.title, cases, each(judge))


def broken(case: Case, claim: Claim, exercise: str) -> Finding | None:
    """Return the first statement about this maze that a solver breaks."""
    found = (judge_stated(case.facts, claim, exercise, stated) for stated in case.stated)
    return next((finding for finding in found if finding is not None), None)


TITLES = titles_in("solver")

MOST_WRONG = 0.75
"""The share of its cases that a control allows to be wrong: what is wrong there is left to other checks, and
a solver that does not search finds no way of several moves."""
LEAST_BACK = 0.2
"""A control asks for at least this share of its calls to come back, or be charged to no other check."""

ABOUT_ENDING = ("cycles", "no-way", "large")
"""The checks to which a call is charged that does not come back from a maze with a cycle, or with no way."""

FactsJudge = Callable[[Facts, Claim, str], Finding | None]


class RunJudge(Protocol):
    """Judge one run of a call, by default the first."""

    def __call__(self, facts: Facts, claim: Claim, exercise: str, *, run: int = 0) -> Finding | None:
        """Return what is wrong with it."""


def titles(exercise: str) -> dict[str, str]:
    """Return the titles of a solver's checks by id; DFS has none for the shortest way."""
    return {
        f"{exercise}.{name}": title
        for name, title in TITLES.items()
        if not (goes_deep(exercise) and name == "shortest")
    }


def checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    """Return functions that make the checks, by id."""
    cases = SolverCases(book, exercise)
    check = partial(_check, cases)
    one_by_one = partial(_each, exercise)
    something = on_most(one_by_one(judge_something))
    searched, solved = (on_most(one_by_one(judge), never_ends) for judge in (_judge_search, judge_way))
    made: dict[str, Callable[[], Check]] = {
        "valid-path": lambda: check("valid-path", cases.way, one_by_one(judge_way), cases.ladder("way")),
        "shortest": lambda: check(
            "shortest",
            (*cases.way, *cases.cycles, *cases.detours),
            one_by_one(judge_shortest),
            cases.ladder("reachable"),
        ),
        "no-way": lambda: check(
            "no-way", cases.no_way, one_by_one(judge_way), cases.ladder("no way"), control=something
        ),
        "cycles": lambda: check("cycles", cases.cycles, one_by_one(judge_way), cases.ladder("cycles")),
        "visit-order": lambda: check(
            "visit-order", cases.ordered, _with_stated(exercise, judge_order), cases.ladder("reachable")
        ),
        "shapes": lambda: check("shapes", cases.shapes, one_by_one(judge_way), cases.ladder("shapes")),
        "large": lambda: check(
            "large", cases.large, one_by_one(judge_way if goes_deep(exercise) else judge_shortest)
        ),
        "unchanged": lambda: check(
            "unchanged",
            (*cases.way, *cases.cycles, *cases.no_way),
            one_by_one(_judge_unchanged),
            cases.ladder("way"),
            control=searched,
        ),
        "repeat": lambda: replace(
            check(
                "repeat",
                (*cases.repeat, *cases.repeat_without_a_way),
                partial(remembers, judge_way, exercise),
                control=solved,
            ),
            twins=cases.others,
        ),
        "hidden-mazes": lambda: check("hidden-mazes", cases.hidden, _with_stated(exercise, _judge_all)),
    }
    return {id_: made[id_.removeprefix(f"{exercise}.")] for id_ in titles(exercise)}


def _check(
    known: SolverCases,
    name: str,
    cases: tuple[Case, ...],
    judge: Judge,
    ladder: Ladder | None = None,
    *,
    control: Judge | None = None,
) -> Check:
    """Make the check of that name."""
    id_ = f"{known.exercise}.{name}"
    controls = known.controls if control is not None else ()
    return Check(
        id_,
        TITLES[name],
        cases,
        judge,
        control,
        controls,
        ladder,
        known.ladder("reachable") if control is not None else None,
        alone=name != "repeat",
        ends_elsewhere=never_ends if name not in ABOUT_ENDING else lambda _: False,
    )


def never_ends(case: Case) -> bool:
    """Tell whether the checks that are about ending have cases of this kind: with a cycle, or no way."""
    return bool(case.facts.cycle) or case.facts.length is None


def on_most(judge: Judge, charged_elsewhere: Callable[[Case], bool] = lambda _: False) -> Judge:
    """Return a control that finds fault only if the judge does in most cases.

    Calls that did not come back, on cases with which other checks are charged, are left out unless few others
    are left.
    """

    def control(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        back = [case for case in cases if claims[case.call.id].came_back or not charged_elsewhere(case)]
        judged = back if len(back) >= LEAST_BACK * len(cases) else cases
        found = [wrong for case in judged if (wrong := judge((case,), claims)) is not None]
        return found[0] if len(found) > MOST_WRONG * len(judged) else None

    return control


def _each(exercise: str, judge: FactsJudge) -> Judge:
    return each(lambda case, claim: judge(case.facts, claim, exercise))


def _with_stated(exercise: str, judge: FactsJudge) -> Judge:
    """Return a judge that first judges the statements about the maze."""

    def judged(case: Case, claim: Claim) -> Finding | None:
        return broken(case, claim, exercise) or judge(case.facts, claim, exercise)

    return each(judged)


def _judge_all(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge everything that a solver promises on one maze."""
    judge = judge_way if goes_deep(exercise) else judge_shortest
    wrong = judge(facts, claim, exercise)
    if wrong is None and facts.length is not None:
        return judge_order(facts, claim, exercise)
    return wrong


def _judge_search(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge whether the way is right, or at least the search for it."""
    wrong = judge_way(facts, claim, exercise)
    return wrong and judge_order(facts, claim, exercise) and wrong


def _judge_unchanged(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge whether the maze was changed.

    A call that did not end counts only if there is a way and no cycle: other checks are about the rest.
    """
    if claim.outcome != "returned" and not (facts.length is not None and facts.is_perfect):
        return None
    return judge_unchanged(facts, claim, exercise)


def remembers(judge: RunJudge, exercise: str, cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Return the first case that shows that the solver remembers an earlier maze.

    Mazes that it cannot solve alone are left to other checks.
    """
    for case in cases:
        claim = claims[case.call.id]
        if len(case.call.asked(Solve).mazes) > 1:
            wrong = _later_runs(judge, exercise, case, claim)
        else:
            wrong = each(lambda case, claim: judge(case.facts, claim, exercise))([case], claims)
        if wrong is not None:
            return wrong
    return None


def _later_runs(judge: RunJudge, exercise: str, case: Case, claim: Claim) -> Wrong | None:
    """Return the later run of a series that failed: the other maze, or the first maze again."""
    mazes = [facts_of(text) for text in case.call.asked(Solve).mazes]
    for run, facts in enumerate(mazes):
        wrong = _judge_run(judge, exercise, facts, claim, run)
        if wrong is not None:
            return Wrong(_later(case, mazes, run), wrong) if run else None
    first, _, again = (run.returned for run in claim.runs)
    if first == again:
        return None
    expected = _told(said("same_way"), first, seen(mazes[0], claim, 0))
    actual = _told(said("another"), again, seen(mazes[0], claim, 2))
    return Wrong(_later(case, mazes, 2), Finding("failed", said("another_way"), expected, actual))


def _judge_run(judge: RunJudge, exercise: str, facts: Facts, claim: Claim, run: int) -> Finding | None:
    """Judge one run of a series, even if the call did not reach the end of the series."""
    cut_off = run >= len(claim.runs) or claim.runs[run].returned is None
    wrong = judge(facts, claim if cut_off else replace(claim, outcome="returned"), exercise, run=run)
    if wrong is None:
        return None
    if cut_off and claim.spent is not None and claim.spent.what == "questions":
        text = said("endless_series", count=claim.spent.count, cells=claim.spent.size)
        wrong = replace(wrong, message=text, actual={**wrong.actual, "text": text})
    return wrong


def _told(text: Message, returned: Value | None, visits: Mapping[str, Telling]) -> dict[str, Telling]:
    return {"text": text, "moves": None if returned is None else moves_of(returned), **visits}


def _later(case: Case, mazes: Sequence[Facts], run: int) -> Case:
    """Return the case as it is when the solver comes to that maze."""
    one, other, _ = (str(facts.dimension) for facts in mazes)
    if mazes[0].text == mazes[1].text:
        label = said("solved_in_a_row", size=one, count=run + 1)
    elif run == 1:
        label = said("after_a_maze", size=other, before=one)
    else:
        label = said("again_after", size=one, other=other)
    calls = ("first", "maze") if run == 1 else ("maze", "other", "maze")
    solved = "; ".join(f"solver.solve({name}, Search())" for name in calls)
    code = f"solver = {case.code.partition('.')[0]}; {solved}"
    return replace(case, given=mazes[run], maze=mazes[run].text, label=label, code=code)


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
    titles=titles,
    checks=checks,
    sentence=sentence,
    reproduce=reproduce,
    hidden_kind=of_a_way,
    space=SPACE,
    told_by_check={"repeat": "remembers-the-maze-before"},
    noted=Noted("visit-order", _noted),
    story=story,
    may_use_search=True,
)
