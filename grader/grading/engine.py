"""Grade one submission by a plan, from its files to its mark."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from json import dumps
from pathlib import Path
from random import Random

from grader.course import late_work
from grader.course.plan import Plan, load_plan
from grader.course.rubric import Rubric, apply_bonus
from grader.disk import write_together, writing
from grader.errors import InputError, Undecided
from grader.exercises.kit.check import PlannedExercise
from grader.exercises.kit.kind import Sources
from grader.exercises.registry import kind_of
from grader.feedback import render_html
from grader.feedback.text import format_result
from grader.grading.case_runs import MakeCalls, on_maze, what_came
from grader.grading.exercise_grading import ExerciseGrading, calls_of
from grader.grading.purse import Purse
from grader.grading.search_answers import SearchAnswers
from grader.grading.second_grading import FirstGrading
from grader.grading.verdicts import remarks, verdict_on
from grader.grading.why import Why
from grader.intake.choice import check_is_one_student
from grader.intake.names import decode_source, parse_source
from grader.intake.submissions import submission_at
from grader.languages import said
from grader.model import (
    Again,
    Call,
    CheckJson,
    CheckResult,
    Claim,
    ExerciseResult,
    Fault,
    GradedSubmission,
    LateJson,
    ResultsJson,
    Submission,
    Target,
    Verdict,
    note,
    plain_arguments,
)
from grader.reader import Reader
from grader.results import as_data, as_json, as_staff_data, check_data, tells_staff_more
from grader.sandbox.base import Backend, choose
from grader.session.session import MakeAnswers, Session
from grader.session.submission_limits import shares_of

# --- sources ----------------------------------------------------------------------------------------
# The Python files of a submission as trees, for the checks that look at them; nothing of them is run.


def sources_of(submission: Submission) -> Callable[[], Sources]:
    """Return a function that parses the files once, when it is first called."""

    def parse() -> Sources:
        files = {path: content for path, content in submission.files.items() if path.endswith(".py")}
        texts = {path: decode_source(content) for path, content in files.items()}
        return {path: None if text is None else parse_source(text) for path, text in texts.items()}

    return cache(parse)


# --- call order -------------------------------------------------------------------------------------
# Calls go into a box under names, and in an order, that say nothing of what is expected.
#
# Of a perfection checker one could else be right by counting.


_SAMPLE = 50
"""The order of all calls follows from the arguments of at most 50 of them: to write down all took 30 ms."""
_KEPT = 64
"""The order of 64 lists of calls is kept: those of a rubric are the same for every submission."""


def run_mingled(
    session: Session,
    target: Target,
    calls: Sequence[Call],
    alone: bool,
    *,
    answers: MakeAnswers | None = None,
) -> Sequence[Claim]:
    """Make the calls, each in a process of its own if ``alone``; return the claims in the order of ``calls``.

    If ``answers`` is given, solvers are handed a Search that it answers.
    """
    tells_version = any(call.version is not None for call in calls)
    numbered, places = _numbered(tuple(calls)) if tells_version else _kept(tuple(calls))
    claims = session.run(target, numbered, isolate=alone, answers=answers)
    return [claims[place].of_call(call.id) for call, place in zip(calls, places, strict=True)]


def _numbered(calls: tuple[Call, ...]) -> tuple[tuple[Call, ...], tuple[int, ...]]:
    """Return the calls as they are made, mingled and renamed, and the place of each given call among them."""
    order = mingled(calls)
    places = {call.id: place for place, call in enumerate(order)}
    numbered = tuple(replace(call, id=f"c{number}") for number, call in enumerate(order))
    return numbered, tuple(places[call.id] for call in calls)


_kept = lru_cache(maxsize=_KEPT)(_numbered)


def mingled(calls: Sequence[Call]) -> list[Call]:
    """Return the calls with their groups mingled, each group in its own order.

    The smallest calls of a group come first, so that a limit shows on the plainest. The order follows from
    the arguments of many calls, so that whoever sees one call cannot tell which comes next.
    """
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(call.group, []).append(call)
    turns = [group for group, members in groups.items() for _ in members]
    sample = calls[:: len(calls) // _SAMPLE + 1]
    Random(dumps([plain_arguments(call.arguments) for call in sample], sort_keys=True)).shuffle(turns)
    members = {group: iter(found) for group, found in groups.items()}
    return [next(members[group]) for group in turns]


Tell = Callable[[str, float, float], None]
"""``tell(exercise, earned, most)``: what is shown of an exercise has been graded."""


def grade(
    submission: Submission,
    plan: Plan,
    backend: Backend,
    tell: Tell = lambda *_: None,
    reader: Reader | None = None,
    again: Again | None = None,
) -> GradedSubmission:
    """Grade a submission in a session of its own: all that is shown, then all that is hidden.

    With ``again``, only what is graded once more. The ``reader`` has read the submission, and does all else
    that is done with its text. Raises SandboxError where the machine, not the submission, is at fault.
    """
    reader = reader or Reader.of(plan.limits)
    if again is not None:
        plan = replace(plan, exercises=tuple(each for each in plan.exercises if each.id in again.exercises))
    started, sources = time.perf_counter(), sources_of(submission)
    opened = Session(backend, plan.limits, submission, _shares(plan.exercises), again=again)
    opened.leftovers, purse = plan.rubric.leftovers, Purse()
    with _no_collection(), opened:
        exams = [
            ExerciseGrading(
                plan,
                kind_of(exercise.id).with_sources(exercise, sources, reader.decide),
                _answering(opened, exercise, submission, reader),
                _answering(opened, exercise, submission, reader, answers=SearchAnswers),
                opened.aside,
                Why(
                    exercise,
                    reader.attempt,
                    {id_: each.points for id_, each in plan.points.items()},
                    purse,
                ),
            )
            for exercise in plan.exercises
        ]
        search_is_wrong = again is not None and again.search_is_wrong
        follows = plan.rubric.follow_through == "full"
        search_is_wrong = _take_shown(exams, opened, tell, search_is_wrong, follows=follows)
        for exam in exams:
            exam.diagnose()
        if plan.rubric.explain:
            with opened.aside():
                lost = [exam for exam in exams if exam.asks_for_a_place]
                purse.share_out(len(lost))
                for exam in lost:
                    exam.look(submission.files)
        _take_hidden(exams, opened)
        timing = {"total": time.perf_counter() - started, **opened.timing}
    left = remarks(
        {exam.exercise.id: exam.left for exam in exams},
        {exam.exercise.id: exam.exercise.target.file for exam in exams},
        submission.files,
    )
    results = tuple(
        replace(
            exam.result(submission.files, reader.decide),
            remarks=left[exam.exercise.id],
        )
        for exam in exams
    )
    if (second := plan.rubric.second_marker) and second.draws(plan.rubric.seed, submission.name):
        results = tuple(map(partial(_marked_twice, differ=second.differ), results))
    has_erred = reader.has_erred or any(exam.has_erred for exam in exams)
    unexplained = [note(said("not_explained"))] if reader.is_beyond or opened.explains_no_more else []
    unexplained += [note(said("grader_erred"))] if has_erred else []
    return GradedSubmission(
        submission=submission.name,
        sandbox=backend.name,
        title=plan.rubric.title,
        isolation=backend.isolation,
        exercises=results,
        remarks=(
            *submission.remarks,
            *(remark for exam in exams for remark in exam.remarks),
            *unexplained,
        ),
        language=plan.rubric.language,
        timing=timing,
        again=None if again is not None else _again(plan, results, opened, search_is_wrong),
    )


def _marked_twice(result: ExerciseResult, differ: float) -> ExerciseResult:
    """Return the result with the word that two persons mark what persons mark of it."""
    checks = tuple(replace(each, differ=differ) if each.criteria else each for each in result.checks)
    return replace(result, checks=checks)


def _again(
    plan: Plan, results: Sequence[ExerciseResult], opened: Session, search_is_wrong: bool
) -> Again | None:
    """Return what is to be graded once more: what lost points to a clock, where its seconds are left."""
    lost = {each.id for each in results if each.lost_by_clock}
    exercises = [each for each in plan.exercises if each.id in lost]
    shares = _shares(exercises)
    paid = [each for each in exercises if opened.can_repeat(each.target, shares[each.target.file])]
    if not paid:
        return None
    keeps_search = all(each.kind != "script" for each in paid)
    return Again(
        tuple(each.id for each in paid),
        *opened.left,
        search_is_wrong=search_is_wrong and keeps_search,
        search_ends_loading=opened.search_ends_loading and keeps_search,
    )


def _shares(exercises: Sequence[PlannedExercise]) -> dict[str, float]:
    """Return the share of the time of each file that is run, by the calls that are planned of it."""
    planned = {exercise.target.file: 0 for exercise in exercises if kind_of(exercise.id).reads is None}
    for exercise in exercises:
        if exercise.target.file in planned:
            planned[exercise.target.file] += calls_of(exercise.checks)
    return shares_of(planned)


def _answering(
    opened: Session,
    exercise: PlannedExercise,
    submission: Submission,
    reader: Reader,
    answers: type[SearchAnswers] | None = None,
) -> MakeCalls:
    """Return what makes the calls of an exercise: the box, or the reading of a file that is never run."""
    reads = kind_of(exercise.id).reads
    if reads is None:
        return partial(run_mingled, opened, exercise.target, answers=answers)
    content = submission.files.get(exercise.target.file)
    if content is None:
        return lambda calls, _: [Claim(each.id, "missing", fault=Fault("no file", "")) for each in calls]
    value = cache(lambda: reads(lambda: decode_source(content), reader.decide))
    return lambda calls, _: [Claim(each.id, "returned", value()) for each in calls]


def _take_shown(
    exams: list[ExerciseGrading], opened: Session, tell: Tell, search_is_wrong: bool, *, follows: bool
) -> bool:
    """Grade what is shown of each exercise; return whether the submission's Search is wrong.

    Hidden mazes enter the box after everything else: nothing that is shown comes from a box that has seen
    them, whatever the submission may have left in it.
    """
    for exam in sorted(exams, key=lambda exam: exam.exercise.kind != "script"):
        if search_is_wrong and follows:
            opened.keep_half(exam.exercise.target)
        exam.grade_shown(search_is_wrong=search_is_wrong)
        search_is_wrong |= exam.exercise.kind == "script" and exam.lost_points
        opened.give(exam.exercise.target, kept=exam.part_hidden)
        tell(exam.exercise.id, *exam.points_shown)
    return search_is_wrong


def _take_hidden(exams: list[ExerciseGrading], opened: Session) -> None:
    """Grade what is hidden of each exercise, after all that is shown of all of them."""
    for exam in exams:
        exam.grade_hidden()
        opened.give(exam.exercise.target)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Switch off the collector of cycles.

    Claims are trees of plain data, thousands of them: it would look at all of them and at the whole plan,
    over and over, and find nothing.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


RESULTS, FEEDBACK = "results.json", "feedback.html"
STAFF, STAFF_PAGE = "staff.json", "staff.html"
"""The same with what students do not see; the page only where there is any such thing."""


def grade_one(
    path: Path, out: Path, sandbox: str, rubric: Path | None, language: str | None, *, explain: bool = True
) -> str:
    """Grade a folder or archive, write both files to ``out``, and return what to print.

    Raises GraderError; no file is written then.
    """
    plan = load_plan(rubric, explain=explain)
    reader = Reader.of(plan.limits)
    try:
        submission = submission_at(path, reader, check=check_is_one_student)
    except Undecided as error:
        raise InputError(f"{error}: leave only what counts, and give the same command again") from None
    backend, reason = choose(sandbox)
    print(reason, file=sys.stderr)
    if backend.name == "process":
        print(f"Warning: {backend.isolation}", file=sys.stderr)
    results = graded(submission, plan, backend, out, language, reader)
    shown = format_result(results, refused=not submission.holds_an_exercise)
    return f"{shown}\n\nFeedback: {out / FEEDBACK}\nResults:  {out / RESULTS}"


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files of one result, and what it comes to."""

    data: ResultsJson
    results: bytes
    page: bytes
    staff: Mapping[str, bytes]
    """What only staff may see, by the name of the file."""


