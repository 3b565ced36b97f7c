"""From claims to verdicts, and the case that tells most.

The case on which a mistake is shown: the smallest that is found, once the verdict stands.

Nothing in here decides a mark. What is asked here only shows what was found before, on mazes that
everybody may see.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from math import inf
from operator import itemgetter

from grader.exercises.kit.check import Case, Check, Claims, Judge, Ladder, PlannedExercise, Wrong, file_of
from grader.exercises.kit.findings import Finding
from grader.exercises.registry import kind_of
from grader.grading.case_runs import CaseRuns
from grader.grading.purse import Purse
from grader.languages import Message, said
from grader.model import Claim, Fault, LeftIn, Status, Target, Telling, Verdict
from lab.leftovers import Leftover, first_of_each

# --- follow through ---------------------------------------------------------------------------------
# Follow-through marks: a solver that stands on a wrong Search is judged with one that works.
#
# One slip costs its own points. Where the submission's Search fails checks of its own, the checks that a
# solver lost are tried again with the grader's Search, which stays outside of the box
# (``search_answers.py``). Each question goes over the wire, so only what went wrong is asked again; but all
# of that, on mazes of every size: whoever fails with a Search of their own is asked no less than those who do
# not.


MOST_RUNGS = 50
"""At most 50 of the smallest mazes are looked at to show a mistake."""


def asked_again(lost: Sequence[Check]) -> tuple[Check, ...]:
    """Return the checks to try again, on all of their cases, but on few when a mistake is to be shown."""
    return tuple(
        replace(
            check,
            ladder=check.ladder and check.ladder.cut(MOST_RUNGS),
            control_ladder=None,
        )
        for check in lost
    )


def right_before(lost: Sequence[Check], claims: Claims) -> dict[str, Claim]:
    """Return the claims in which none of the lost checks finds anything wrong.

    What tells of calls one after the other only where the first is right is asked again in any case.
    """
    wrong = {
        case.call.id
        for check in lost
        for judge, cases in ((check.judge, check.cases), (check.control, check.controls))
        for case in cases
        if judge is not None and case.call.id in claims
        if check.twins is not None or judge((case,), claims) is not None
    }
    return {id_: claim for id_, claim in claims.items() if id_ not in wrong}


# --- leftovers --------------------------------------------------------------------------------------
# What was left lying around in work, and was passed over: from the box's claims to remarks.


def left_in(claims: Iterable[Claim]) -> frozenset[Leftover]:
    """Return all that the claims tell of."""
    return frozenset(left for claim in claims for left in claim.left)


def remarks(
    found: Mapping[str, Collection[Leftover]], targets: Mapping[str, str], files: Mapping[str, bytes]
) -> dict[str, tuple[LeftIn, ...]]:
    """Return the remarks on each exercise, given what its calls told of and its file.

    What stands in the file of an exercise is told there, whichever calls came by; what stands in any other
    file, beside all exercises whose calls did. Of one kind, only the first line of a file is told.
    """
    last = {file: content.count(b"\n") + 1 for file, content in files.items()}
    known = {left for told in found.values() for left in told if 0 < left.line <= last.get(left.file, 0)}
    return {
        id_: _told(
            [left for left in known if left.file == file]
            + [left for left in known.intersection(found[id_]) if left.file not in targets.values()],
            file,
        )
        for id_, file in targets.items()
    }


def _told(found: Iterable[Leftover], file: str) -> tuple[LeftIn, ...]:
    return tuple(_remark(left, file) for left in first_of_each(found))


def _remark(left: Leftover, file: str) -> LeftIn:
    in_file = left.file == file
    place = said("left_line", line=left.line) if in_file else said("left_at", file=left.file, line=left.line)
    return LeftIn(left.file, left.line, said(f"left_{left.kind}", what=left.what or "…", place=place))


PASSED = Verdict("passed")
OUTCOME_ONLY = said("hidden")
_SPENT = ("endless", "timeout", "out-of-memory", "output-limit")
_LEFT = ("exit status", "SystemExit", "EOFError")
"""How code ends that asks for input, or exits, as programs do."""
_HIDDEN = ("said.hidden", "said.hidden_kind", "said.hidden_not_loaded")


def verdict_on(exercise: PlannedExercise, check: str, wrong: Wrong) -> Verdict:
    """Return the verdict on a check, by its id, that found something wrong."""
    case, finding = wrong.case, wrong.finding
    if finding.status == "missing":
        return Verdict("missing", _missing(exercise.target, finding.fault))
    if finding.status in ("not-asked", "unmarked"):
        return Verdict(finding.status, finding.message)
    if finding.fault is not None and finding.fault.stage != "call":
        # the file cannot be loaded, or the class not be made: no case shows more of that than any other
        message = said("by_itself", name=exercise.target.name, finding=finding.message)
        hint = said("runs_when_loaded") if _runs_when_loaded(finding) else ""
        shown: dict[str, Telling] = {"expected": {}, "actual": dict(finding.actual)}
        return Verdict(finding.status, message, hint, counterexample=shown)
    kind = kind_of(exercise.id)
    sentence = kind.sentence(exercise, wrong)
    if finding.undone:
        sentence = said("undone", sentence=sentence)
    extra = dict(finding.extra)
    again = kind.reproduce(exercise.target, case, file_of(check))
    counterexample: dict[str, Telling] = {
        "label": case.label,
        "maze": extra.pop("maze", case.maze),
        "call": case.code,
        **case.pictured,
        "expected": dict(finding.expected),
        "actual": dict(finding.actual),
        **extra,
        "reproduce": extra.get("reproduce", again),
    }
    return Verdict(finding.status, sentence, finding.hint, counterexample=counterexample)


def _runs_when_loaded(finding: Finding) -> bool:
    """Tell whether code that tries out the class seems to have run while the file was loaded."""
    fault = finding.fault
    if fault is None or fault.stage != "import":
        return False
    return finding.status in _SPENT or fault.kind.startswith(_LEFT)


def only_outcome(verdict: Verdict, *, all_missing: bool, told: Message | None = None) -> Verdict:
    """Return a verdict that says only whether the check passed and, if not, at most what is ``told``.

    That is the kind of case, or that none was tried.

    Code that has seen a hidden maze could choose among crashes and time-outs to reveal something about it.
    That all of an exercise is missing is known beforehand.
    """
    if verdict.status == "passed":
        return Verdict("passed")
    if verdict.status == "unmarked":
        return Verdict("unmarked", OUTCOME_ONLY)
    if all_missing:
        return Verdict("missing", OUTCOME_ONLY)
    return Verdict("failed", told or OUTCOME_ONLY)


def blame_search(verdict: Verdict, name: str) -> Verdict:
    """Return the verdict with a note on the Search that the solver builds on."""
    message = verdict.message
    if message and not (isinstance(message, Message) and message.key in _HIDDEN):
        message = said("with_search", sentence=message, solver=name)
    return Verdict(verdict.status, message, counterexample=verdict.counterexample)


def _missing(target: Target, fault: Fault | None) -> Message:
    """Return a message on what is missing; no case shows more of that than any other."""
    if fault is not None and fault.kind == "no file":
        return said("missing_file", file=target.file)
    if fault is not None and fault.kind == "no class":
        return said("no_class", file=target.file, name=target.name, value=fault.message)
    return said("missing_name", file=target.file, name=target.name)


# --- smallest ---------------------------------------------------------------------------------------
# A mistake is shown on the smallest case that has it, of those that tell something.
#
# First all small cases of the check's kind are tried, the smallest first, in a few messages. Where the
# submission is right on all of them, the cases at hand are made smaller step by step: what a case can be
# made into is tried in one message or two, and the smallest that are still wrong are made smaller in turn.
#
# A submission may answer differently from call to call: each case is tried once, and what was wrong once
# is wrong.


Tried = Callable[[Sequence[Case]], Sequence[Wrong]]
"""Tries cases, and returns the first ``WIDTH`` of those that are wrong, or all, in their order."""

LADDER_STEPS = (40, 400)
"""How many of the small cases are tried in one message: most mistakes show on the first few. One that shows
on none of these is found sooner by making smaller what is at hand."""
WIDTH = 6
"""At most 6 cases of one size are made smaller at once."""
MOST_AT_ONCE = 300
"""At most 300 cases are tried in one step of making cases smaller."""
FIRST = 24
"""In each such step the 24 smallest are tried first; the others only if fewer than 6 of those are wrong."""


def smallest(
    ladder: Ladder, wrong: Sequence[Wrong], tried: Tried, steps: Sequence[int] = LADDER_STEPS
) -> Iterator[Wrong]:
    """Yield the given mistakes, and those found on smaller cases, the smallest first.

    Cases that are too small to tell anything come last.
    """

    def size(each: Wrong) -> float:
        return ladder.size(each.case)

    at_hand = sorted(wrong, key=size)
    telling = [each for each in at_hand if size(each) >= ladder.telling]
    limit = size(telling[0]) if telling else inf
    found = _first_wrong(ladder, limit, tried, steps)
    known = [*found, *telling]
    yield from _made_smaller(ladder, known, tried)
    yield from known
    yield from (each for each in at_hand if each not in telling)


def _first_wrong(ladder: Ladder, limit: float, tried: Tried, steps: Sequence[int]) -> Sequence[Wrong]:
    """Return what is wrong in the first step in which anything is."""
    rungs = takewhile(lambda case: ladder.size(case) < limit, ladder.rungs())
    small = (case for case in rungs if ladder.telling <= ladder.size(case))
    for count in steps:
        if found := tried([*islice(small, count)]):
            return found
    return ()


def _made_smaller(ladder: Ladder, known: Sequence[Wrong], tried: Tried) -> Iterator[Wrong]:
    """Yield what is still wrong when the smallest cases are made smaller, the smallest first."""
    smaller: list[Wrong] = []
    while known:
        some = sorted(islice(_simpler(ladder, known), MOST_AT_ONCE), key=itemgetter(0))
        by_size = [case for _, case in some]
        known = tried(by_size[:FIRST])
        if len(known) < WIDTH:
            known = [*known, *tried(by_size[FIRST:])]
        smaller = [*known, *smaller]
    yield from smaller


def _simpler(ladder: Ladder, known: Sequence[Wrong]) -> Iterator[tuple[float, Case]]:
    """Yield, once each and with its size, what the smallest cases can be made into.

    Only cases that are smaller than all of them count.
    """
    smallest = ladder.size(known[0].case)
    seen = set[str]()
    for each in known[:WIDTH]:
        for case in ladder.simpler(each):
            if case.call.id not in seen and ladder.telling <= (size := ladder.size(case)) < smallest:
                seen.add(case.call.id)
                yield size, case


A_PART = 8
"""The search may cost an eighth of what is left for explaining."""
TRIED_ALONE = 4
"""At most 4 cases that were wrong among others are tried alone; the first that is wrong so is shown."""
ROUNDS = 4
"""After a case that came to no end the others of its message are not tried; they are sent again 3 times."""
COSTLY = ("timeout", "out-of-memory", "violation")
"""Outcomes that cost seconds of waiting, or a box: no more is tried after one of them."""


class CounterexampleFinder:
    """Looks for the smallest cases on which the mistakes of an exercise's runs show."""

    def __init__(self, runs: CaseRuns, purse: Purse) -> None:
        self._runs, self._purse = runs, purse
        self._claims: dict[str, Claim] = {}
        self._spared = purse.left - purse.left // A_PART

    def plainest(self, check: Check, wrong: Wrong) -> Wrong:
        """Return the same mistake on the smallest case found that shows it, alone as well as among others."""
        is_own = wrong.case in check.cases
        judge, ladder = (
            (check.judge, check.ladder) if is_own else (check.control or check.judge, check.control_ladder)
        )
        if ladder is None or not self._is_worth_trying(wrong):
            return wrong
        status = wrong.finding.status
        at_hand = [wrong, *(self._others_like(check, ladder, status) if is_own else ())]

        def tried(cases: Sequence[Case]) -> Sequence[Wrong]:
            return self._wrong(cases, judge, status)

        for found in islice(smallest(ladder, at_hand, tried), TRIED_ALONE):
            if found.case is wrong.case:
                break
            claims = self._runs.with_alone([found.case], self._claims)
            if found.case.call.id not in claims:
                break  # it was not asked: the time is used up
            alone = judge((found.case,), claims)
            if alone is not None and alone.finding.status == status:
                return alone if is_own else alone.undone
        return wrong

    def _is_worth_trying(self, wrong: Wrong) -> bool:
        """Tell whether trying other cases takes no long waits, and may show more than this one does."""
        claim = self._runs.claims.get(wrong.case.call.id)
        if claim is None or wrong.case.hidden:
            return False
        is_loaded = claim.fault is None or claim.fault.stage == "call"
        return is_loaded and claim.outcome not in (*COSTLY, "missing")

    def _others_like(self, check: Check, ladder: Ladder, status: Status) -> Sequence[Wrong]:
        """Return a few more of the smallest cases that went wrong in the same way."""
        claims = self._runs.claims
        failed = [case for case in self._runs.failed(check) if claims[case.call.id].was_made]
        found = (self._runs.found(check, case) for case in sorted(failed, key=ladder.size))
        return [*islice((each for each in found if each and each.finding.status == status), WIDTH)]

    def _wrong(self, cases: Sequence[Case], judge: Judge, status: Status) -> Sequence[Wrong]:
        """Return those cases that go wrong in the same way, as many as are made smaller."""
        for _ in range(ROUNDS):
            new = [case for case in cases if case.call.id not in self._claims]
            if not new or self._purse.left <= self._spared:
                break
            made = self._runs.made(new)
            self._purse.pay((case.call, made[case.call.id]) for case in new if case.call.id in made)
            self._claims |= {id_: claim for id_, claim in made.items() if claim.was_made}
            if any(claim.outcome in COSTLY for claim in made.values()):
                self._spared = self._purse.left
            if found := self._found(cases, judge, status):
                return found
        return self._found(cases, judge, status)

    def _found(self, cases: Sequence[Case], judge: Judge, status: Status) -> Sequence[Wrong]:
        """Return the first few of them: no more of one step are made smaller, or tried alone."""
        claims = {**self._runs.claims, **self._claims}
        found = (judge((case,), claims) for case in cases if case.call.id in self._claims)
        return [*islice((each for each in found if each and each.finding.status == status), WIDTH)]
