"""The checks of an exercise in a folder: its own judge, on families of mazes or on drawn cases.

If the exercise is given a maze, two more checks are added: ``unchanged`` and ``repeat``; if it is given a
source of luck, ``same-seed`` and ``other-seed``.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, zip_longest
from math import ceil
from typing import Final

from grader.exercises.kit.answers import describe_data, difference
from grader.exercises.kit.check import (
    Case,
    Check,
    Claims,
    Judge,
    PlannedExercise,
    Wrong,
    each,
    module_of,
    of_a_way,
)
from grader.exercises.kit.findings import Finding, ending
from grader.exercises.kit.folders.cases import FAMILIES, LADDERS, AnswerCases, argument_code, drawn_mazes
from grader.exercises.kit.folders.code import KNOWN, Asked, OwnExercise, Signature, check_title
from grader.exercises.kit.folders.judge import (
    judge_answer,
    judge_answer_left_alone,
    judge_left_alone,
    judge_not_none,
    judge_own,
    judge_stated_cost,
    solver_values,
)
from grader.exercises.kit.kind import Kind
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.solvers import checks as solvers
from grader.exercises.kit.solvers.cases import SolverCases
from grader.exercises.kit.solvers.checks import on_most
from grader.languages import Message, said, titles_in
from grader.model import Ask, Call, Claim, Given, Json, Target, Telling
from grader.model.data import Data

STANDARD: Final[Mapping[str, Sequence[str]]] = {
    "maze": ("unchanged", "repeat"),
    "rng": ("same-seed", "other-seed"),
}
"""The checks that every exercise with such an argument has besides its own."""
SEEDED: Final = 20
"""How many cases of a method are asked again with the same seed, and with another."""
SEEDS: Final = 5
"""How many other seeds are tried to find one for which the right answer is another."""
_TITLES: Final = {**solvers.TITLES, **titles_in("answer")}
ANSWERS: Final = 5
"""No answer is right on more than one in this many controls, if there are as many answers."""
CONTROLS: Final = 40
"""About how many cases with other answers show that a submission does not always give the same answer."""


def standard_checks(calls: Mapping[str, Signature]) -> tuple[str, ...]:
    """Return the checks that an exercise with these calls has besides its own."""
    given = {name for each in calls.values() for name in each.arguments}
    return tuple(check for argument, checks in STANDARD.items() if argument in given for check in checks)


def titles(exercise: str) -> dict[str, str]:
    """Return the titles of an exercise's checks, by id."""
    own = KNOWN[exercise].exercise
    found = {f"{exercise}.{name}": check_title(own, name) for name in own.checks}
    return found | {f"{exercise}.{name}": _TITLES[name] for name in standard_checks(own.calls)}


def checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    """Return functions that make the checks, by id."""
    return (
        _solver_checks(book, exercise)
        if KNOWN[exercise].exercise.is_solver
        else _answer_checks(book, exercise)
    )


# --- solvers ----------------------------------------------------------------------------------------


def _solver_checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    with_costs = KNOWN[exercise].exercise.with_costs
    cases, known = SolverCases(book, exercise, with_costs=with_costs), titles(exercise)
    judge = _each(exercise, judge_own)
    not_none, solved = on_most(_each(exercise, judge_not_none)), on_most(judge, solvers.never_ends)

    def cases_of(family: str) -> tuple[Case, ...]:
        return (
            FAMILIES[family](cases)
            if family in FAMILIES
            else cases.drawn(family, drawn_mazes(book, exercise, family))
        )

    def declared(asked: Asked, id_: str) -> Check:
        families, stated = asked.cases, each(partial(_judge_with_stated, exercise, asked.judged_by))
        ladder = next((cases.ladder(LADDERS[family]) for family in families if family in LADDERS), None)
        made = tuple(case for family in families for case in cases_of(family))
        rare = _rare(exercise, [("solve", solver_values(case.facts.text), case) for case in made])
        check = Check(id_, known[id_], made, stated, ladder=ladder, rare=rare)
        return _controlled(check, cases, not_none) if "no-way" in families else check

    def unchanged(id_: str) -> Check:
        asked = (*cases.way, *(cases.costs if with_costs else cases.cycles), *cases.no_way)
        left_alone = _each(exercise, judge_left_alone)
        return _controlled(
            Check(id_, known[id_], asked, left_alone, ladder=cases.ladder("way")), cases, solved
        )

    def repeat(id_: str) -> Check:
        judge_series = partial(solvers.remembers, judge_own, exercise)
        check = Check(id_, known[id_], cases.repeat, judge_series, alone=False, twins=cases.others)
        return _controlled(check, cases, solved)

    return _makers(exercise, declared, {"unchanged": unchanged, "repeat": repeat})