def outputs_of(
    report: GradedSubmission,
    rubric: Rubric,
    *,
    language: str | None = None,
    lateness: LateJson | None = None,
    first: FirstGrading | None = None,
) -> Outputs:
    """Return the files of a report, or of the ``first`` grading and it, with the mark that remains.

    This is the one place that composes the mark. The rubric's price for what intake had to repair comes off
    first, then its bonus for test mazes is added, and then the cost of being late comes off.
    """

    def marked(data: ResultsJson) -> ResultsJson:
        repaired = late_work.apply_repairs(data, report, rubric.repair_cost)
        return late_work.apply(apply_bonus(repaired, rubric.my_mazes), lateness)

    both = (as_data(report), as_staff_data(report)) if first is None else first.with_second(report)
    data, for_staff = map(marked, both)
    staff = {STAFF: as_json(for_staff)}
    if tells_staff_more(*both):
        staff[STAFF_PAGE] = render_html(for_staff, language=language).encode()
    return Outputs(data, as_json(data), render_html(data, language=language).encode(), staff)


def graded_alone(
    submission: Submission,
    plan: Plan,
    backend: Backend,
    language: str | None = None,
    reader: Reader | None = None,
) -> Outputs:
    """Grade a submission, and again what a clock decided, and return the files of its result."""
    report = grade(submission, plan, backend, reader=reader)
    if (first := FirstGrading.of(report)) is not None:
        report = grade(submission, plan, backend, reader=reader, again=first.again)
    return outputs_of(report, plan.rubric, language=language, first=first)


