"""How the grader handles the search, and its checks."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b

from grader.exercises.kit.check import Case, Check, Ladder, Wrong, each
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.kind import Kind
from grader.exercises.kit.library import CaseBook
from grader.exercises.search.judge import Script, judge_script
from grader.exercises.search.long_scripts import extent, long_scripts, simpler, small_scripts
from grader.exercises.search.scripts import Script as Steps
from grader.exercises.search.scripts import fixed_scripts, scripts
from grader.exercises.search.states import asked_state
from grader.languages import said, titles_in
from grader.model import Call, Claim, RunScript

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


KIND = Kind(
    titles=lambda _: TITLES,
    checks=lambda book, _: checks(book),
    sentence=lambda _exercise, wrong: said("sentence", finding=wrong.finding.message),
    reproduce=lambda _target, _case, _file: None,  # the judge itself shows the calls
    told_by_check={"separate": "shared"},
    small_cases=small_cases,
    asked_state=asked_state,
)
