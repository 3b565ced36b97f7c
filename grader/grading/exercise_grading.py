"""One exercise of one submission: its calls are made, its checks judged, its mistakes explained."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from grader.course.plan import Plan
from grader.exercises.kit.check import Check, Claims, PlannedExercise, Wrong, sample
from grader.exercises.registry import kind_of
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.grading.handed_in import ReadByPerson, read_for_person
from grader.grading.verdicts import (
    PASSED,
    CounterexampleFinder,
    asked_again,
    blame_search,
    left_in,
    only_outcome,
    right_before,
    verdict_on,
)
from grader.grading.why import Why
from grader.languages import Message, catalogue, said
from grader.model import CheckResult, Claim, ExerciseResult, Json, Margin, OwnMazes, Remark, Verdict
from grader.reader import Read, read_here
from grader.session.connection import budget_of
from lab.leftovers import Leftover
from lab.proportion import Earned, in_proportion, part_given

OUTPUT_SHOWN = 4000
"""At most 4,000 characters of what the student's code printed are shown back."""
CASES_NOTED = 20
"""At most 20 cases, evenly from the smallest to the largest, are searched for what else there is to note."""
WORTH_TELLING = 0.02
"""Calls that take up to 0.02 seconds are far from every limit."""

NO_SEARCH = "SearchNotLoaded"
"""What the box raises at the use of a Search that cannot be had."""


@dataclass
class _Judged:
    """The outcome of one check."""

    check: Check
    wrong: Wrong | None
    """What the check found wrong; None where it passed."""
    follow_through: bool = False
    """Whether it passed only with a Search that works."""
    part: float = 0.0
    """The part of its points that it gives although it is lost."""
    may_rise: bool = False
    """Whether it is lost by some of its cases only, so that the rule of proportion may give a part of it."""
    blames_search: bool = False
    """Whether a note on the submission's Search takes the place of a hint."""
    wrong_mazes: tuple[str, ...] = ()
    """The names of the test mazes on which it found something wrong."""
    note: Message | None = None
    """What staff are told although it passed."""

    @property
    def is_not_asked(self) -> bool:
        """Whether nothing that was asked is wrong, but not all was asked."""
        return self.wrong is not None and self.wrong.finding.status == "not-asked"

    @property
    def is_unmarked(self) -> bool:
        """Whether a person has to look at what decides."""
        return self.wrong is not None and self.wrong.finding.status == "unmarked"

    @property
    def is_lost(self) -> bool:
        """Whether it has not passed, as far as that is known."""
        return self.wrong is not None and not self.is_unmarked

    @property
    def mistake(self) -> Wrong | None:
        """What is wrong and can be explained: it was asked, and it is written."""
        is_told = (
            self.is_not_asked
            or self.is_unmarked
            or (self.wrong is not None and self.wrong.finding.is_unwritten)
        )
        return None if is_told else self.wrong


