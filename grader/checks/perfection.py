"""The checks of the perfection checker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from random import Random

from grader.cases.edits import marked, with_passages, with_walls
from grader.cases.library import CaseBook, FixedMaze, large_mazes, serpentine, size_of
from grader.checks.base import Case, Check, Claims, Judge, Ladder, Wrong, each
from grader.languages import Message, said
from grader.model import Call, IsPerfect
from grader.oracle.facts import facts_of
from grader.oracle.perfection import judge_left_alone, judge_perfection, judge_true_or_false, truth
from lab import Dimension, Vector

TITLES = {
    "perfection.perfect": "Perfect mazes are recognised",
    "perfection.extra-passage": "One passage too many",
    "perfection.missing-passage": "One passage too few",
    "perfection.cycle-and-island": "As many passages as a perfect maze, but a cycle and an island",
    "perfection.shapes": "A single cell, single rows and columns",
    "perfection.entry-and-exit": "Entry and exit do not matter",
    "perfection.deep": "Large mazes",
    "perfection.unchanged": "The maze is left as it was",
    "perfection.repeat": "Each maze is checked afresh",
    "perfection.true-or-false": "The answer is True or False",
    "perfection.hidden-mazes": "More mazes",
}

FAMILIES = ("perfect", "extra passage", "missing passage", "cycle and island")
CODE = "PerfectionChecker().is_perfect(maze)"
SINGLE_CELLS = ("+-+\n|S|\n+-+",)
SIDES = ((1, 2), (2, 2), (1, 5), (2, 3), (3, 3), (6, 1), (3, 4), (4, 4), (5, 3), (5, 5), (2, 8), (7, 7))
"""The dimensions of the mazes that a checker has to tell apart at all."""
LEAST_TOLD_APART = 0.25
"""At least a quarter of those; a mistake about one kind of maze leaves half of them."""


def checks(book: CaseBook) -> dict[str, Callable[[], Check]]:
    """The checks by id, each made when it is asked for."""
    right = each(lambda case, claim: judge_perfection(case.facts, claim))
    families = {f"perfection.{name.replace(' ', '-')}": name for name in FAMILIES}
    made = {id_: partial(_family_check, book, id_, name, right) for id_, name in families.items()}
    return made | {
        "perfection.shapes": lambda: _check("perfection.shapes", _shapes(book), right),
        "perfection.entry-and-exit": lambda: _check("perfection.entry-and-exit", _marked(book), right),
        "perfection.deep": lambda: _check("perfection.deep", _deep(book), right),
        "perfection.unchanged": lambda: _everywhere(
            "perfection.unchanged", book, each(lambda case, claim: judge_left_alone(case.facts, claim))
        ),
        "perfection.repeat": lambda: replace(_everywhere("perfection.repeat", book, right), in_company=True),
        "perfection.true-or-false": lambda: _everywhere(
            "perfection.true-or-false", book, each(lambda case, claim: judge_true_or_false(case.facts, claim))
        ),
        "perfection.hidden-mazes": lambda: _check(
            "perfection.hidden-mazes",
            _fixed(book.fixed("perfection", hidden=True), "hidden-mazes"),
            right,
        ),
    }


def _family_check(book: CaseBook, id_: str, family: str, judge: Judge) -> Check:
    cases = _family(book, family)
    return _check(id_, cases, judge, ladder=Ladder(book.rungs(family), family, _rung))


def _everywhere(id_: str, book: CaseBook, judge: Judge) -> Check:
    """A check that looks at perfect and imperfect mazes alike."""
    cases = [case for family in FAMILIES for case in _family(book, family)]
    return _check(id_, cases, judge)


def _check(id_: str, cases: Iterable[Case], judge: Judge, *, ladder: Ladder | None = None) -> Check:
    """Each check holds some pairs of plain mazes as well, on which the answers have to differ."""
    return Check(id_, TITLES[id_], tuple(cases), judge, _tells_apart, controls(), ladder)


@cache
def controls() -> tuple[Case, ...]:
    """Pairs of mazes of the same dimension: a serpentine, which is perfect, and one that differs from
    it by one passage, too many and too few by turns."""
    texts = []
    for number, sides in enumerate(SIDES):
        right = serpentine(Dimension(*sides))
        change = with_walls if number % 2 == 0 or 1 in sides else with_passages
        wrong = change(right, Random(number), 1)
        assert wrong is not None  # noqa: S101 - a serpentine has walls to take away, and passages to shut
        texts += [right.to_text(), wrong.to_text()]
    return _cases("control", texts, "control")


def _tells_apart(cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Whoever gives the same answers to mazes that are perfect and to those that are not knows nothing."""
    pairs = [pair for pair in zip(cases[::2], cases[1::2], strict=True) if _is_answered(pair, claims)]
    untold = [pair for pair in pairs if any(_wrong(case, claims) for case in pair)]
    if len(untold) <= (1 - LEAST_TOLD_APART) * len(pairs):
        return None
    wrong = (_wrong(case, claims) for case in untold[0])
    return next(found for found in wrong if found is not None)


