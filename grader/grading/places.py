"""Where in the student's own code the mistake stands: a search for small edits that put it right.

Nothing in here decides a mark. It is done after the verdicts on what is shown, with public cases only, and
leaves no trace in what later calls may use.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from functools import partial
from itertools import islice, takewhile, zip_longest
from typing import Final

from grader import repairs
from grader.exercises.kit.check import Case, Check, Claims, PlannedExercise, Wrong, sample
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.grading.purse import Purse, cost
from grader.languages import said
from grader.model import Call, Claim, LookAt
from grader.reader import Read, read_here
from grader.repairs import Edit, Found, ParsedFile, ProbeCase, Repair
from grader.session.connection import size_of
from lab.exercises import BY_ID

FAILING, PASSING = 10, 5
"""An edit is tried first on ten small cases that went wrong, and five that went well."""
SMALL: Final = 150
"""All cases that an edit is tried on have at most 150 cells or steps."""
A_FEW: Final = 20
"""Of calls that are only to hold, 20 are sent first, and the others if these do."""
BROAD: Final = 20
"""An edit that holds on the first cases is then tried on at most 20 cases of each check."""
RUNGS, FIRST, SIZES = 40, 400, 80
"""A repair has to hold on 40 small mazes of the checks that it mends, and on 80 cases of all sizes."""
_FORGETS, MORE_LIKELY = ("has_been", "marks"), 3
"""What comes to no end mostly forgets where it has been: edits that note or ask it are 3 times as likely."""
_WORTH_IT: Final = ("failed", "crashed", "endless")
_NO_PROGRAM: Final = ("SyntaxError", "IndentationError", "TabError")
_PART: Final = 30
"""A part of a line of at most 30 characters is quoted."""
_SHOWN: Final = 12
"""Up to 12 lines of the function are shown before the place, and as many after it."""


@dataclass(frozen=True, slots=True)
class ReadableFile:
    """A student's file, as far as the search for a place has to know it."""

    text: str
    functions: tuple[tuple[int, int], ...]
    """The first and last line of each."""
    edits: tuple[Edit, ...]
    """All that may be tried."""

    @property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")


def readable(content: bytes, exercise: str) -> ReadableFile | None:
    """Read the file of an exercise; None where no place is looked for in such a file."""
    source = repairs.source_of(content, BY_ID[exercise].method)
    return (
        None if source is None else ReadableFile(source.text, _spans(source), tuple(repairs.edits_of(source)))
    )


def _spans(source: ParsedFile) -> tuple[tuple[int, int], ...]:
    return tuple((each.lineno, each.end_lineno or each.lineno) for each in source.functions)