def _controlled(check: Check, cases: SolverCases, control: Judge) -> Check:
    return replace(check, control=control, controls=cases.controls, control_ladder=cases.ladder("reachable"))


def _judge_with_stated(exercise: str, judged_by: str, case: Case, claim: Claim) -> Finding | None:
    """Judge an answer, and then what a test maze states of its cost."""
    most = (stated.at_most_cost for stated in case.stated if stated.at_most_cost is not None)
    broken = (judge_stated_cost(case.facts, claim, exercise, each) for each in most)
    found = judge_own(case.facts, claim, exercise, judged_by=judged_by)
    return found or next(filter(None, broken), None)


def _each(exercise: str, judge: solvers.FactsJudge) -> Judge:
    return each(lambda case, claim: judge(case.facts, claim, exercise))


def _makers(
    exercise: str, declared: Callable[[Asked, str], Check], standard: Mapping[str, Callable[[str], Check]]
) -> dict[str, Callable[[], Check]]:
    own = KNOWN[exercise].exercise
    makers: dict[str, Callable[[str], Check]] = {
        name: partial(declared, asked) for name, asked in own.checks.items()
    }
    makers |= {name: standard[name] for name in standard_checks(own.calls)}
    return {f"{exercise}.{name}": partial(make, f"{exercise}.{name}") for name, make in makers.items()}


# --- answers of any form ----------------------------------------------------------------------------


def _answer_checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    own, cases, known = KNOWN[exercise].exercise, AnswerCases(book, exercise), titles(exercise)
    judge = _asked(exercise, judge_answer)
    solved = on_most(judge)

    def declared(asked: Asked, id_: str) -> Check:
        made = tuple(case for name in asked.cases for case in cases.of(asked.method, name))
        calls = [(asked.method, case.call.asked(Ask).values, case) for case in made]
        ladder, rare = cases.ladder(asked.method, asked.cases), _rare(exercise, calls)
        judged = _asked(exercise, partial(judge_answer, judged_by=asked.judged_by))
        check = Check(id_, known[id_], made, judged, ladder=ladder, rare=rare)
        others = _with_other_answers(exercise, made, cases, own)
        return replace(check, control=on_most(judge), controls=others) if others else check

    def unchanged(id_: str) -> Check:
        asked = cases.everywhere()
        left_alone = _asked(exercise, judge_answer_left_alone)
        return Check(id_, known[id_], asked, left_alone, control=solved, controls=_telling(exercise, asked))

    def repeat(id_: str) -> Check:
        asked, series = cases.everywhere(), cases.series()
        check = Check(id_, known[id_], series, judge, alone=False, twins=cases.by_itself)
        return replace(check, control=solved, controls=_telling(exercise, asked))

    def seeded(made: Callable[[str], Iterable[Case]], judge: Judge, id_: str) -> Check:
        asked = tuple(case for method in cases.methods("rng") for case in made(method))
        return Check(
            id_, known[id_], asked, judge, control=solved, controls=_telling(exercise, asked), alone=False
        )

    standard: dict[str, Callable[[str], Check]] = {
        "unchanged": unchanged,
        "repeat": repeat,
        "same-seed": partial(seeded, partial(_again, cases), _same_seed),
        "other-seed": partial(seeded, partial(_with_other_seeds, exercise, cases), _other_seeds),
    }
    return _makers(exercise, declared, standard)


def _again(cases: AnswerCases, method: str) -> Iterator[Case]:
    """Yield cases, each followed by the same call after itself: the module random has gone on by then."""
    for number, case in enumerate(_seeded(cases, method)):
        asked = case.call.asked(Ask)
        yield case
        yield _case_of(
            case, f"{method}/same-seed/{number}", replace(asked, before=(asked.values,), size=2 * asked.size)
        )