def _is_answered(cases: Sequence[Case], claims: Claims) -> bool:
    answers = [claims[case.call.id].answer for case in cases]
    return all(answer is not None and truth(answer.returned) is not None for answer in answers)


def _wrong(case: Case, claims: Claims) -> Wrong | None:
    finding = judge_perfection(case.facts, claims[case.call.id])
    return None if finding is None else Wrong(case, finding)


def _family(book: CaseBook, family: str) -> tuple[Case, ...]:
    group = family.replace(" ", "-")
    fixed = _fixed(book.fixed("perfection", hidden=False, having=family), group)
    return (*fixed, *_cases(family, sorted(book.family(family), key=len), group))


def _shapes(book: CaseBook) -> tuple[Case, ...]:
    texts = (*SINGLE_CELLS, *book.family("long perfect")[:100], *book.family("long imperfect")[:100])
    return _cases("shapes", sorted(texts, key=len), "shapes")


def _marked(book: CaseBook) -> tuple[Case, ...]:
    """The same walls with the entry in each corner, and with and without an exit."""
    texts = []
    for text in (*book.family("perfect")[:25], *book.family("extra passage")[:25]):
        maze = facts_of(text).maze
        last = Vector(maze.dimension.row_count, maze.dimension.column_count)
        for entry, exit_ in ((Vector(1, 1), last), (last, Vector(1, 1)), (last, None), (Vector(1, 1), None)):
            texts.append(marked(maze, entry, exit_).to_text())
    return _cases("marked", sorted(texts, key=len), "entry-and-exit")


def _deep(book: CaseBook) -> tuple[Case, ...]:
    return tuple(
        _case(f"deep/{number}", text, "deep", label=label)
        for number, (label, text) in enumerate(large_mazes(book.seed))
    )


def _fixed(mazes: Iterable[FixedMaze], group: str) -> tuple[Case, ...]:
    return tuple(
        _case(
            f"{group}/{maze.name}",
            maze.text,
            group,
            label=said("the_maze", name=maze.name),
            hidden=maze.hidden,
        )
        for maze in mazes
    )


def _rung(text: str) -> Case:
    return _case(f"small/{text}", text, "small")


def _cases(name: str, texts: Iterable[str], group: str) -> tuple[Case, ...]:
    return tuple(_case(f"{name}/{number}", text, group) for number, text in enumerate(texts))


def _case(name: str, text: str, group: str, *, label: Message | None = None, hidden: bool = False) -> Case:
    call = Call(f"perfection/{name}", IsPerfect(text), group=f"perfection.{group}")
    facts = facts_of(text)
    return Case(call, label or size_of(text), facts, text, CODE, hidden, answer=str(facts.is_perfect))