@dataclass
class PlaceFinder:
    """Looks for the place of the mistakes in one exercise of one submission."""

    exercise: PlannedExercise
    content: bytes
    make_calls: MakeCalls
    read: Read = read_here
    """Reads the file."""
    asks: bool = False
    """Whether solvers are handed the grader's Search."""
    points: Mapping[str, float] = field(default_factory=dict)
    """What the checks are worth."""
    purse: Purse = field(default_factory=Purse)

    def find(self, runs: CaseRuns, wrong: Mapping[str, Wrong]) -> LookAt | None:
        """Return the place to look at, if it is certain."""
        findings = [each.finding for each in wrong.values()]
        if any(each.decides or each.status not in _WORTH_IT for each in findings) or _is_no_program(runs):
            return None
        source = self.read(lambda: readable(self.content, self.exercise.id), ReadableFile | None)
        lost = [check for check in runs.checks if check.id in wrong]
        asked = _in_turns([_wrong_cases(runs, check, wrong[check.id]) for check in lost], FAILING)
        if source is None or not asked:
            return None
        right = _right_cases(runs)
        ran = self._ran((*asked, *right))
        failing = [probe for probe in asked if not probe.holds(ran[probe.case.call.id])]
        passing = [probe for probe in right if probe.holds(ran[probe.case.call.id])]
        unsure = frozenset(wrong) - {probe.check.id for probe in failing}
        if not failing:
            return None
        raised = {line for probe in failing for line in self._raised(ran[probe.case.call.id])}
        search = repairs.EditSearch(
            source.text,
            failing,
            passing,
            checks=_broad(check for check in runs.checks if check.id not in unsure),
            lost=frozenset(wrong) - unsure,
            before=runs.claims,
            make_calls=self._claims,
            cost=partial(cost, asks=self.asks),
            most=self.purse.for_edits(),
        )
        found = search.find(_ordered(_without_those_that_hide(source, raised), failing, passing, ran))
        best = self._agreed(source, found, runs)
        if best is None:
            return None
        if 2 * self._worth(best.checks) < self._worth(frozenset(wrong) - unsure):
            return None
        parts = [Repair(each, best.checks) for each in best.edit.parts(source.text)]
        needed = next((each for each in parts if self._is_confirmed(source, each, runs)), best)
        return _place(source, needed, self.exercise.target.file)

    def _worth(self, checks: Iterable[str]) -> float:
        return sum(self.points.get(each, 1.0) for each in checks)

    def _raised(self, claim: Claim) -> list[int]:
        """Return the line of the file at which a call raised."""
        trace = claim.fault.trace[-1:] if claim.fault is not None else ()
        return [each.line for each in trace if each.file == self.exercise.target.file]

    def _agreed(self, source: ReadableFile, found: Found, runs: CaseRuns) -> Repair | None:
        """Return the repair that stands for all that are found, once it is confirmed.

        Where it does not hold, it was found by accident, and the others are asked; where they do not agree,
        one after the other is tried, until two of those that hold do not.
        """
        left, held = [*found.repairs], list[Repair]()
        while left:
            best = repairs.agreed(replace(found, repairs=tuple(left)))
            most = max(len(repair.checks) for repair in left)
            asked = best or next(
                (each for each in left if each not in held and len(each.checks) == most), None
            )
            if asked is None:
                return None
            if not self._is_confirmed(source, asked, runs):
                left = [each for each in left if each.edit.splices != asked.edit.splices]
            elif best is not None:
                return best
            else:
                held.append(asked)
                if repairs.agreed(replace(found, repairs=tuple(held))) is None:
                    return None
        return None

    def _is_confirmed(self, source: ReadableFile, repair: Repair, runs: CaseRuns) -> bool:
        """Tell whether a repair holds on all that is known.

        An edit that mends by accident is right on the few cases that led to it: so it is tried on cases of
        every size of all checks, and on small mazes that the submission was not asked about.
        """
        version = repair.edit.apply(source.text).encode()
        probes = [*_rungs(runs, repair.checks), *_of_all_sizes(runs, repair.checks)]
        return self._holds(version, probes[:A_FEW]) and self._holds(version, probes[A_FEW:])

    def _holds(self, version: bytes, probes: Sequence[ProbeCase]) -> bool:
        """Tell whether a version of the file is right on all of the cases, if these are paid for."""
        calls = [
            replace(probe.case.call, id=str(number), group="", anew=False, version=version)
            for number, probe in enumerate(probes)
        ]
        return self.purse.left > 0 and all(map(ProbeCase.holds, probes, self._claims(calls)))

    def _ran(self, probes: Sequence[ProbeCase]) -> Claims:
        """Return the claims on the probes, called as they are for edits, with the lines that were run.

        What goes wrong only when it is called differently, in a process that was just started or because of
        what a control looks at, would seem to be repaired by any edit.
        """
        cases = {probe.case.call.id: probe.case for probe in probes}
        calls = [
            replace(case.call, group="", anew=False, traced=True, version=self.content)
            for case in cases.values()
        ]
        return dict(zip(cases, self._claims(calls), strict=True))

    def _claims(self, calls: Sequence[Call]) -> Sequence[Claim]:
        return self.make_calls(calls, False)


def _without_those_that_hide(source: ReadableFile, raised: Collection[int]) -> list[Edit]:
    """Return the edits but for those that only take away what raised: it was to be done."""
    return [
        each
        for each in source.edits
        if not (each.only_leaves_out(source.text) and any(line in raised for line in each.lines(source.text)))
    ]


def _ordered(
    edits: Sequence[Edit], failing: Sequence[ProbeCase], passing: Sequence[ProbeCase], ran: Claims
) -> Sequence[Edit]:
    """Return the edits, the likeliest first."""
    wrong = [ran[id_].lines for id_ in dict.fromkeys(probe.case.call.id for probe in failing)]
    right = [ran[id_].lines for id_ in dict.fromkeys(probe.case.call.id for probe in passing)]
    likely = repairs.suspicion(wrong, right)
    ends = all(ran[probe.case.call.id].outcome != "endless" for probe in failing)
    more = {} if ends else dict.fromkeys(_FORGETS, MORE_LIKELY)
    return sorted(edits, key=lambda edit: (-likely(edit) * more.get(edit.kind, 1), edit.line, edit.splices))


def _is_no_program(runs: CaseRuns) -> bool:
    """Tell whether Python refuses what was handed in: the line that its compiler names is the answer."""
    faults = (claim.fault for claim in runs.claims.values())
    return any(fault is not None and fault.kind in _NO_PROGRAM for fault in faults)


# --- cases ------------------------------------------------------------------------------------------


def _small(cases: Iterable[Case]) -> list[Case]:
    """Return the small cases among those that are always called, the smallest first."""
    early = (case for case in cases if not case.wave and size_of(case.call) <= SMALL)
    return sorted(early, key=lambda case: size_of(case.call))