class ExerciseGrading:
    """What is shown is graded first; what is hidden when that of all other exercises is, too."""

    def __init__(
        self,
        plan: Plan,
        exercise: PlannedExercise,
        make_calls: MakeCalls,
        make_with_working_search: MakeCalls,
        aside: Callable[[], AbstractContextManager[None]] = nullcontext,
        why: Why | None = None,
    ) -> None:
        """Set up the grading; calls that are made within ``aside`` do not affect later ones.

        ``why`` looks for the reason of what is wrong.
        """
        self.exercise, self._kind = exercise, kind_of(exercise.id)
        self._plan, self._make_calls, self._aside = plan, make_calls, aside
        self._make_with_working_search = make_with_working_search
        by_grader = [check for check in exercise.checks if not check.by_person]
        self._hidden = tuple(check for check in by_grader if _hides(check, plan))
        self._shown = tuple(check for check in by_grader if check not in self._hidden)
        self._stands_on_wrong_search = False
        self._judged: dict[str, _Judged] = {}
        self._output = self._drawn_from = ""
        self._gallery: tuple[dict[str, Json], ...] = ()
        self._margins: list[Margin] = []
        self._why = why or Why(exercise)
        self._wrong_share: float | None = None
        self.remarks: tuple[Remark, ...] = ()
        self.left: frozenset[Leftover] = frozenset()
        """What was passed over in the calls that are shown: what is hidden could be told by the lines."""

    @property
    def part_hidden(self) -> float:
        """The part of its calls that is planned for hidden checks."""
        return calls_of(self._hidden) / max(1, calls_of(self.exercise.checks))

    @property
    def has_erred(self) -> bool:
        """Whether a reason is lost to a mistake in the grader."""
        return self._why.has_erred

    @property
    def lost_points(self) -> bool:
        """Whether a check that was judged so far has not passed."""
        return any(each.is_lost and self._plan.points[id_].points for id_, each in self._judged.items())

    @property
    def points_shown(self) -> tuple[float, float]:
        """What was earned of what is shown, as it looks before the rest is graded, and what it is worth."""
        worth = {check.id: self._plan.points[check.id].points for check in self._shown}
        parts = {id_: 1.0 if self._judged[id_].wrong is None else self._judged[id_].part for id_ in worth}
        return sum(parts[id_] * points for id_, points in worth.items()), sum(worth.values())

    def grade_shown(self, *, search_is_wrong: bool) -> None:
        """Judge all checks but the hidden ones; solvers may build on a Search that is wrong."""
        runs = CaseRuns(self._shown, self._make_calls)
        runs.run(lambda claims: search_is_wrong and self._follows and self._uses_search(claims))
        self._stands_on_wrong_search = search_is_wrong and self._uses_search(runs.claims.values())
        followed = self._judge_all(runs)
        # the verdicts are final by now, and later ones are not affected
        showing = CounterexampleFinder(followed or runs, self._why.purse)
        with self._aside():
            for each in self._judged.values():
                if each.mistake is not None:
                    each.wrong = showing.plainest(each.check, each.mistake)
        if followed is not None or not self._stands_on_wrong_search:
            make_calls = self._make_calls if followed is None else self._make_with_working_search
            wrong = {id_: each.mistake for id_, each in self._judged.items() if each.mistake is not None}
            self._why.see(followed or runs, make_calls, wrong, asks=followed is not None)
        if self._kind.reads is None:  # what is read is counted part by part
            points = {check.id: self._plan.points[check.id].points for check in self._shown}
            self._wrong_share = (followed or runs).wrong_share(points)
        self._note_margins(runs)
        self.left = left_in([*runs.claims.values(), *(followed or runs).claims.values()])
        self.remarks = () if self._stands_on_wrong_search else self._noted(runs)
        self._output = _output(runs)
        self._note_name(runs)
        if any(each.wrong is None and self._plan.points[id_].points for id_, each in self._judged.items()):
            self._gallery = self._pictures()

    def diagnose(self) -> None:
        """Name what the answers share, by what is shown."""
        self._why.diagnose()

    @property
    def asks_for_a_place(self) -> bool:
        """Whether something is wrong in a file that is run."""
        return self._kind.reads is None and self._why.asks_for_a_place

    def look(self, files: Mapping[str, bytes]) -> None:
        """Find where the mistake is in the exercise's file, by what is shown, for a share of the purse."""
        self._why.locate(files)

    def grade_hidden(self) -> None:
        """Judge the hidden checks: by a Search that works alone, where what is shown passes by that only."""
        if any(self._judged[check.id].follow_through for check in self._shown):
            self._follow_through(self._hidden, {})
        elif self._hidden:
            runs = CaseRuns(self._hidden, self._make_calls)
            runs.run(lambda _: self._stands_on_wrong_search and self._follows)
            self._judge_all(runs)
            self._note_margins(runs)
            self._note_name(runs)

    def result(self, files: Mapping[str, bytes], read: Read = read_here) -> ExerciseResult:
        """Return all checks, in the order of the rubric, with what the submission's files tell beside.

        ``read`` reads what persons mark.
        """
        self._keep_in_proportion()
        judged = [*self._judged.values()]
        for_person = None
        if any(check.by_person for check in self.exercise.checks):
            content = files.get(self.exercise.target.file)
            for_person = read_for_person(self.exercise, content, read)
        results = tuple(
            self._result_of(self._judged[check.id])
            if for_person is None or not check.by_person
            else self._result_by_person(check, for_person)
            for check in self.exercise.checks
        )
        zeroed = any(each.wrong is not None and each.wrong.finding.decides for each in judged)
        if zeroed:
            results = tuple(map(_not_counted, results))
        result = ExerciseResult(
            *(self.exercise.id, self.exercise.title, results, self._output, self._gallery),
            drawn_from=self._drawn_from,
            zeroed=zeroed,
            wrong_share=self._wrong_share,
            margin=max(self._margins, key=lambda margin: margin.seconds / margin.limit, default=None),
            look_at=self._why.place,
            story=self._why.story,
            own_mazes=self._own_mazes(files),
            handed_in=None if for_person is None else for_person.shown,
        )
        return self._why.spelt_out(result, files.get(self.exercise.target.file))

    # --- verdicts ---------------------------------------------------------------------------------

    def _judge_all(self, runs: CaseRuns) -> CaseRuns | None:
        """Judge all checks of the runs; return those with a working Search, if there were any."""
        if self._stands_on_wrong_search and self._follows:
            lost = [check for check in runs.checks if not runs.passes(check)]
            self._judged |= {check.id: _Judged(check, None) for check in runs.checks if check not in lost}
            return self._follow_through(lost, runs.claims)
        for check in runs.checks:
            judged = self._judge(check, runs)
            judged.blames_search = judged.wrong is not None and self._stands_on_wrong_search
            self._judged[check.id] = judged
        return None

    def _judge(self, check: Check, runs: CaseRuns) -> _Judged:
        """Judge a check; a lost one may give a part of its points where some of its cases are right."""
        wrong, partial = runs.wrong(check), self._plan.rubric.partial
        mazes = _wrong_mazes(check, wrong, runs)
        if wrong is None or wrong.finding.part or not partial or wrong.finding.decides:
            part = 0.0 if wrong is None else wrong.finding.part
            note = check.note(runs.claims) if wrong is None and check.note is not None else None
            return _Judged(check, wrong, part=part, wrong_mazes=mazes, note=note)
        share = runs.share_right(check)
        is_right = runs.is_right_where_it_answered(check)
        part = part_given(share, partial, right_where_answered=is_right)
        return _Judged(check, wrong, part=part, may_rise=share > 0, wrong_mazes=mazes)

    def _keep_in_proportion(self) -> None:
        """Raise the parts that lost checks give, where the exercise would lose more than the rule allows.

        What a call leaves behind for the next is a mistake of its own, and is made good by no other check.
        """
        if self._wrong_share is None or not self._plan.rubric.partial:
            return
        lost = {id_ for id_, each in self._judged.items() if each.is_lost and not each.check.twins}
        earned = {
            id_: Earned(self._plan.points[id_].points, each.part if id_ in lost else 1.0, each.may_rise)
            for id_, each in self._judged.items()
        }
        for id_, part in in_proportion(earned, self._wrong_share).items():
            if id_ in lost:
                self._judged[id_].part = part

    def _follow_through(self, lost: Sequence[Check], claims: Claims) -> CaseRuns:
        """Judge checks again, with a Search that works, but for calls that were right; return those runs."""
        again = CaseRuns(asked_again(lost), self._make_with_working_search, right_before(lost, claims))
        again.run()
        for check in again.checks:
            judged = self._judge(check, again)
            judged.follow_through = judged.wrong is None
            self._judged[check.id] = judged
        return again

    @property
    def _follows(self) -> bool:
        """Whether what is lost by a wrong Search is asked once more, with one that works."""
        return self._plan.rubric.follow_through == "full"

    def _uses_search(self, claims: Collection[Claim]) -> bool:
        """Tell whether the solver put a cell into its Search, tried to, or may have failed to import it."""
        if not self._kind.may_use_search:
            return False
        stages = ("import",) if self._follows else ()
        return any(
            (claim.fault is not None and (claim.fault.kind == NO_SEARCH or claim.fault.stage in stages))
            or any(run.used_search for run in claim.runs)
            or (claim.data is not None and claim.data.used_search)
            for claim in claims
        )

    # --- words --------------------------------------------------------------------------------------

    def _result_of(self, judged: _Judged) -> CheckResult:
        check, planned = judged.check, self._plan.points[judged.check.id]
        verdict = whole = (
            PASSED if judged.wrong is None else verdict_on(self.exercise, check.id, judged.wrong)
        )
        is_known = judged.is_not_asked and any(self._judged[each.id].is_not_asked for each in self._shown)
        # students learn of such a check only whether it passed
        is_hidden = check.id in {hidden.id for hidden in self._hidden}
        if is_hidden and self._plan.rubric.hidden_feedback != "full" and not is_known:
            told = self._not_loaded() or self._kind_of(judged.wrong)
            # whether anything was found to grade is judged by the shown checks
            wrong = [self._judged[check.id].wrong for check in self._shown]
            statuses = {None if each is None else each.finding.status for each in wrong}
            verdict = only_outcome(verdict, all_missing=statuses == {"missing"}, told=told)
        for_staff = whole if whole != verdict else None
        if judged.note is not None:
            for_staff = replace(PASSED, message=judged.note)
        if judged.part and verdict.status != "not-asked":
            verdict = replace(verdict, status="failed")
        if judged.blames_search:
            verdict = blame_search(verdict, self.exercise.target.name)
        verdict = self._why.hinted(check.id, verdict, catalogue(self._plan.rubric.language))
        return CheckResult(
            *(check.id, check.title, planned.points, planned.visibility, verdict),
            follow_through=judged.follow_through,
            part=judged.part,
            for_staff=for_staff,
            wrong_mazes=judged.wrong_mazes,
            by_clock=whole.status == "timeout",
        )

    def _result_by_person(self, check: Check, for_person: ReadByPerson) -> CheckResult:
        """Return a check that waits for a person, if there is anything to mark."""
        planned = self._plan.points[check.id]
        shown = [self._judged[each.id].wrong for each in self._shown]
        is_unwritten = bool(shown) and all(each is not None and each.finding.is_unwritten for each in shown)
        verdict = for_person.verdict(check, is_unwritten=is_unwritten)
        return CheckResult(
            *(check.id, check.title, planned.points, planned.visibility, verdict),
            criteria=planned.criteria,
            shows=check.shows,
        )

    def _not_loaded(self) -> Message | None:
        """Return that no case was tried, where that is known by the shown checks: the file cannot be loaded,
        or the class not made."""
        faults = [
            each.finding.fault if (each := self._judged[check.id].wrong) else None for check in self._shown
        ]
        if faults and all(fault is not None and fault.stage != "call" for fault in faults):
            return said("hidden_not_loaded", name=self.exercise.target.name)
        return None

    def _kind_of(self, wrong: Wrong | None) -> Message | None:
        """Return the sentence with the kind of case that a hidden check failed on, where the rubric lets
        students know it."""
        is_failed = wrong is not None and wrong.finding.status != "not-asked"
        if wrong is None or not is_failed or self._plan.rubric.hidden_feedback != "kind":
            return None
        name = self._kind.hidden_kind(wrong.case)
        return said("hidden_kind", kind=said(f"kind_{name}")) if name else None

    # --- what is told beside them ----------------------------------------------------------------

    def _noted(self, runs: CaseRuns) -> tuple[Remark, ...]:
        """Return the remarks on work that is right but not quite what was asked for."""
        noted, checks = self._kind.noted, {check.id: check for check in runs.checks}
        check = checks.get(f"{self.exercise.id}.{noted.check}") if noted is not None else None
        if noted is None or check is None or runs.wrong(check):
            return ()
        cases = [(case, runs.claims[case.call.id]) for case in sample(check.cases, CASES_NOTED)]
        target, messages = self.exercise.target, noted.messages(self.exercise, cases)
        return tuple(Remark("accepted", target.name, target.file, message) for message in messages)

    def _pictures(self) -> tuple[dict[str, Json], ...]:
        """Return some of the mazes that the submission makes, as results.json shows them."""
        gallery, cases = self._kind.gallery, self._plan.gallery.get(self.exercise.id, ())
        if gallery is None or not cases:
            return ()
        claims = self._make_calls([case.call for case in cases], False)
        pictures = (gallery.picture(case, claim) for case, claim in zip(cases, claims, strict=True))
        return tuple(picture for picture in pictures if picture is not None)

    def _note_name(self, runs: CaseRuns) -> None:
        """Record the name from which the cases were drawn, of an exercise that is read."""
        named = (self._kind.drawn_from(claim) for claim in runs.claims.values())
        self._drawn_from = self._drawn_from or next(named, "")

    def _own_mazes(self, files: Mapping[str, bytes]) -> OwnMazes | None:
        """Return what there is to say of test mazes that were handed in, if the exercise takes any."""
        handed_in, mazes = self._kind.own_mazes, self._plan.rubric.mazes
        if handed_in is None or not handed_in.among(files):
            return None
        shown = (maze for maze in mazes if maze.visibility == "public" and self.exercise.id in maze.exercises)
        texts = [maze.text for maze in shown]
        return self._why.read(lambda: handed_in.examine(files, texts), OwnMazes)

    def _note_margins(self, runs: CaseRuns) -> None:
        """Record how close the calls came to their time limits."""
        for id_, case in runs.cases.items():
            seconds = runs.claims[id_].cpu_seconds if id_ in runs.claims else 0.0
            if seconds > WORTH_TELLING:
                limit = budget_of(case.call, self._plan.limits).cpu_seconds
                self._margins.append(Margin(case.label, seconds, limit))


