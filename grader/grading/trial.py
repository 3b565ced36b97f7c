"""The trial of one exercise of one submission: calls are made, and claims are judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import MappingProxyType

from grader.checks.base import Case, Check, Claims, Wrong, after_others
from grader.grading.shrink import from_the_ladder, with_hypothesis
from grader.model import Call, Claim
from grader.session.groups import SPENT

MakeCalls = Callable[[Sequence[Call], bool], Sequence[Claim]]
"""Makes the calls, each in a process of its own where the second argument says so."""

SUSPECTS = 20
"""At most 20 of the cases that went wrong are tried again alone. Where all of them are right then, the
others that went wrong are put down to what was left behind too."""
FEW_SUSPECTS = 10
"""At most 10 are tried alone by a check that is about what is left behind, or remembered."""


class Trial:
    """What one exercise of a submission was asked, and what it answered."""

    def __init__(
        self, checks: Sequence[Check], make_calls: MakeCalls, known: Claims = MappingProxyType({})
    ) -> None:
        """``known`` are claims of cases that were made before, as context."""
        cases = [case for check in checks for case in (*check.controls, *check.cases)]
        self.checks, self._make_calls = checks, make_calls
        self.cases: dict[str, Case] = {case.call.id: case for case in cases}
        self.claims: dict[str, Claim] = dict(known)
        self._alone: dict[str, Claim] = {}

    def run(self) -> None:
        """Make the calls of all cases, those that stand apart in another process than the others."""
        for apart in (False, True):
            self.claims |= self._made(case for case in self.cases.values() if case.apart is apart)

    def wrong(self, check: Check) -> Wrong | None:
        """The plainest case on which the check finds the submission wrong; None where it passes."""
        wrong = self._first_mistake(check)
        if wrong is not None:
            return self._on_smallest(check, wrong)
        return self._by_control(check)

    def _by_control(self, check: Check) -> Wrong | None:
        """What the control finds, in processes of their own as well: what other calls left behind
        counts in the checks that are about it."""
        if check.control is None:
            return None
        wrong = check.control(check.controls, self.claims)
        if wrong is None or not check.alone or _is_final(self.claims[wrong.case.call.id]):
            return wrong
        return check.control(check.controls, self.claims | self._made_alone(check.controls))

    def _made(self, cases: Iterable[Case], *, alone: bool = False) -> dict[str, Claim]:
        calls = list({case.call.id: case.call for case in cases}.values())
        if not calls:
            return {}
        return dict(zip((call.id for call in calls), self._make_calls(calls, alone), strict=True))

    def _made_alone(self, cases: Sequence[Case]) -> dict[str, Claim]:
        """What comes of each case in a process of its own; checks that share a case share that."""
        new = [case for case in cases if case.call.id not in self._alone]
        if new:
            self._alone.update(self._made(new, alone=True))
        return self._alone

    def _first_mistake(self, check: Check) -> Wrong | None:
        """The first case that is wrong, in a process of its own as well."""
        wrong = check.judge(check.cases, self.claims)
        if wrong is not None and check.doubt is not None:
            return self._unexplained(check)
        if wrong is None or not check.alone:
            return wrong
        if _is_final(self.claims[wrong.case.call.id]):
            return wrong
        failed = [case for case in check.cases if check.judge((case,), self.claims)]
        suspects = sample(failed, SUSPECTS)
        if check.in_company and len(failed) < len(check.cases):
            return self._right_alone(check, suspects[:FEW_SUSPECTS])
        first = suspects[:1]  # mostly it shows the mistake; where it does not, it is asked again below
        found = check.judge(first, self.claims | self._made_alone(first))
        if found is not None:
            return found
        others = self._with_another_answer(suspects)
        alone = self.claims | self._made((*suspects, *others), alone=True)
        found = check.judge(suspects, alone)
        if found is not None:
            return found
        return wrong if self._are_guesses(others, alone) else None

    def _unexplained(self, check: Check) -> Wrong | None:
        """The first mistake that no other case explains; a sample speaks for all."""
        assert check.doubt is not None  # noqa: S101 - asked of those only that have one
        failed = [case for case in check.cases if check.judge((case,), self.claims)]
        suspects = sample(failed, FEW_SUSPECTS)
        return check.judge(suspects, self.claims | self._made_alone([*map(check.doubt, suspects)]))

    def _with_another_answer(self, suspects: Sequence[Case]) -> Sequence[Case]:
        """As many cases as there are suspects, on which another answer is right.

        Made alone together with the suspects, in an order that says nothing, they tell a submission
        that is led astray by earlier calls from one that knows nothing of mazes, but notices that it
        is called alone, and then says the opposite of what it said in company.
        """
        usual, _ = Counter(case.answer for case in suspects).most_common(1)[0]
        if not usual:
            return ()
        cases = [case for check in self.checks if not check.in_company for case in check.cases]
        others = {case.call.id: case for case in cases if case.answer not in ("", usual) and not case.apart}
        return sample([*others.values()], len(suspects))

    def _are_guesses(self, others: Sequence[Case], claims: Claims) -> bool:
        """Whether most of the cases on which another answer is right went wrong alone."""
        judges = {case.call.id: check.judge for check in reversed(self.checks) for case in check.cases}
        wrong = sum(judges[case.call.id]((case,), claims) is not None for case in others)
        return 2 * wrong > len(others)

    def _right_alone(self, check: Check, suspects: Sequence[Case]) -> Wrong | None:
        """The first case that is right alone, but was wrong after others."""
        alone = self._made_alone(suspects)
        innocent = [case for case in suspects if check.judge((case,), alone) is None]
        wrong = check.judge(innocent, self.claims)
        return wrong and replace(wrong, finding=after_others(wrong.finding))

    def _on_smallest(self, check: Check, wrong: Wrong) -> Wrong:
        """The same mistake on a smaller case of its kind, where there is one."""
        claim = self.claims.get(wrong.case.call.id)
        if check.ladder is None or (claim is not None and _is_final(claim)):
            return wrong

        def attempt(cases: Sequence[Case]) -> Wrong | None:
            """The first of the cases that is wrong in the same manner."""
            claims = self.claims | self._made(cases)
            for case in cases:
                found = check.judge((case,), claims)
                if found is not None and found.finding.status == wrong.finding.status:
                    return check.judge((case,), self.claims | self._made_alone([case]))
            return None

        return from_the_ladder(check.ladder, wrong, attempt) or with_hypothesis(check.ladder, wrong, attempt)


def sample(cases: Sequence[Case], count: int) -> Sequence[Case]:
    """At most ``count`` of the cases, evenly from the first to the last."""
    if len(cases) <= count:
        return cases
    if count == 1:
        return cases[:1]
    return [cases[number * (len(cases) - 1) // (count - 1)] for number in range(count)]


def _is_final(claim: Claim) -> bool:
    """Trying again would show nothing new: the process was ended, or the code cannot be loaded."""
    return claim.outcome in (*SPENT, "missing") or (
        claim.fault is not None and claim.fault.stage in ("import", "construct")
    )
