"""How the grader handles the search, and its checks."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise

from grader.exercises.kit.check import Case, Check, Ladder, Wrong, each
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.kind import Kind
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.misconception import AnswerReader, one_by_one
from grader.exercises.search import judge
from grader.exercises.search.blamed_step import is_right, seen_to_change, touched
from grader.exercises.search.judge import Script, call_text, came, judge_script
from grader.exercises.search.long_scripts import extent, long_scripts, simpler, small_scripts
from grader.exercises.search.misconceptions import MODELS
from grader.exercises.search.scripts import Script as Steps
from grader.exercises.search.scripts import fixed_scripts, scripts
from grader.languages import said, titles_in
from grader.model import Call, Claim, RunScript
from lab.recorded import Told
from lab.story import Recorded

MAX_COORDINATE = 2**20

TITLES = titles_in("search", prefix="search.")


def checks(book: CaseBook) -> dict[str, Callable[[], Check]]:
    """Return functions that make the checks, by id."""
    return {id_: lambda id_=id_: _check(id_, book) for id_ in TITLES}  # type: ignore[misc]


def _check(id_: str, book: CaseBook) -> Check:
    kind = id_.removeprefix("search.").replace("-", " ")
    found = [*sorted((*_drawn(book, kind), *_long(book, kind)), key=len), *fixed_scripts(kind)]
    cases = tuple(_case(f"{id_}/{number}", script, id_) for number, script in enumerate(found))
    ladder = Ladder(
        rungs=lambda: (),
        simpler=lambda wrong: (
            _case(f"{id_}/small/{_digest(steps)}", steps, f"{id_}/small") for steps in _simpler(wrong)
        ),
        size=_size,
    )
    separate = id_ == "search.separate"
    judge = _judge_separate if separate else _judge
    return Check(id_, TITLES[id_], cases, each(judge), ladder=ladder, alone=not separate)


def _drawn(book: CaseBook, kind: str) -> Iterator[Steps]:
    def make(seed: int) -> list[Steps]:
        from grader.exercises.kit.draw import draw  # only where none are kept yet

        return [*draw(scripts(kind), book.examples, seed, size=len)]

    return map(_steps, book.kept(kind, book.examples, make))


def _long(book: CaseBook, kind: str) -> Iterator[Steps]:
    """Return a few long scripts of one kind that reach far."""
    return map(_steps, book.kept(f"long {kind}", 10, lambda seed: long_scripts(kind, seed)))


def _steps(script: Steps) -> Steps:
    """Return a script as it was drawn, even after a round trip through the disk."""
    return tuple(
        (instance, method, tuple((row, column) for row, column in vectors))
        for instance, method, vectors in script
    )


def script_of(case: Case) -> Script:
    """Return a case's script and its answers."""
    if not isinstance(case.given, Script):
        raise TypeError(f"expected a case with a script, got {case.call.id}")
    return case.given


def small_cases() -> tuple[Case, ...]:
    """Return a case for each small script."""
    return tuple(
        _case(f"search/small/{number}", script, "search/small")
        for number, script in enumerate(small_scripts())
    )


def _simpler(wrong: Wrong) -> Sequence[Steps]:
    steps, at = script_of(wrong.case).steps, wrong.finding.step
    return [] if at is None else simpler(tuple(steps), at)


def _digest(steps: Steps) -> str:
    """Return a digest of the steps, which is faster than writing them as text."""
    return blake2b(marshal.dumps(steps, 2), digest_size=16).hexdigest()


def _size(case: Case) -> float:
    """Return the number of calls plus a fraction that grows with the distance from (1, 1)."""
    steps = tuple(script_of(case).steps)
    return len(steps) + extent(steps) / MAX_COORDINATE


def _case(name: str, steps: Steps, group: str) -> Case:
    call = Call(name, RunScript(steps), group=group)
    return Case(call, said("a_script"), Script(steps), code="search = Search()")


def _judge(case: Case, claim: Claim) -> Finding | None:
    return judge_script(script_of(case), claim)


def _judge_separate(case: Case, claim: Claim) -> Finding | None:
    """Judge a script of two searches, ignoring a way that was wrong before the second search began."""
    finding, steps = _judge(case, claim), script_of(case).steps
    if finding is None or finding.step is None or any(instance for instance, *_ in steps[: finding.step]):
        return finding
    return None if steps[finding.step][1] in ("distance_to", "moves_to") else finding


def _story(_exercise: str, wrong: Wrong, claim: Claim, run: Recorded) -> list[Told]:
    """Tell what the record did that led to the wrong answer; where none is blamed, the step itself."""
    script, at = wrong.case.given, wrong.finding.step
    if not isinstance(script, Script) or at is None or at >= len(claim.steps):
        return []
    asked, gave = script.steps[at], came(script.steps[at], claim.steps[at])
    record = touched(script.steps, script.right, at, gave)
    same = [n for n, each in enumerate(script.steps[:at]) if each[0] == asked[0]]
    states = run.held_after(same)
    seen = seen_to_change(
        script.steps[: at + 1], script.right[at], gave, dict(zip(same, pairwise(states), strict=True))
    )
    if record is not None and asked[2] and is_right(states[-1], asked[2][0], script.right[at], gave):
        record = None
    blamed = [n for n, each in enumerate(script.steps[:at]) if each == record]
    number = max([at] if seen is None and not blamed else [*blamed, -1 if seen is None else seen])
    before = [n for n, each in enumerate(script.steps[:number]) if each[0] == script.steps[number][0]]
    return run.of_step(number, call_text(script.steps[number]), before, led_to=number != at)


KIND = Kind(
    titles=lambda _: TITLES,
    checks=lambda book, _: checks(book),
    sentence=lambda _exercise, wrong: said("sentence", finding=wrong.finding.message),
    reproduce=lambda _target, _case, _file: None,  # the judge itself shows the calls
    models=MODELS,
    reader=AnswerReader(judge.read, one_by_one(judge.is_right)),
    told_by_check={"separate": "shared"},
    small_cases=small_cases,
    story=_story,
)