def _with_other_seeds(exercise: str, cases: AnswerCases, method: str) -> Iterator[Case]:
    """Yield cases, each followed by the same call with another seed, for which another answer is right."""
    place = KNOWN[exercise].exercise.calls[method].arguments.index("rng")
    for number, case in enumerate(_seeded(cases, method)):
        asked = case.call.asked(Ask)
        for seed in range(1, SEEDS + 1):
            luck = ("rng", str(int(asked.values[place][1]) + seed))
            other = replace(asked, values=(*asked.values[:place], luck, *asked.values[place + 1 :]))
            found = _case_of(case, f"{method}/other-seed/{number}", other)
            if difference(_right(exercise, case), _right(exercise, found)) is not None:
                yield from (case, found)
                break


def _seeded(cases: AnswerCases, method: str) -> list[Case]:
    every = [case for name in cases.families(method, ("way", "cycles")) for case in cases.of(method, name)]
    return every[:: max(1, len(every) // SEEDED)]


def _case_of(case: Case, name: str, asked: Ask) -> Case:
    exercise = case.call.id.partition("/")[0]
    call = Call(f"{exercise}/{name}", asked, group=f"{exercise}.{name.rpartition('/')[0]}")
    return replace(case, call=call)


def _same_seed(cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Compare each call after itself with the call alone."""
    alone: dict[tuple[str, tuple[Given, ...]], Case] = {}
    for case in cases:
        asked = case.call.asked(Ask)
        one = alone.setdefault((asked.method, asked.values), case)
        first, again = (claims[each.call.id] for each in (one, case))
        wanted: dict[str, Telling] = {"text": said("same_again")}
        found = ending(again, expected=wanted)
        if found is None and first.data is not None and again.data is not None:
            right, came = first.data.returned, again.data.returned
            if difference(right, came) is not None:
                message = said("answered_another", value=describe_data(right), other=describe_data(came))
                found = Finding("failed", message, wanted, {"text": describe_data(came)})
        if found is not None:
            return Wrong(case, found)
    return None


def _other_seeds(cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Refuse calls that end, each pair with the same answer for both of its seeds."""
    wanted: dict[str, Telling] = {"text": said("other_answers")}
    answers: dict[tuple[str, tuple[Given, ...]], Data] = {}
    pairs = []
    for case in cases:
        asked, claim = case.call.asked(Ask), claims[case.call.id]
        if (found := ending(claim, expected=wanted)) is not None:
            return Wrong(case, found)
        if claim.data is not None:
            but_luck = asked.method, tuple(value for value in asked.values if value[0] != "rng")
            pairs += [(answers[but_luck], claim.data.returned)] if but_luck in answers else []
            answers.setdefault(but_luck, claim.data.returned)
    if not pairs or any(difference(one, other) is not None for one, other in pairs):
        return None
    told = describe_data(pairs[0][0])
    return Wrong(cases[0], Finding("failed", said("answered_one", value=told), wanted, {"text": told}))


def _with_other_answers(
    exercise: str, made: Sequence[Case], cases: AnswerCases, own: OwnExercise
) -> tuple[Case, ...]:
    """Return controls for a check with only one right answer: cases of its method with other answers.

    A submission that always gives that answer passes the check without knowing anything.
    """
    if not made:
        return ()
    right = [_right(exercise, case) for case in made]
    if any(difference(right[0], other) is not None for other in right[1:]):
        return ()
    method = made[0].call.asked(Ask).method
    others = (
        case
        for asked in own.checks.values()
        if asked.method == method
        for name in asked.cases
        if name not in ("hidden", "large")
        for case in cases.of(method, name)
    )
    told = {case.call.id: case for case in others if difference(right[0], _right(exercise, case)) is not None}
    return tuple(told.values())[:: max(1, len(told) // CONTROLS)]


def _rare(exercise: str, calls: Sequence[tuple[str, tuple[Given, ...], Case]]) -> frozenset[str]:
    """Return the calls on which the most frequent answer is wrong, if it is right in most of the cases."""
    own = KNOWN[exercise]
    right = [own.right(method, values) for method, values, _ in calls]
    frequent = Counter(map(describe_data, right)).most_common(1)
    if not frequent or frequent[0][1] == 1:
        return frozenset()
    usual = next(answer for answer in right if describe_data(answer) == frequent[0][0])
    wrong = (
        case.call.id
        for (method, values, case), answer in zip(calls, right, strict=True)
        if difference(answer, usual) is not None
        and (not own.has_judge or own.complaint(method, values, usual) is not None)
    )
    others = [*islice(wrong, ceil(len(calls) / 2))]  # the judge is asked no more once these are half of them
    return frozenset(others) if len(others) < len(calls) / 2 else frozenset()


def _telling(exercise: str, cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return some of the cases, without those that have the most frequent answer, unless all have it.

    There are so few of each other answer that always giving it is right in at most a fifth of them, if there
    are enough answers.
    """
    by_answer: dict[str, list[Case]] = {}
    for case in cases:
        by_answer.setdefault(describe_data(_right(exercise, case)), []).append(case)
    usual = max(by_answer, key=lambda answer: len(by_answer[answer]), default=None)
    rare = [found for answer, found in by_answer.items() if answer != usual] or [[*cases]]
    fewest = max(map(len, rare))
    while fewest > 1 and ANSWERS * fewest > sum(min(fewest, len(found)) for found in rare):
        fewest -= 1
    in_turns = (case for each in zip_longest(*(found[:fewest] for found in rare)) for case in each if case)
    return tuple(islice(in_turns, CONTROLS))


def _right(exercise: str, case: Case) -> Data:
    asked = case.call.asked(Ask)
    return KNOWN[exercise].right(asked.method, asked.values)


def _asked(exercise: str, judge: Callable[[Ask, Claim, str], Finding | None]) -> Judge:
    return each(lambda case, claim: judge(case.call.asked(Ask), claim, exercise))


_NEEDS_CARE: Final = frozenset('"$`\\%!')
"""What a shell interprets within double quotes."""


def _sentence(exercise: PlannedExercise, wrong: Wrong) -> Message:
    """Say what was called with which arguments, and what it did."""
    asked = wrong.case.call.asked(Ask)
    name = f"{exercise.target.name}.{asked.method}" if asked.method else exercise.target.name
    return said(
        "called_with" if wrong.case.maze is None else "on_a_maze",
        label=wrong.case.label,
        solver=name,
        finding=wrong.finding.message,
    )


def _reproduce(target: Target, case: Case, file: str) -> Json:
    """Return a command that makes the call after the others of its series; a single maze is in a file."""
    asked, name = case.call.asked(Ask), target.name
    called = f"made.{asked.method}" if asked.method else name
    saved = file if case.maze is not None and not asked.before else None
    calls = [
        f"{called}({', '.join(argument_code(value, file=saved) for value in values)})"
        for values in (*asked.before, asked.values)
    ]
    text = " ".join(calls)
    of_lab = [
        each
        for each in ("Dimension", "Factory", "Maze", "Vector")
        if f"{each}(" in text or f"{each}." in text
    ]
    head = [f"from lab import {', '.join(of_lab)}"] if of_lab else []
    head += ["from random import Random"] if "Random(" in text else []
    head += ["from solvers.search import Search"] if "Search(" in text else []
    head += [f"from {module_of(target)} import {name}", *([f"made = {name}()"] if asked.method else [])]
    code = "; ".join([*head, *calls[:-1], f"print({calls[-1]})"])
    quoted = shlex.quote(code) if _NEEDS_CARE & {*code} else f'"{code}"'
    return {"file": saved, "command": f"python -c {quoted}"}


WALKER = Kind(
    titles=titles,
    checks=checks,
    sentence=solvers.sentence,
    reproduce=solvers.reproduce,
    hidden_kind=of_a_way,
    may_use_search=True,
)
"""Exercises that are called like solvers, but may take any way."""
ANSWER = Kind(
    titles=titles,
    checks=checks,
    sentence=_sentence,
    reproduce=_reproduce,
    hidden_kind=of_a_way,
    may_use_search=True,
)
"""Exercises that ask for a function, or for a class's methods, with any answer."""
