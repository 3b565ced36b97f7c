"""The runs of the cases of one exercise of one submission: calls are made, and claims are judged.

Theory of operation. First all cases are tried in company: one after the other, in one process. What
one call leaves behind may lead the next astray, which is a mistake of its own, so what went wrong is
tried again alone, in a process of its own. Who is right there was led astray; or knows nothing, sees
that it is alone, and says the opposite of what it said in company. So the two are never mixed: one
case of each size on which a check was lost is tried alone, and where any of them turns out right, all others
are tried alone too, and all checks are judged by what was answered in company, or all by what was answered
alone, whichever loses fewer, or as many on fewer cases: who fails first is asked no less, and earns no more.
A case that was not asked alone counts as it did in company; behind a wrong one, later waves count as wrong.

Calls that were not asked, since the time of the exercise was used up, have no claims in here: judges see
only what was asked. A check that finds nothing wrong in that has not passed, and gives a part of its points.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from json import dumps, loads
from math import inf
from statistics import fmean
from types import MappingProxyType

from grader.errors import InputError
from grader.exercises.kit.answers import describe_data
from grader.exercises.kit.check import Case, Check, Claims, Judge, Wrong, after_others, sample
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.findings import describe, not_asked
from grader.exercises.kit.library import size_of as size_of_maze
from grader.exercises.kit.solvers.runs import expectation, seen
from grader.languages import said
from grader.model import Call, Claim, IsPerfect, Solve, Telling
from grader.model.claims import (
    Arguments,
    Ask,
    FunctionAnswer,
    GeneratedMazes,
    MazeValue,
    PerfectionAnswer,
    SolveRuns,
    VectorsValue,
    alike_in,
)
from grader.session.connection import COSTLY, size_of
from grader.session.submission_limits import SPENT
from lab.proportion import share_right, share_wrong, size_class

MakeCalls = Callable[[Sequence[Call], bool], Sequence[Claim]]
"""Makes the calls, each in a process of its own where the second argument says so."""

SUSPECTS = 10
"""At most 10 cases of a check that went wrong in company are tried alone, to show the mistake on one."""
MOST_AGAIN = 3
"""Calls that were left out because of how others of their group ended are sent up to 3 times more, so that
every check is judged by the claims on its own."""


class CaseRuns:
    """What one exercise of a submission was asked, and what it answered."""

    def __init__(
        self, checks: Sequence[Check], make_calls: MakeCalls, known: Claims = MappingProxyType({})
    ) -> None:
        """Plan the runs; ``known`` holds claims whose calls need not be made again."""
        cases = [case for check in checks for case in (*check.controls, *check.cases)]
        self.checks: Sequence[Check] = checks
        self._whole = {check.id: check for check in checks}
        self._make_calls = make_calls
        self.cases: dict[str, Case] = {case.call.id: case for case in cases}
        self.claims: dict[str, Claim] = {id_: known[id_] for id_ in self.cases if id_ in known}
        self._alone: dict[str, Claim] = {}
        self._not_asked: dict[str, Claim] = {}
        """The claims on calls in company that were not made since the time was used up."""
        self._not_asked_alone: dict[str, Claim] = {}
        self._is_followed = False
        """Whether lost checks are asked once more, with a Search that works."""
        self._undecided: dict[str, Wrong] = {}
        """By check, where calls alone that decide about it were not asked."""
        # worked out once, when all calls in company are made; by the id of the check
        self._found: dict[tuple[str, str, bool], Wrong | None] = {}
        self._mistakes_alone: dict[str, Wrong | None] = {}
        self._undone_by: dict[tuple[str, bool], Wrong | None] = {}

    def run(self, is_followed: Callable[[Collection[Claim]], bool] = lambda _: False) -> None:
        """Make the calls of all cases.

        Those that need a newly started program come after the others; those that take long come last, and
        only where the check is not lost without them. Nothing is asked twice where ``is_followed`` tells, by
        the first claims, that lost checks are asked once more with a Search that works.
        """
        for anew in (False, True):
            early = (case for case in self.cases.values() if not case.wave and case.call.anew is anew)
            self.claims |= self._unknown(early)
        self._is_followed = is_followed(self.claims.values())
        if not self._is_followed:
            # for checks that found nothing wrong in the calls that were made; where calls did not come back
            # on cases about which other checks ask just that, the others come first
            self.claims |= self.made(
                case for check in self.checks for case in self._left_out_for_others(check)
            )
            for _ in range(MOST_AGAIN):
                left_out = [case for check in self.checks for case in self._to_make_again(check)]
                self.claims |= self.made(left_out)
        for wave in (1, 2, 3):
            self.checks = [self._without_later_waves(check, wave) for check in self.checks]
            self.claims |= self._unknown(
                case for check in self.checks for case in check.cases if case.wave == wave
            )
        if self._not_asked:
            self.checks = [
                replace(check, cases=self._asked(check.cases), controls=self._asked(check.controls))
                for check in self.checks
            ]

    def _asked(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        return tuple(case for case in cases if case.call.id in self.claims)

    def _to_make_again(self, check: Check) -> Sequence[Case]:
        """Return the cases left out of a check that nothing else loses, unless a clock was the reason."""
        left_out = [case for case in self._asked(check.cases) if not self.claims[case.call.id].was_made]
        if not left_out or self._is_lost_without(check, ()):
            return ()
        return [case for case in left_out if self.claims[case.call.id].outcome not in COSTLY]

    def _left_out_for_others(self, check: Check) -> Sequence[Case]:
        """Return the cases and controls that were left out for calls which other checks are charged with."""
        known = self._asked((*check.cases, *check.controls))
        charged = [case for case in known if self._is_charged_elsewhere(check, case, self.claims)]
        if not charged or self._is_lost_without(check, charged):
            return ()
        left_out = [case for case in known if not self.claims[case.call.id].was_made]
        return [case for case in left_out if not check.ends_elsewhere(case)]

    def _is_lost_without(self, check: Check, but_for: Sequence[Case]) -> bool:
        """Tell whether a call that was made, other than some, is wrong."""
        without = {case.call.id for case in but_for}
        asked = [case for case in self._asked(check.cases) if case.call.id not in without]
        made = [case for case in asked if self.claims[case.call.id].was_made]
        return bool(made) and check.judge(made, self.claims) is not None

    @staticmethod
    def _is_charged_elsewhere(check: Check, case: Case, claims: Claims) -> bool:
        """Tell whether a call did not come back on a case about which another check asks just that."""
        return not claims[case.call.id].came_back and check.ends_elsewhere(case)

    def _in_company(self, judge: Judge, cases: Sequence[Case]) -> Wrong | None:
        """Return what a judge finds wrong, if possible on a case whose call was made."""
        wrong = judge(cases, self.claims)
        if wrong is None or self.claims[wrong.case.call.id].was_made:
            return wrong
        made = [case for case in cases if self.claims[case.call.id].was_made]
        return (judge(made, self.claims) if made else None) or wrong

    def _without_later_waves(self, check: Check, wave: int) -> Check:
        """Return the check with its earlier cases only, if one of them is wrong, and is so alone as well."""
        early = tuple(case for case in check.cases if case.wave < wave)
        asked = self._asked(early)
        mistake = check.judge(asked, self.claims) if asked and len(early) < len(check.cases) else None
        if mistake is None:
            return check
        is_final = self._is_followed or self._is_final(mistake)
        if is_final or check.judge((mistake.case,), self.with_alone([mistake.case])):
            return replace(check, cases=early)
        return check

    def wrong(self, check: Check) -> Wrong | None:
        """Return the plainest case on which the check finds the submission wrong; None where it passes."""
        unasked = self._unasked(check)
        if unasked is not None and not check.looks_one_by_one:
            return unasked
        if check.twins is not None:
            return self._left_behind(check, check.twins) or self._undone(check)
        alone = check.alone and self._is_judged_alone
        mistake = self._mistake(check, alone=alone)
        if mistake is None:
            return self._undone(check, alone=alone) or unasked
        return mistake if alone else self._as_it_is_alone(check, mistake)

    def _unasked(self, check: Check) -> Wrong | None:
        """Return that some of the calls of a check were not asked; None where all were."""
        whole = self._whole[check.id]
        for case in (*whole.cases, *whole.controls):
            if (claim := self._not_asked.get(case.call.id)) is not None:
                return Wrong(case, not_asked(claim))
        return self._undecided.get(check.id)

    def passes(self, check: Check) -> bool:
        """Tell whether the check finds nothing wrong, on the plainest case or on any other.

        Of what is asked once more, none is asked alone for that.
        """
        if self._unasked(check) is not None or (check.twins is not None and not self._is_followed):
            return self.wrong(check) is None
        alone = check.alone and not self._is_followed and self._is_judged_alone
        return self._mistake(check, alone=alone) is None and self._undone(check, alone=alone) is None

    def share_right(self, check: Check) -> float:
        """Return the share of its cases, from 0 to 1, on which a lost check finds nothing wrong.

        Each size of case weighs the same, and so do the cases with the usual answer and those with another.
        The share is 0 where the control finds the work undone, and where the cases reveal something only
        together; cases that were not reached count as wrong.
        """
        if not check.looks_one_by_one or len(check.controls) < len(self._whole[check.id].controls):
            return 0.0
        return self._share_right(check, alone=self._is_judged_alone)

    def _share_right(self, check: Check, *, alone: bool) -> float:
        return fmean(map(share_right, self._parts(check, alone=alone)))

    def is_right_where_it_answered(self, check: Check) -> bool:
        """Tell whether no answer that came is wrong, of a check that looks at its cases one by one.

        Calls were not asked, or did not come back on a case about which another check asks just that.
        """
        if not check.looks_one_by_one:
            return False
        right = self._right_by_case(check, alone=self._is_judged_alone)
        claims = self.with_alone(check.cases) if self._is_judged_alone else self.claims
        wrong = [case for case in check.cases if not right[case.call.id]]
        return all(self._is_charged_elsewhere(check, case, claims) for case in wrong)

    def wrong_share(self, points: Mapping[str, float]) -> float | None:
        """Return the share of cases of up to 400 cells or steps that are wrong, from 0 to 1.

        Each check counts as its ``points`` do, and each size of its cases the same: a right way in a wrong
        order of visits is wrong in part. All cases are wrong of a check whose control finds the work undone.
        None where no check that looks at its cases one by one is lost.
        """
        checks = [check for check in self.checks if check.looks_one_by_one and points[check.id]]
        if all(map(self.passes, checks)):
            return None
        shares, weights = [], []
        for check in checks:
            wrong = share_wrong(self._parts(check, alone=self._is_judged_alone))
            if wrong is not None:
                shares.append(wrong)
                weights.append(points[check.id])
        return round(fmean(shares, weights), 3) if shares else None

    def _right_by_case(self, check: Check, *, alone: bool) -> Mapping[str, bool]:
        """Return by call whether each case was reached and is right; none is if the work is undone.

        No wave is reached after one in which a case is wrong.
        """
        cases = self._whole[check.id].cases
        if self._undone(check, alone=alone) is not None:
            return dict.fromkeys((case.call.id for case in cases), False)
        asked = self.with_alone(check.cases) if alone else self.claims
        found = (self.found(check, case, alone=alone) if case.call.id in asked else case for case in cases)
        right = {case.call.id: wrong is None for case, wrong in zip(cases, found, strict=True)}
        last = min((case.wave for case in cases if not right[case.call.id]), default=inf)
        return {case.call.id: right[case.call.id] and case.wave <= last for case in cases}

    def _parts(self, check: Check, *, alone: bool) -> list[dict[int, list[bool]]]:
        """Return which cases are right, by the place of their size among ``SIZES``: the rare ones apart."""
        found: dict[bool, dict[int, list[bool]]] = {}
        for id_, is_right in self._right_by_case(check, alone=alone).items():
            by_size = found.setdefault(id_ in check.rare, {})
            by_size.setdefault(_size_of(self.cases[id_]), []).append(is_right)
        return [*found.values()]

    def _mistake(self, check: Check, *, alone: bool) -> Wrong | None:
        """Return what the check finds wrong, on all cases in company, or on the same cases alone."""
        mistake = self._mistakes[check.id]
        if not alone or (mistake is not None and self._is_final(mistake)):
            return mistake
        if check.id not in self._mistakes_alone:
            self._mistakes_alone[check.id] = check.judge(check.cases, self.with_alone(check.cases))
        return self._mistakes_alone[check.id]

    def _undone(self, check: Check, *, alone: bool = False) -> Wrong | None:
        """Return what the control finds wrong."""
        if (check.id, alone) not in self._undone_by:
            self._undone_by[check.id, alone] = self._found_undone(check, alone=alone)
        return self._undone_by[check.id, alone]

    def _found_undone(self, check: Check, *, alone: bool) -> Wrong | None:
        controls, control = check.controls, check.control
        if control is None or len(controls) < len(self._whole[check.id].controls):
            return None
        claims = self.with_alone(controls) if alone else None
        wrong = self._in_company(control, controls) if claims is None else control(controls, claims)
        if wrong is None or self._is_final(wrong) or wrong.finding.decides:
            return wrong
        return wrong.undone

    @cached_property
    def _mistakes(self) -> dict[str, Wrong | None]:
        """What each check finds wrong in company."""
        return {
            check.id: self._in_company(check.judge, check.cases) if check.cases else None
            for check in self.checks
        }

    # --- alone --------------------------------------------------------------------------------------

    @cached_property
    def _is_judged_alone(self) -> bool:
        """Whether fewer checks are lost by what the submission answers alone, or as many on fewer cases."""
        checks = [check for check in self.checks if check.looks_one_by_one]
        if not self._is_doubtful(checks):
            return False
        in_company, alone = (self._lost(checks, alone=way) for way in (False, True))
        return alone < in_company and not self._not_asked_alone

    def _lost(self, checks: Sequence[Check], *, alone: bool) -> tuple[int, float]:
        """Return how many checks are lost, and which part of their cases, in company or alone."""
        lost = [
            check for check in checks if self._mistake(check, alone=alone) or self._undone(check, alone=alone)
        ]
        return len(lost), round(sum(1 - self._share_right(check, alone=alone) for check in lost), 6)

    def _is_doubtful(self, checks: Sequence[Check]) -> bool:
        """Tell whether what went wrong in company, on the first case of a size of a check, is right alone."""
        wrong = [
            (check, found)
            for check in checks
            if self._mistakes[check.id] is not None
            for found in self._first_of_each_size(check)
        ]
        if not wrong:
            lost = (check for check in checks if self._undone(check))
            return any(self._undone(check, alone=True) is None for check in lost)
        tried = [(check, found.case) for check, found in wrong if not self._is_final(found)]
        claims = self.with_alone([case for _, case in tried])
        return any(check.judge((case,), claims) is None for check, case in tried)

    def _first_of_each_size(self, check: Check) -> Iterable[Wrong]:
        """Return what is wrong with the first case of each size on which a check was lost."""
        first: dict[int, Wrong] = {}
        for case in check.cases:
            if (size := _size_of(case)) not in first and (found := self.found(check, case)) is not None:
                first[size] = found
        return first.values()

    def _as_it_is_alone(self, check: Check, mistake: Wrong) -> Wrong:
        """Return the mistake on a suspect that goes wrong alone as well, if there is one."""
        if not check.alone or self._is_final(mistake):
            return mistake
        found = check.judge([mistake.case], self.with_alone([mistake.case]))
        if found is None:
            suspects = sample(self.failed(check), SUSPECTS)
            found = check.judge(suspects, self.with_alone(suspects))
        return found or mistake

    def _left_behind(self, check: Check, twins: Callable[[Case], Sequence[Case]]) -> Wrong | None:
        """Return what went wrong after others, though its twins are right alone.

        A series, which brings its own company along, is looked at alone: so it shows unaided what one maze
        leaves behind for the next.
        """
        failed = self.failed(check)
        if not failed and self._undone(check) is None:
            return None
        series: dict[str, list[Case]] = {}
        for case in check.cases:
            if not any(twin is case for twin in twins(case)):
                series.setdefault(case.call.group, []).append(case)
        for suspects in (*series.values(), failed):
            chosen = sample(suspects, SUSPECTS)
            needed = [twin for case in chosen for twin in twins(case)]
            claims = self.with_alone(needed)
            if missing := [claim for twin in needed if (claim := self._not_asked_alone.get(twin.call.id))]:
                self._undecided[check.id] = Wrong(chosen[0], not_asked(missing[0]))
                return self._undecided[check.id]
            innocent = [case for case in chosen if check.judge(twins(case), claims) is None]
            if suspects is failed:
                found = after_others(check.judge)(innocent, self.claims)
            else:
                found = check.judge(innocent, self.with_alone(innocent))
            if found is not None:
                return found
        return None

    def failed(self, check: Check) -> Sequence[Case]:
        """Return the cases of a check that went wrong in company."""
        return [case for case in check.cases if self.found(check, case)]

    def found(self, check: Check, case: Case, *, alone: bool = False) -> Wrong | None:
        """Return what the check finds wrong with this case; judged once for all who ask."""
        key = check.id, case.call.id, alone
        if key not in self._found:
            claims = ChainMap(self._alone, self.claims) if alone else self.claims
            self._found[key] = check.judge((case,), claims)
        return self._found[key]

    # --- calls --------------------------------------------------------------------------------------
    def made(self, cases: Iterable[Case], *, alone: bool = False) -> dict[str, Claim]:
        """Make the calls of the cases, and return the claims on those that were asked, by their ids."""
        calls = list({case.call.id: case.call for case in cases}.values())
        if not calls:
            return {}
        claims = {claim.call: claim for claim in self._make_calls(calls, alone)}
        unasked = {id_: claim for id_, claim in claims.items() if claim.outcome == "not-asked"}
        (self._not_asked_alone if alone else self._not_asked).update(unasked)
        return {id_: claim for id_, claim in claims.items() if id_ not in unasked}

    def _unknown(self, cases: Iterable[Case]) -> dict[str, Claim]:
        """Make the calls of those cases for which no claim is known."""
        return self.made(case for case in cases if case.call.id not in self.claims)

    def with_alone(self, cases: Sequence[Case], company: Claims | None = None) -> Claims:
        """Return all claims, with those on the cases from processes of their own; checks share the latter.

        Of a case that was not asked alone, it is the claim in company, if there is one: where every call
        fails alike, the first one of its process among them, which was alone, those that are known in
        company, or named as such, are not asked again.
        """
        new = [case for case in cases if case.call.id not in self._alone]
        if new and alike_in(self.claims) is not None:
            known = {**(company or {}), **self.claims}
            self._alone |= {case.call.id: known[case.call.id] for case in new if case.call.id in known}
            new = [case for case in new if case.call.id not in known]
        if new:
            self._alone.update(self.made(new, alone=True))
        return self.claims | self._alone

    def _is_final(self, wrong: Wrong) -> bool:
        """Tell whether trying again would show nothing new, or take too long.

        That is so where the process was ended, or the code cannot be loaded. A loop without end is ended by
        the count of its turns, which takes no time.
        """
        claim = self.claims.get(wrong.case.call.id)
        if claim is None:
            return False
        if claim.fault is not None and claim.fault.stage in ("import", "construct"):
            return True
        return claim.outcome != "endless" and claim.outcome in (*SPENT, "missing")


def _size_of(case: Case) -> int:
    """Return the place of a case's size among ``SIZES``."""
    return size_class(size_of(case.call))


