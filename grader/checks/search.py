"""The checks of Search: scripts of calls, compared with the reference step by step."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from hashlib import blake2b

from grader.cases.fixed_scripts import fixed_scripts
from grader.cases.library import CaseBook
from grader.cases.search_scripts import Script as Steps
from grader.cases.simpler_scripts import extent, simpler
from grader.cases.small_scripts import small_scripts
from grader.checks.base import Case, Check, Ladder, Wrong, each
from grader.languages import said, titles_of
from grader.model import Call, Claim, RunScript
from grader.oracle.findings import Finding
from grader.oracle.search import Script, judge_script

MAX_COORDINATE = 2**20

TITLES = titles_of("search", prefix="search.")


def checks(book: CaseBook) -> dict[str, Callable[[], Check]]:
    """The checks by id, each made when it is asked for."""
    return {id_: lambda id_=id_: _check(id_, book) for id_ in TITLES}  # type: ignore[misc]


def _check(id_: str, book: CaseBook) -> Check:
    kind = id_.removeprefix("search.").replace("-", " ")
    scripts = [*sorted((*book.scripts(kind), *book.long_scripts(kind)), key=len), *fixed_scripts(kind)]
    cases = tuple(_case(f"{id_}/{number}", script, id_) for number, script in enumerate(scripts))
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


def small_cases() -> tuple[Case, ...]:
    """All small scripts."""
    return tuple(
        _case(f"search/small/{number}", script, "search/small")
        for number, script in enumerate(small_scripts())
    )


def _simpler(wrong: Wrong) -> Sequence[Steps]:
    steps, at = wrong.case.script.steps, wrong.finding.step
    return [] if at is None else simpler(tuple(steps), at)


def _digest(steps: Steps) -> str:
    """The same for the same steps, faster than to write them out as text; nothing is ever read back."""
    return blake2b(marshal.dumps(steps, 2), digest_size=16).hexdigest()


def _size(case: Case) -> float:
    """The number of calls, and of two scripts with as many the one that stays closer to (1, 1)."""
    steps = tuple(case.script.steps)
    return len(steps) + extent(steps) / MAX_COORDINATE


def _case(name: str, steps: Steps, group: str) -> Case:
    call = Call(name, RunScript(steps), group=group)
    return Case(call, said("a_script"), Script(steps), code="search = Search()")


def _judge(case: Case, claim: Claim) -> Finding | None:
    return judge_script(case.script, claim)


def _judge_separate(case: Case, claim: Claim) -> Finding | None:
    """A way that was wrong before the other search began has nothing to do with that one."""
    finding, steps = _judge(case, claim), case.script.steps
    if finding is None or finding.step is None or any(instance for instance, *_ in steps[: finding.step]):
        return finding
    return None if steps[finding.step][1] in ("distance_to", "moves_to") else finding