def calls_of(checks: Sequence[Check]) -> int:
    """Return how many calls are planned for checks."""
    return len({case.call.id for check in checks for case in (*check.cases, *check.controls)})


def _hides(check: Check, plan: Plan) -> bool:
    return plan.points[check.id].visibility == "hidden" or any(case.hidden for case in check.cases)


def _wrong_mazes(check: Check, wrong: Wrong | None, runs: CaseRuns) -> tuple[str, ...]:
    """Return the names of the test mazes on which a lost check fails, each maze judged separately."""
    if wrong is None:
        return ()
    named = [(case, dict(case.label.values).get("name")) for case in check.cases]
    tried = [(case, name) for case, name in named if isinstance(name, str) and case.call.id in runs.claims]
    return tuple(dict.fromkeys(name for case, name in tried if check.judge((case,), runs.claims)))


def _output(runs: CaseRuns) -> str:
    """Return what was printed, as far as it is shown."""
    printed = dict.fromkeys(claim.output for claim in runs.claims.values() if claim.output)
    text = "".join(printed)
    return text if len(text) <= OUTPUT_SHOWN else text[:OUTPUT_SHOWN] + "\n…"


def _not_counted(result: CheckResult) -> CheckResult:
    """Return the result of a check in an exercise that earns nothing: it is skipped unless it is lost."""
    if result.verdict.status not in ("passed", "unmarked"):
        return replace(result, part=0.0)
    return replace(result, verdict=Verdict("skipped", said("not_counted")))