def graded(
    submission: Submission,
    plan: Plan,
    backend: Backend,
    out: Path,
    language: str | None = None,
    reader: Reader | None = None,
) -> ResultsJson:
    """Grade a submission, and write its results, each file whole or not at all."""
    found = graded_alone(submission, plan, backend, language, reader)
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    write_results(out, found.results, found.page, found.staff)
    return found.data


def try_check(
    submission: Submission, plan: Plan, backend: Backend, check_id: str, maze: str | None = None
) -> CheckJson:
    """Ask a submission a check's first case, on this maze if it is given, and return what came of it.

    A check without mazes is asked all its cases. Nothing is marked by this. Raises InputError for a check
    that is not there, or asks about no maze; and SandboxError where the machine is at fault.
    """
    exercise = next((each for each in plan.exercises if check_id in {c.id for c in each.checks}), None)
    if exercise is None:
        there = ", ".join(check.id for each in plan.exercises for check in each.checks)
        raise InputError(f"expected a check of the rubric, got {check_id}; there are {there}")
    check = next(each for each in exercise.checks if each.id == check_id)
    cases = check.cases if check.cases[0].maze is None else check.cases[:1]
    if maze is not None:
        cases = (on_maze(cases[0], maze),)
    reader = Reader.of(plan.limits)
    with Session(backend, plan.limits, submission) as opened:
        opened.leftovers = plan.rubric.leftovers
        made = _answering(opened, exercise, submission, reader)(
            [case.call for case in cases], len(cases) == 1
        )
    claims = {claim.call: claim for claim in made}
    wrong = check.judge(cases, claims)
    if wrong is not None:
        verdict = verdict_on(exercise, check.id, wrong)
    else:
        came = what_came(exercise.id, cases[0], claims[cases[0].call.id])
        verdict = Verdict("passed", counterexample={"label": cases[0].label, "call": cases[0].code, **came})
    return check_data(CheckResult(check.id, check.title, 0.0, "public", verdict))


def write_results(folder: Path, results: bytes, page: bytes, staff: Mapping[str, bytes]) -> None:
    """Write the files of a result, and remove an earlier result's page for staff. Raises DiskError."""
    write_together(folder, {FEEDBACK: page, **staff, RESULTS: results}, gone=(STAFF, STAFF_PAGE))