def _wrong_cases(runs: CaseRuns, check: Check, wrong: Wrong) -> list[ProbeCase]:
    """Return the cases that went wrong; if none did in company, the one that did alone."""
    alone = [case for case in check.cases if case.call.id == wrong.case.call.id]
    return [ProbeCase(check, case) for case in _small(runs.failed(check) or alone)]


def _right_cases(runs: CaseRuns) -> list[ProbeCase]:
    """Return some small cases that every check that looks at them finds right."""
    found: dict[str, ProbeCase] = {}
    for check in runs.checks:
        wrong = {case.call.id for case in runs.failed(check)}
        cases = [case for case in _small(check.cases) if case.call.id not in wrong]
        found |= {
            case.call.id: ProbeCase(check, case) for case in sample(cases[: len(cases) // 2 + 1], PASSING)
        }
    probes = list(found.values())
    return [probes[number * len(probes) // PASSING] for number in range(min(PASSING, len(probes)))]


def _in_turns(probes: Sequence[Sequence[ProbeCase]], most: int) -> list[ProbeCase]:
    """Return the first probe of each check, then the second of each, and so on, up to ``most`` probes."""
    mixed = (probe for each in zip_longest(*probes) for probe in each if probe is not None)
    return list(islice(mixed, most))


def _rungs(runs: CaseRuns, mended: frozenset[str]) -> list[ProbeCase]:
    """Return some small cases, from those that mistakes are shown on, of the checks that a repair mends.

    And of those that are lost although each of their cases is right, as where all answers are alike: an edit
    that mends others may make these wrong.
    """

    def is_asked(check: Check) -> bool:
        return check.id in mended or not (runs.failed(check) or runs.passes(check))

    ladders = [(check, check.ladder) for check in runs.checks if check.ladder and is_asked(check)]
    most = RUNGS // max(1, len(ladders))
    return [
        ProbeCase(check, case)
        for check, ladder in ladders
        for case in sample([*islice(ladder.rungs(), FIRST)], most)
    ]


def _of_all_sizes(runs: CaseRuns, mended: frozenset[str]) -> list[ProbeCase]:
    """Return some cases, from the smallest to the largest, that a repair has to leave right, or put right.

    Those of checks that it does not mend were right before.
    """
    checks = [check for check in runs.checks if check.looks_one_by_one]
    most = SIZES // max(1, len(checks))
    found = []
    for check in checks:
        wrong = () if check.id in mended else {case.call.id for case in runs.failed(check)}
        cases = [case for case in check.cases if not case.wave and case.call.id not in wrong]
        by_size = sorted(cases, key=lambda case: size_of(case.call))
        found += [ProbeCase(check, case) for case in sample(by_size, most)]
    return found


def _broad(checks: Iterable[Check]) -> list[Check]:
    """Return the checks with some of their cases, leaving out those with calls that take long."""
    some = [replace(check, cases=tuple(sample(_small(check.cases), BROAD))) for check in checks]
    return [check for check in some if check.cases]


# --- the place --------------------------------------------------------------------------------------


def _place(source: ReadableFile, repair: Repair, file: str) -> LookAt:
    edit = repair.edit
    first, last = _shown(source.functions, len(source.lines), edit.line)
    where = said("look_after" if edit.after else "look_at", line=edit.line, file=file)
    part = left_out(edit, source.text) if edit.kind == "needed" else ""
    question = said("look_needed_part", part=part) if part else said(f"look_{edit.kind}")
    lines = unified_diff(source.lines, edit.apply(source.text).split("\n"), lineterm="", n=0)
    return LookAt(
        file=file,
        line=edit.line,
        after=edit.after,
        message=said("look", where=where, question=question),
        kind=edit.kind,
        checks=tuple(sorted(repair.checks)),
        first_line=first,
        code=tuple(source.lines[first - 1 : last]),
        edit=tuple(line for line in islice(lines, 2, None) if not line.startswith("@@")),
    )


def left_out(edit: Edit, text: str) -> str:
    """Return the part of a line that an edit leaves out; empty for a whole statement, or what is longer."""
    if len(edit.splices) != 1:
        return ""
    start, end, new = edit.splices[0]
    old = text[start:end]
    before = _alike(old, new)
    after = _alike(old[before:][::-1], new[before:][::-1])
    part = old[before : len(old) - after].strip()
    return part if before + after == len(new) and len(part) <= _PART and "\n" not in part else ""


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _shown(functions: Sequence[tuple[int, int]], last: int, line: int) -> tuple[int, int]:
    """Return the first and last line to show around a line: those of its function, if they are few."""
    around = [(begin, end) for begin, end in functions if begin <= line <= end]
    first, last = around[-1] if around else (1, last)
    return max(first, line - _SHOWN), min(last, line + _SHOWN)