# --- one case by itself -----------------------------------------------------------------------------


def on_maze(case: Case, text: str) -> Case:
    """Return a case on another maze. Raises InputError if it asks about none."""
    old = case.maze or ""
    match case.call.arguments:
        case Solve(mazes):
            asked: Arguments = Solve(tuple(text if each == old else each for each in mazes))
        case IsPerfect(_, before):
            asked = IsPerfect(text, before)
        case Ask(method, values) if old:
            now = {("data", dumps({"m": old})): ("data", dumps({"m": text}))}
            plain = [(kind, dumps(loads(made))) for kind, made in values]
            asked = Ask(method, tuple(now.get(each, each) for each in plain), len(text))
        case other:
            asked = other
    if asked == case.call.arguments and text != old:
        raise InputError("expected a check that asks about mazes, but this one asks about none")
    call = Call("on-maze", asked, group=case.call.group)
    return replace(
        case, call=call, label=size_of_maze(text), given=facts_of(text), maze=text, stated=(), wave=0
    )


def what_came(exercise: str, case: Case, claim: Claim) -> dict[str, Telling]:
    """Return what came of a case that is right, beside what was expected, as far as that can be shown."""
    came = claim.value
    shown: dict[str, Telling] = {"maze": case.maze, "expected": {}, "actual": {"text": ""}}
    if isinstance(came, SolveRuns) and came.runs[0].returned is not None:
        returned = came.runs[0].returned
        moves = returned.value if isinstance(returned, VectorsValue) else None
        actual: dict[str, Telling] = {
            "text": describe(returned),
            "moves": moves,
            **seen(case.facts, claim, 0),
        }
        return {**shown, "expected": expectation(case.facts, exercise), "actual": actual}
    if isinstance(came, PerfectionAnswer):
        return {**shown, "actual": {"text": describe(came.returned)}}
    if isinstance(came, GeneratedMazes):
        made = [each.text for each in came.returned if isinstance(each, MazeValue)]
        return {**shown, "actual": {"text": said("maze_value") if made else "", "mazes": made}}
    if isinstance(came, FunctionAnswer):
        return {**shown, "actual": {"text": describe_data(came.returned)}}
    return shown
