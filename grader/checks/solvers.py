"""The checks of DFS, BFS and Dijkstra.

One run of a solver over its mazes feeds all of its judges: the cases of a family are made once,
and every check that looks at the family shares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from random import Random

from grader.cases.edits import marked
from grader.cases.library import CaseBook, FixedMaze, large_mazes, rooms_without_a_way, size_of
from grader.checks.base import Case, Check, Claims, Judge, Ladder, Wrong, each
from grader.model import Call, Claim, Solve
from grader.oracle.facts import Facts, facts_of
from grader.oracle.findings import Finding
from grader.oracle.visit_order import judge_order, reads_the_maze
from grader.oracle.ways import judge_shortest, judge_something, judge_unchanged, judge_way
from lab import Factory
from lab.exercises import BY_ID
from lab.generators import AldousBroder

TITLES = {
    "valid-path": "The way leads from the entry to the exit",
    "shortest": "No way is shorter",
    "no-way": "None where there is no way",
    "cycles": "Mazes with cycles",
    "visit-order": "North, East, South, West: the visit order",
    "shapes": "Single rows and columns, entry and exit anywhere",
    "large": "Large mazes",
    "unchanged": "The maze is left as it was",
    "repeat": "Solving again gives the same",
    "hidden-mazes": "More mazes",
}

SMALL_SECONDS, LARGE_SECONDS = 1.0, 10.0

CONTROLS = 12
"""So many mazes with a way, about, show that a solver does not always say None."""
MOST_WRONG = 0.75
"""It may say so on that part of them: what is wrong with those is the matter of other checks."""
SAMPLES = 40
"""So many cases are looked at to tell whether a solver reads mazes before it searches."""

FactsJudge = Callable[[Facts, Claim, str], Finding | None]

OrderJudge = Callable[..., Finding | None]
"""A judge of one maze that may be told that the solver ``reads`` the whole maze first."""


def titles(exercise: str) -> dict[str, str]:
    """The checks of a solver by id: DFS has no shortest way to find."""
    return {
        f"{exercise}.{name}": title
        for name, title in TITLES.items()
        if not (exercise == "dfs" and name == "shortest")
    }


def checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    """The checks by id, each made when it is asked for."""
    cases = _Cases(book, exercise)
    one_by_one = partial(_each, exercise)
    something = _on_most(one_by_one(judge_something))
    made: dict[str, Callable[[], Check]] = {
        "valid-path": lambda: cases.check("valid-path", cases.way, one_by_one(judge_way), "way"),
        "shortest": lambda: cases.check(
            "shortest", (*cases.way, *cases.cycles), one_by_one(judge_shortest), "cycles", "reachable"
        ),
        "no-way": lambda: cases.check(
            "no-way", cases.no_way, one_by_one(judge_way), "no way", control=something
        ),
        "cycles": lambda: cases.check("cycles", cases.cycles, one_by_one(judge_way), "cycles"),
        "visit-order": lambda: cases.check(
            "visit-order", cases.ordered, cases.by_order(judge_order), "cycles", "reachable"
        ),
        "shapes": lambda: cases.check("shapes", cases.shapes, one_by_one(judge_way), "shapes"),
        "large": lambda: cases.check(
            "large", cases.large, one_by_one(judge_way if exercise == "dfs" else judge_shortest)
        ),
        "unchanged": lambda: cases.check(
            "unchanged",
            (*cases.way, *cases.cycles, *cases.no_way),
            one_by_one(_judge_unchanged),
            "way",
            control=something,
        ),
        "repeat": lambda: replace(
            cases.check("repeat", cases.repeat, _with_claims(cases.remembers)),
            control=_on_most(one_by_one(judge_way)),
            controls=cases.repeat,
            doubt=cases.other,
        ),
        "hidden-mazes": lambda: cases.check("hidden-mazes", cases.hidden, cases.by_order(_judge_all)),
    }
    return {id_: made[id_.removeprefix(f"{exercise}.")] for id_ in titles(exercise)}


class _Cases:
    """The cases of one solver, by family."""

    def __init__(self, book: CaseBook, exercise: str) -> None:
        self.book, self.exercise = book, exercise

    @cached_property
    def way(self) -> tuple[Case, ...]:
        return self._family("way", "valid-path")

    @cached_property
    def cycles(self) -> tuple[Case, ...]:
        return self._family("cycles", "cycles")

    @cached_property
    def no_way(self) -> tuple[Case, ...]:
        rooms = enumerate(rooms_without_a_way())
        cases = (self._case(f"room/{number}", text, "no-way") for number, text in rooms)
        return (*self._family("no way", "no-way"), *cases)

    @cached_property
    def controls(self) -> tuple[Case, ...]:
        """Some mazes that have a way, and the dimension of one that has none."""
        sizes = {facts_of(text).maze.dimension for text in self.book.family("no way")}
        texts = [text for text in self.book.family("way") if facts_of(text).maze.dimension in sizes]
        texts = sorted(texts, key=len)
        return tuple(
            self._case(f"control/{number}", text, "control")
            for number, text in enumerate(texts[:: max(1, len(texts) // CONTROLS)])
        )

    @cached_property
    def shapes(self) -> tuple[Case, ...]:
        return self._family("shapes", "shapes")

    @cached_property
    def public(self) -> tuple[Case, ...]:
        """The public test mazes with a way: A, B, C and what an instructor adds."""
        return tuple(
            self._fixed(self.book.fixed(self.exercise, hidden=False, having="reachable"), "visit-order")
        )

    @cached_property
    def hidden(self) -> tuple[Case, ...]:
        return tuple(self._fixed(self.book.fixed(self.exercise, hidden=True), "hidden-mazes"))

    @cached_property
    def large(self) -> tuple[Case, ...]:
        mazes = large_mazes(self.book.seed).items()
        return tuple(
            self._case(f"large/{number}", text, "large", label=label, seconds=LARGE_SECONDS)
            for number, (label, text) in enumerate(mazes)
        )

    @cached_property
    def repeat(self) -> tuple[Case, ...]:
        """One solver that solves a maze, another one, and the first again."""
        trees, rings = self.book.family("way"), self.book.family("cycles")
        others = [*(_same_shape(text, seed) for seed, text in enumerate(trees[:20])), *trees[20:40]]
        return tuple(
            self._case(f"repeat/{number}", one, "repeat", series=(one, other, one))
            for number, (one, other) in enumerate(zip((*trees[:20], *rings[:20]), others, strict=False))
        )

    def other(self, case: Case) -> Case:
        """The other maze of a series, as a case of its own."""
        _, other, _ = case.call.asked(Solve).mazes
        return self._case(f"repeat/other/{other}", other, "repeat")

    def remembers(self, case: Case, claim: Claim, claims: Claims) -> Finding | None:
        """What shows on a series that the solver remembers the maze before. Mazes that it does not
        solve in the first place are the matter of other checks."""
        if judge_way(case.facts, claim, self.exercise) and not _came_to_the_second(claim):
            return None
        other = self.other(case)
        alone = claims.get(other.call.id)
        if alone is not None and judge_way(other.facts, alone, self.exercise):
            return None
        return _judge_repeat(self.exercise, case, claim)

    @cached_property
    def ordered(self) -> tuple[Case, ...]:
        """Mazes with a way, A, B and C first."""
        return (*self.public, *(case for case in (*self.way, *self.cycles) if case.facts.length is not None))

    def by_order(self, judge: OrderJudge) -> Judge:
        """The judge that knows, from other cases too, whether the solver reads mazes before it searches."""

        def first(cases: Sequence[Case], claims: Claims) -> Wrong | None:
            for case in cases:
                told = (case.facts, claims[case.call.id], self.exercise)
                finding = judge(*told, reads=False)
                if finding is None:
                    continue
                mild = judge(*told, reads=True)
                if mild != finding and self._reads((case, *self.samples), claims):
                    finding = mild
                if finding is not None:
                    return Wrong(case, finding)
            return None

        return first

    def _reads(self, cases: Iterable[Case], claims: Claims) -> bool:
        """Whether one of the cases that were tried shows it."""
        pairs = ((case.facts, claims.get(case.call.id)) for case in cases)
        return any(claim and reads_the_maze(facts, claim, self.exercise) for facts, claim in pairs)

    @cached_property
    def samples(self) -> tuple[Case, ...]:
        """Some of the mazes with a way, the largest first: they show best how a solver works."""
        cases = (*self.hidden, *self.ordered)
        found = [case for case in cases if case.facts.length is not None]
        found.sort(key=lambda case: -len(case.facts.text))
        return tuple(found[:: max(1, len(found) // SAMPLES)])

    def check(
        self,
        name: str,
        cases: tuple[Case, ...],
        judge: Judge,
        family: str | None = None,
        rungs: str | None = None,
        *,
        control: Judge | None = None,
    ) -> Check:
        """Make the check of that name; ``rungs`` says which small mazes show a mistake."""
        id_ = f"{self.exercise}.{name}"
        controls = self.controls if control is not None else ()
        ladder = None if family is None else Ladder(self.book.rungs(rungs or family), family, self._rung)
        check = Check(id_, TITLES[name], cases, judge, control, controls, ladder, alone=name != "repeat")
        return replace(check, context=self.samples) if name == "hidden-mazes" else check

    def _rung(self, text: str) -> Case:
        return self._case(f"small/{text}", text, "small")

    def _family(self, family: str, group: str) -> tuple[Case, ...]:
        texts = sorted(self.book.family(family), key=len)
        drawn = (self._case(f"{family}/{number}", text, group) for number, text in enumerate(texts))
        fixed = self.book.fixed(self.exercise, hidden=False, having=family)
        return (*self._fixed(fixed, group), *drawn)

    def _fixed(self, mazes: Iterable[FixedMaze], group: str) -> Iterable[Case]:
        for maze in mazes:
            label = f"the maze “{maze.name}”"
            yield self._case(f"{group}/{maze.name}", maze.text, group, label=label, hidden=maze.hidden)

    def _case(  # noqa: PLR0913 - by keyword, each is rarely given
        self,
        name: str,
        text: str,
        group: str,
        *,
        label: str | None = None,
        hidden: bool = False,
        seconds: float = SMALL_SECONDS,
        series: tuple[str, ...] = (),
    ) -> Case:
        arguments = Solve(series or (text,))
        group = f"{self.exercise}.{group}"
        call = Call(f"{self.exercise}/{name}", arguments, cpu_seconds=seconds, group=group)
        code = f"{BY_ID[self.exercise].name}().solve(maze, Search())"
        facts = facts_of(text)
        answer = "no way" if facts.length is None else "way"
        return Case(call, label or size_of(text), facts, text, code, hidden, answer=answer)


def _same_shape(text: str, seed: int) -> str:
    """Another maze of the same size, with the same entry and exit."""
    maze = facts_of(text).maze
    other = AldousBroder(Random(seed)).generate(Factory(), maze.dimension)
    return marked(other, maze.entry, maze.exit).to_text()


def _on_most(judge: Judge) -> Judge:
    """The control that finds fault only where the judge does in most cases."""

    def control(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        found = [wrong for case in cases if (wrong := judge((case,), claims)) is not None]
        return found[0] if len(found) > MOST_WRONG * len(cases) else None

    return control


def _with_claims(judge: Callable[[Case, Claim, Claims], Finding | None]) -> Judge:
    """The judge that looks at the cases one by one, and may look at other claims too."""

    def first(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        return each(lambda case, claim: judge(case, claim, claims))(cases, claims)

    return first


def _each(exercise: str, judge: FactsJudge) -> Judge:
    return each(lambda case, claim: judge(case.facts, claim, exercise))


def _judge_all(facts: Facts, claim: Claim, exercise: str, *, reads: bool) -> Finding | None:
    """Everything that a solver promises, on one maze."""
    judge = judge_way if exercise == "dfs" else judge_shortest
    wrong = judge(facts, claim, exercise)
    if wrong is None and facts.length is not None:
        return judge_order(facts, claim, exercise, reads=reads)
    return wrong


def _judge_unchanged(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Whether the maze was changed; that a call came to no end counts only where there is a way and
    no cycle, since other checks are about the rest."""
    if claim.outcome != "returned" and not (facts.length is not None and facts.is_perfect):
        return None
    return judge_unchanged(facts, claim, exercise)


def _came_to_the_second(claim: Claim) -> bool:
    """Whether a series was cut off after its first maze."""
    return claim.outcome != "returned" and len(claim.runs) > 1


def _judge_repeat(exercise: str, case: Case, claim: Claim) -> Finding | None:
    """The first maze is solved alike before and after another one, and the other one as well."""
    if claim.outcome != "returned":
        return judge_way(case.facts, claim, exercise)
    one, other, _ = (facts_of(text) for text in case.call.asked(Solve).mazes)
    for run, facts in ((1, other), (2, one)):
        wrong = judge_way(facts, claim, exercise, run=run)
        if wrong is not None:
            return _later(wrong, run)
    first, _, again = (run.returned for run in claim.runs)
    if first == again:
        return None
    wanted, came = {"text": "the same way as before"}, {"text": "another way"}
    return Finding("failed", "returned another way when it solved the maze again", wanted, came)


def _later(wrong: Finding, run: int) -> Finding:
    when = "the next maze" if run == 1 else "the first maze again, after another one"
    hint = "What does the solver still remember of the maze before?"
    message = f"solved one maze, but then, on {when}, {wrong.message}"
    return Finding(wrong.status, message, wrong.expected, wrong.actual, hint, wrong.extra)
