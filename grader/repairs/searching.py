"""The search for edits that make an exercise right: which lines are to blame, and whether edits agree.

All of it is counted, nothing timed: the same file gives the same answer on any machine. Where what may
be asked is used up before the search is done, nothing is said, unless a repair was found by then.

Which lines are to blame, as far as the lines tell that were run where it went wrong, and where not.

A. Ochiai's coefficient, found the best of its kind by R. Abreu, P. Zoeteweij and A. van Gemund: On the
accuracy of spectrum-based fault localization, 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate, islice
from math import sqrt
from typing import Final

from grader.exercises.kit.check import Case, Check, Claims
from grader.model import Call, Claim
from grader.repairs.source import Edit, Kind

MOST_EDITS: Final = 300
"""At most 300 edits of a file are tried, the likeliest first."""
AT_ONCE: Final = 30
"""30 edits are tried in one process."""
ENOUGH: Final = 4
"""The search ends when 4 repairs are found."""
MOST_WHOLE: Final = 12
"""It also ends when 12 edits have been tried on all cases."""
PATIENCE: Final = 30
"""After the batch in which the first repair was found, 30 more edits are tried."""
FIRST, MORE = 3, 3
"""An edit is tried on one case of each of three checks first, and then on three more cases."""
A_LINE: Final = 3
"""An edit is tried on all cases only if fewer than three repairs were found in its line."""
A_FEW: Final = 60
"""No more calls are sent at once than what is left pays for if none of them ends, but 60 at the least: to
send any costs as much as 20 of them."""
_UNSURE = ("timeout", "violation")
"""Outcomes that depend on the machine: nothing is said after one of them."""

MakeCalls = Callable[[Sequence[Call]], Sequence[Claim]]
Cost = Callable[[Call, Claim], int]
"""Returns the cost of a call from what was asked and how it ended, so that it is the same on any machine."""


@dataclass(frozen=True, slots=True)
class ProbeCase:
    """A small case of a check, which the file as it was handed in got wrong, or right."""

    check: Check
    case: Case

    def holds(self, claim: Claim) -> bool:
        """Tell whether the claim is right."""
        claims = {self.case.call.id: replace(claim, call=self.case.call.id)}
        return self.check.judge((self.case,), claims) is None


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit with the checks that it turns from failed to passed."""

    edit: Edit
    checks: frozenset[str]


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a search."""

    repairs: tuple[Repair, ...]
    tried: int
    is_whole: bool
    """Whether the search went as far as it should, or far enough: a repair was found by then."""


class _Spent(Exception):  # noqa: N818 - no error
    """The search has used up what it may cost."""


class _Unsure(Exception):  # noqa: N818 - no error
    """A claim depends on the machine."""


@dataclass
class EditSearch:
    """Tries edits of a text until enough of them are found that repair something."""

    text: str
    failing: Sequence[ProbeCase]
    passing: Sequence[ProbeCase]
    checks: Sequence[Check]
    """All that are looked at."""
    lost: frozenset[str]
    """Those of them that are not passed."""
    before: Claims
    """The claims on the file as it was handed in."""
    make_calls: MakeCalls
    cost: Cost
    most: int
    """What the search may cost."""
    effort: int = 0
    tried: int = 0
    wholes: int = 0
    patience: int = PATIENCE
    repairs: list[Repair] = field(default_factory=list)

    def find(self, edits: Sequence[Edit]) -> Found:
        """Try the edits, in their order."""
        is_whole = True
        try:
            self._run(edits[:MOST_EDITS])
        except _Spent:
            is_whole = bool(self.repairs)
        except _Unsure:
            is_whole = False
        return Found(tuple(self.repairs), self.tried, is_whole)

    def _run(self, edits: Iterable[Edit]) -> None:
        first = list({probe.check.id: probe for probe in reversed(self.failing)}.values())[-FIRST:]
        rest = [probe for probe in self.failing if probe not in first]
        asked = frozenset(probe.check.id for probe in first)
        left = iter(edits)
        while chunk := list(islice(left, AT_ONCE)):
            self.tried += len(chunk)
            hopeful = self._hopeful(dict.fromkeys(chunk, asked), first, ())
            hopeful = self._hopeful(hopeful, rest[:MORE], ())
            hopeful = self._hopeful(hopeful, rest[MORE:], self.passing)
            for edit, checks in hopeful.items():
                self._try_whole(edit, checks, asked - checks)
                if len(self.repairs) >= ENOUGH or self.wholes >= MOST_WHOLE:
                    return
            self.patience -= AT_ONCE if self.repairs else 0
            if self.patience < 0:
                return

    def _hopeful(
        self, edits: Mapping[Edit, frozenset[str]], failing: Sequence[ProbeCase], passing: Sequence[ProbeCase]
    ) -> dict[Edit, frozenset[str]]:
        """Return the edits that repair all cases tried of some check, and spoil no case that was right.

        Each comes with the checks that it repairs.
        """
        if not (failing or passing) or not edits:
            return dict(edits)
        claims = self._claims(list(edits), [probe.case for probe in (*failing, *passing)])
        left = {}
        for edit, checks in edits.items():
            mended = checks - {
                probe.check.id for probe in failing if not probe.holds(claims[edit, probe.case.call.id])
            }
            if mended and all(probe.holds(claims[edit, probe.case.call.id]) for probe in passing):
                left[edit] = mended
        return left

    def _claims(self, edits: Sequence[Edit], asked: Iterable[Case]) -> dict[tuple[Edit, str], Claim]:
        cases = {case.call.id: case for case in asked}
        keys = [(edit, id_) for edit in edits for id_ in cases]
        texts = {edit: edit.apply(self.text).encode() for edit in edits}
        calls = [
            replace(cases[id_].call, id=str(number), group="", anew=False, version=texts[edit])
            for number, (edit, id_) in enumerate(keys)
        ]
        claims: list[Claim] = []
        while len(claims) < len(calls):
            claims += self._made(self._payable(calls[len(claims) :]))
        return dict(zip(keys, claims, strict=True))

    def _payable(self, calls: Sequence[Call]) -> Sequence[Call]:
        """Return the first of the calls: as many as what is left pays for if none of them ends, or a few."""
        spent = accumulate(self.cost(call, Claim(call.id, "endless")) for call in calls)
        return calls[: max(A_FEW, sum(cost <= self.most - self.effort for cost in spent))]

    def _made(self, calls: Sequence[Call]) -> Sequence[Claim]:
        """Make the calls and return their claims.

        Raises _Unsure where a claim depends on the machine, and _Spent where the search has cost too much.
        """
        claims = self.make_calls(calls)
        self.effort += sum(map(self.cost, calls, claims))
        if any(claim.outcome in _UNSURE for claim in claims):
            raise _Unsure
        if self.effort > self.most:
            raise _Spent
        return claims

    def _try_whole(self, edit: Edit, hopeful: frozenset[str], refuted: frozenset[str]) -> None:
        """Try an edit on the broad set of cases of all checks, until it loses a check that was not lost."""
        if sum(repair.edit.line == edit.line for repair in self.repairs) >= A_LINE:
            return
        self.wholes += 1
        claims: dict[str, Claim] = {}
        mended: set[str] = set()
        for is_first in (True, False):
            checks = [
                each for each in self.checks if each.id not in refuted and (each.id in hopeful) == is_first
            ]
            cases = [case for check in checks for case in (*check.controls, *check.cases)]
            made = self._claims([edit], [case for case in cases if case.call.id not in claims])
            claims |= {id_: replace(claim, call=id_) for (_, id_), claim in made.items()}
            for check in checks:
                is_right = check.judge(check.cases, claims) is None
                if is_right and (check.control is None or check.control(check.controls, claims) is None):
                    mended |= {check.id} & self.lost
                elif check.id not in self.lost:
                    return
            if not mended:
                return
        # a solver that could be seen at work before and no longer can is not repaired
        if mended and not any(
            bool(before.streams) and not after.streams
            for id_, claim in self.before.items()
            if id_ in claims
            for before, after in zip(claim.runs, claims[id_].runs, strict=False)
        ):
            self.repairs.append(Repair(edit, frozenset(mended)))


NEAR: Final = 2
"""Repairs agree where they lie no more than two lines apart."""
_MOVED: Final = {"each_turn", "sequence", "under_condition"}
"""What puts a statement in another place."""

_ALIKE: Final[tuple[tuple[frozenset[str], Kind], ...]] = (
    (frozenset({"comparison", "negation"}), "comparison"),
    (frozenset({"condition", "comparison", "negation"}), "condition"),
    (frozenset({"bound", "equal", "by_one", "number"}), "bound"),
)
"""Kinds of which one question fits all."""


def agreed(found: Found) -> Repair | None:
    """Return the repair that stands for all, if they lie close together; None where they do not agree.

    Only those that repair most checks count. Where they differ in what they change, only the place is sure.
    Leaving a line out, which is often one way to change it, does not count as a difference, unless the others
    only move it; nor do kinds that one question fits. Of several repairs, the one that adds least is
    returned: most mistakes are something that is there and should not be.
    """
    if not found.is_whole or not found.repairs:
        return None
    most = max(len(repair.checks) for repair in found.repairs)
    best = _plainest([repair for repair in found.repairs if len(repair.checks) == most])
    lines = [repair.edit.line for repair in best]
    if len({repair.checks for repair in best}) > 1:
        return None
    kinds = {repair.edit.kind for repair in best}
    if kinds == {"end"}:
        return min(best, key=lambda repair: repair.edit.line)
    if max(lines) - min(lines) > NEAR:
        return None
    telling = [repair for repair in best if repair.edit.kind != "needed"] or best
    asked = {repair.edit.kind for repair in telling}
    if asked > {"bound"}:  # its question asks for the smallest case, on which any of them shows
        telling = [repair for repair in telling if repair.edit.kind == "bound"]
    elif len(asked) > 1 or (asked <= _MOVED and len(telling) < len(best)):
        told: Kind = next((kind for kinds, kind in _ALIKE if asked <= kinds), "closely")
        telling = [replace(repair, edit=replace(repair.edit, sort=told)) for repair in best]
    return min(telling, key=lambda repair: repair.edit.growth)


def _plainest(repairs: list[Repair]) -> list[Repair]:
    """Return the repairs without those that compensate for something elsewhere.

    What is not kept need not be ignored; what others change needs no lines added to help; what needs a copy
    need not be reversed, which makes one, nor what is put in at the right end. An end depends as much on
    where things are put in as on where they are taken out, so the question is valid for either line.
    """
    kept = [repair for repair in repairs if repair.edit.kind == "lives_on"]
    changed = kept or [repair for repair in repairs if not repair.edit.after] or repairs
    copies = {repair.edit.line for repair in changed if repair.edit.kind == "changing"}
    changed = [repair for repair in changed if repair.edit.kind != "order" or repair.edit.line not in copies]
    ends = [repair for repair in changed if repair.edit.kind == "end"]
    return ends if ends and {repair.edit.kind for repair in changed} <= {"end", "order"} else changed


UNSEEN: Final = 0.1
"""The blame of a line that no failed call ran."""

Lines = AbstractSet[int]


def suspicion(failed: Sequence[Lines], passed: Sequence[Lines]) -> Callable[[Edit], float]:
    """Return a function that rates how likely an edit is the one needed, from the lines that calls ran."""

    @cache
    def blame(line: int) -> float:
        wrong = sum(line in lines for lines in failed)
        right = sum(line in lines for lines in passed)
        return wrong / sqrt(len(failed) * (wrong + right)) if wrong else UNSEEN

    def of(edit: Edit) -> float:
        if edit.loading:
            return edit.weight
        places = range(edit.line, edit.line + NEAR + 1) if edit.after else (edit.line,)
        return edit.weight * max(map(blame, places))

    return of
