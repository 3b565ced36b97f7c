"""A whole run of ``grader batch``: its options, its folder, the check before it, and the reports.

If the reference does not get full marks in this sandbox, by this rubric, nobody gets a mark. On the way, the
reference's answers to all cases are computed and the page templates compiled, once for all workers.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from glob import escape
from os import cpu_count
from pathlib import Path
from typing import Any, Final

from grader.batch.change_detection import ChangeDetector
from grader.batch.criteria_changes import tell_criteria
from grader.batch.deadlines import TOO_LATE, lateness_of_class, unknown_students, without_times_ahead
from grader.batch.handed_requests import find_handed, open_handed, without_requests_alone
from grader.batch.job import RETRIES, Course, Job
from grader.batch.journal import FILE, LOG, Journal
from grader.batch.ledger import LEDGER, chosen_numbers, put_right
from grader.batch.marks import marks_of
from grader.batch.open_results import (
    FILES_ASKED,
    assign_pseudonyms,
    digests_of,
    expect_files,
    load_options,
    tell_differences,
    tell_kept,
    with_pseudonyms,
    with_real_names,
    without_paths,
)
from grader.batch.orchestrator import Batch, Executor, Log, OpenClass, Tally
from grader.batch.progress import EndDisplay, Screen, display_for
from grader.batch.report.class_facts import FILE as FACTS
from grader.batch.report.class_facts import NAMES as PLOTS
from grader.batch.report.class_facts import ClassFacts, collect_facts, load
from grader.batch.report.class_page import NAMES, PAGE, STATE_FILE, ClassStanding
from grader.batch.report.similar_groups import FILE as ALIKE
from grader.batch.report.similar_groups import FOLDER as SIDE_BY_SIDE
from grader.batch.report.similarity import check_earlier, prepare_to_compare
from grader.batch.stop_signals import accept_signals
from grader.batch.workers import LocalWorkers, works_within
from grader.course.plan import load_plan
from grader.course.rubric import Rubric, digest_of
from grader.disk import hold, writing
from grader.errors import InputError, IntakeError, SandboxError
from grader.exports.chosen_students import (
    WITHOUT_WORK,
    Roster,
    join_some,
    load_students_without_work,
    read_roster,
)
from grader.exports.grades_csv import ITEMS, UNFINISHED, marked_unfinished
from grader.exports.grades_csv import NAME as TABLE
from grader.feedback import render_html
from grader.grading.engine import RESULTS, grade
from grader.intake import bulk_download, read_submission
from grader.intake.class_listing import ClassListing, find_hand_ins
from grader.intake.submissions import class_within
from grader.model import GradedSubmission, Limits, Submission
from grader.platforms.base import Grade
from grader.reader import Reader, reading_here
from grader.results import as_data, changes_between, tell_changes
from grader.sandbox.base import AUTO, BACKENDS, PATIENCE_SECONDS, Backend, choose
from grader.shipped import folder, template
from grader.text import visible

RESERVED: Final = (
    *(*NAMES, *PLOTS, LOG, FILE, LEDGER, FACTS, ITEMS),
    *(WITHOUT_WORK, ALIKE, SIDE_BY_SIDE, STATE_FILE, TOO_LATE, UNFINISHED),
)
"""These names are taken by files of the results, so no student's folder may have them."""


AFTERWARDS: Final = "repair it, then run the same command again"
"""What to do about a sandbox that does not work."""


def check_reference(
    course: Course,
    backend: Backend,
    tell: Callable[[str], None] = lambda _: None,
    *,
    patience: float = PATIENCE_SECONDS,
) -> None:
    """Grade the reference; if the sandbox fails, report it and wait, as workers do.

    Raises SandboxError if the reference does not get full marks, or the sandbox does not recover.
    """
    report = _grade_reference(course, backend, tell, patience)
    checks = [check for exercise in report.exercises for check in exercise.checks]
    lost = [each.id for each in checks if each.verdict.status != "passed" and not each.criteria]
    if lost:
        raise SandboxError(
            f"the lab's own answers get {report.score:g} of {report.max_score:g} points here "
            f"({', '.join(lost[:3])}), so nobody is graded: see grader doctor"
        )
    render_html(as_data(report), language=course.language)


def _grade_reference(
    course: Course, backend: Backend, tell: Callable[[str], None], patience: float
) -> GradedSubmission:
    for _ in range(RETRIES):
        try:
            return grade(_load_reference(course), course.plan, backend)
        except SandboxError as error:
            tell(f"the sandbox fails, and is waited for, {patience:g} seconds at most: {error}")
            if not works_within(patience, lambda: backend):
                raise SandboxError(f"{error}; it was waited for in vain: {AFTERWARDS}") from error
    return grade(_load_reference(course), course.plan, backend)


def _load_reference(course: Course) -> Submission:
    """Load the lab's reference, and those of the exercises that the course adds."""
    with reading_here():
        reference = read_submission(folder("reference"))
    own = {each.file: each.reference.encode() for each in course.plan.rubric.own_exercises if each.reference}
    return replace(reference, files={**reference.files, **own})


_WITHIN: Final = (
    "one folder holds several whole labs, and is taken for one student's: if it is a class, give: "
    "grader batch {} --students {} --out {}"
)


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """The options of ``grader batch``; where None is named, the folder's own is in force."""

    submissions: Path
    out: Path
    jobs: int | None = None
    sandbox: str | None = None
    rubric: Path | None = None
    language: str | None = None
    again: bool = False
    students: str | None = None
    """A glob, seen from the class, of what is one student's each; without it, this is what lies in it."""
    names: str | None = None
    """The form of the names of loose files; without it a platform's is recognised, or each is one student."""
    quiet: bool = False
    extensions: Path | None = None
    times: Path | None = None
    gradebook: Path | None = None
    pseudonyms: Path | None = None
    """The file that maps names to pseudonyms, where names are to be kept out of the results."""
    cluster: str | None = None
    against: Path | None = None
    explain: bool | None = None
    """Whether the grader searches for the line of the student's code that is wrong; by default it does."""
    taken_away: frozenset[str] = frozenset()
    """The options that are no longer in force."""

    @property
    def at_once(self) -> int:
        """How many submissions are graded at once on this machine."""
        return self.jobs or cpu_count() or 1

    def asked(self) -> dict[str, str | None]:
        """Return the options that the folder keeps, as it keeps them."""
        paths = {name: getattr(self, name) for name in FILES_ASKED}
        return {
            **{name: os.path.realpath(path) if path else None for name, path in paths.items()},
            "sandbox": self.sandbox or AUTO,
            "students": self.students,
            "names": self.names,
            "language": self.language,
            "explain": "no" if self.explain is False else None,
        }


def _kept_options(options: BatchOptions, before: ClassFacts | None) -> dict[str, str]:
    """Return the options that are in force without being named. Raises InputError."""
    asked = before.asked if before else {}
    if "pseudonyms" in options.taken_away and asked.get("pseudonyms"):
        raise InputError(
            "expected a key: results under pseudonyms stay under them; for names, grade into another folder",
            path=options.out,
        )
    return {
        name: value
        for name in options.asked()
        if (value := asked.get(name)) and getattr(options, name) is None and name not in options.taken_away
    }


def _with_kept(options: BatchOptions, kept: Mapping[str, str]) -> BatchOptions:
    """Return the options together with those that are kept."""
    typed: dict[str, Any] = {
        name: Path(value) if name in FILES_ASKED else value for name, value in kept.items()
    }
    if "explain" in kept:
        typed["explain"] = False
    return replace(options, **typed)


@dataclass(frozen=True, slots=True)
class Equipment:
    """The objects that one run of a batch works with."""

    course: Course
    backend: Backend
    journal: Journal
    log: Log


def grade_class(options: BatchOptions, *, only: Collection[str] = ()) -> int:
    """Grade a class; return the exit status: 0 if every submission has a mark, else 1.

    ``only`` names some submissions of a class that has results; submissions without results are then ignored.
    """
    template()  # checked now, what would otherwise fail after hours of grading
    before = load(options.out) if only else load_options(options.out)
    alone = before if only else None
    kept = _kept_options(options, before)
    options = _with_kept(options, kept)
    _check_places(options, kept, alone)
    with ExitStack() as stack:
        plan = load_plan(options.rubric, explain=options.explain is not False)
        found = _class(options, stack, requests=plan.rubric.requests is not None)
        named = without_times_ahead(found, options.out, datetime.now(UTC))
        if alone:
            _expect_rubric(alone, plan.rubric)
            named = _with_results(alone, options, named)
        lates = lateness_of_class(named.hand_ins, plan.rubric.late, options.times, options.extensions)
        roster = _roster(options, named, alone)
        missing = [*roster.without_work]
        is_alone = len(only) == 1 or (options.at_once == 1 and not options.cluster)
        backend, reason = choose(options.sandbox or AUTO, alone=is_alone)
        course = Course(plan, backend.name, options.language)
        with writing(options.out):
            options.out.mkdir(parents=True, exist_ok=True)
        stack.enter_context(hold(options.out))
        log = stack.enter_context(Log(options.out))
        journal = stack.enter_context(Journal(options.out))
        names = _names(options, named, journal)
        found = with_pseudonyms(named, names) if options.pseudonyms else named
        lates = {names[name]: late for name, late in lates.items()}
        chosen, right = chosen_numbers(options.out), put_right(options.out)
        class_ = [
            Job(
                each,
                lates[each.name],
                choices=chosen.get(each.name, {}),
                put_right=right.get(each.name),
                takes_requests=plan.rubric.requests is not None,
            )
            for each in found.hand_ins
        ]
        jobs = [job for job in class_ if not only or job.name in only]
        handed = list(find_handed(jobs, Reader.of(plan.limits)))
        jobs = without_requests_alone(jobs, handed, journal)
        facts = collect_facts(
            without_paths(found) if options.pseudonyms else found,
            course,
            {**options.asked(), "groups": before.asked.get("groups") if before else None},
            {} if options.pseudonyms else roster.names,
            digests=_digests(options, plan.rubric, alone),
        )
        log.tell("start", submissions=len(jobs), platform=found.platform, sandbox=reason)
        _say(options, _opening(found, reason, journal, all_again=options.again and not only))
        differing = tell_differences(before, facts) if before and journal.entries() else []
        criteria = tell_criteria(options.out, plan.rubric, journal)
        for line in (*tell_kept({} if only else kept), *differing, *criteria, *_notes(options, named)):
            _say(options, line)
        language = options.language or plan.rubric.language
        without_work = [] if options.pseudonyms else missing
        run = OpenClass(options.out, journal, facts, class_, without_work, language, log.tell)
        stack.enter_context(marked_unfinished(options.out, by_run=True))
        marks = marks_of(options.out, [each.name for each in found.hand_ins])
        _grade_again_from_elsewhere(options, jobs, journal)
        memory = ChangeDetector(options.out, journal, course, jobs)
        work = Equipment(course, backend, journal, log)
        if run.goes_on:
            run.write(None)
        tally, stopped = _bring_up_to_date(options, jobs, memory, work, run)
        run.save()
        for line in open_handed(options.out, journal, handed):
            _say(options, line)
        standing = _end(options, tally, work, run, stopped=stopped)
        memory.remember(name for name in tally.settled if name not in run.chosen)
        log.tell("end", graded=tally.graded, unchanged=tally.unchanged, faults=len(tally.faults))
        _say(options, _closing(tally, standing, missing, options.out))
        changes = changes_between(marks, marks_of(options.out, marks))
        _say(options, tell_changes(changes, len(found.hand_ins)) if marks else "")
    return _status(tally, stopped, len(jobs), options.out)


def _end(
    options: BatchOptions, tally: Tally, work: Equipment, run: OpenClass, *, stopped: bool
) -> ClassStanding:
    """Write the reports, and grade and write again as long as people decide meanwhile."""
    while True:
        stamp = run.save()
        if not stopped and (jobs := run.news()):
            again, stopped = _grade(options, jobs, work, run)
            tally.ended |= again.ended
            tally.reasons |= again.reasons
        accept_signals()  # the workers are gone: whoever asks once more gets no reports
        standing = run.write(EndDisplay(partial(_say, options)).tell)
        if stopped or run.end(stamp):
            return standing


def _bring_up_to_date(
    options: BatchOptions, jobs: Sequence[Job], memory: ChangeDetector, work: Equipment, run: OpenClass
) -> tuple[Tally, bool]:
    """Grade the submissions that have changed, without opening the others."""
    names = [] if options.again else [job.name for job in jobs if memory.is_unchanged(job)]
    tally, stopped = Tally(), False
    if changed := [job for job in jobs if job.name not in {*names}]:
        check_reference(work.course, work.backend, partial(_say, options))
        tally, stopped = _grade(options, changed, work, run)
    for name in names:
        work.log.tell("unchanged", submission=name)
    tally.ended = {**dict.fromkeys(names, "unchanged"), **tally.ended}
    return tally, stopped


def _grade_again_from_elsewhere(options: BatchOptions, jobs: Sequence[Job], journal: Journal) -> None:
    """Have what was graded in another sandbox than one that is asked for by name graded again."""
    here = f'\n "sandbox": "{options.sandbox}"'.encode()
    for path in (options.out / job.name / RESULTS for job in jobs if options.sandbox not in (None, AUTO)):
        if path.is_file() and here not in path.read_bytes():
            journal.grade_again(path.parent.name)


def _class(options: BatchOptions, stack: ExitStack, *, requests: bool) -> ClassListing:
    """Return the submissions in a folder, or in a platform's zip. Raises IntakeError."""
    source = options.submissions
    unpacked = bulk_download.Unpacked(source)
    if source.is_file():
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="maze-grader-")))
        unpacked = bulk_download.unpack(source, folder)
        source = unpacked.folder
    try:
        found = find_hand_ins(
            source,
            students=options.students or "",
            names=options.names or "",
            called=options.submissions,
            leave_out=options.out.resolve(),
            reserved=RESERVED,
            journal=FILE,
            broken=unpacked.broken,
            requests=requests,
        )
    except IntakeError as error:
        if source == options.submissions:
            raise
        reason = str(error).replace(str(source), str(options.submissions))
        raise IntakeError(reason.replace("the folder above", "the folder that the zip lies in")) from None
    told = found.told
    paths = [path for hand_in in found.hand_ins for path in hand_in.sources]
    inner = class_within(paths[0], Reader.of(Limits())) if len(paths) == 1 and not found.platform else None
    if inner is not None:
        glob = f"{escape(str(options.submissions / inner.relative_to(source)))}/*"
        told = (
            _WITHIN.format(*(shlex.quote(str(part)) for part in (options.submissions, glob, options.out))),
        )
    return replace(found, passed_over=(*found.passed_over, *unpacked.problems), told=told)


def _check_places(options: BatchOptions, kept: Mapping[str, str], alone: ClassFacts | None) -> None:
    """Raise InputError where a file that is needed is not there, or the results would lie on the work."""
    expect_files(kept, [name for name in FILES_ASKED if not (alone and name == "gradebook")], options.out)
    if options.against:
        check_earlier(options.against)
    if os.path.realpath(options.out) == os.path.realpath(options.submissions):  # of links in a circle, too
        raise InputError(
            "expected a folder other than that of the submissions: name another with --out", path=options.out
        )


def _expect_rubric(alone: ClassFacts, rubric: Rubric) -> None:
    """Raise InputError where some of a class would be graded by another rubric than the others."""
    if alone.digests and alone.digest != rubric.digest:
        raise InputError(
            "expected the rubric that the class was graded by, and it has changed since: put it back, or "
            "grade the class by it with grader batch",
            path=rubric.path,
        )


def _digests(options: BatchOptions, rubric: Rubric, alone: ClassFacts | None) -> dict[str, str]:
    """Return the digests of what the options name; where some are graded alone, some are of the last run."""
    asked = options.asked()
    found = digests_of({**asked, "gradebook": None} if alone else asked)
    return {**(alone.digests if alone else {}), **found, "rubric": digest_of(replace(rubric, explain=True))}


def _with_results(alone: ClassFacts, options: BatchOptions, named: ClassListing) -> ClassListing:
    """Return the class without submissions that have no results (some may have been forgotten)."""
    known = with_real_names(alone.found.hand_ins, options.pseudonyms).values()
    names = {each.name for each in known}
    return replace(named, hand_ins=tuple(each for each in named.hand_ins if each.name in names))


def _roster(options: BatchOptions, found: ClassListing, alone: ClassFacts | None) -> Roster:
    """Return the students whom the gradebook lists, or listed in the last run where some are graded alone."""
    if alone:
        return Roster(alone.names, tuple(load_students_without_work(options.out)))
    if options.gradebook is None:
        return Roster({}, ())
    came = [Grade(h.name, h.student, h.id, None, 0.0, "", h.platform, "") for h in found.hand_ins]
    return read_roster(found.platform, options.gradebook, came)


def _names(options: BatchOptions, named: ClassListing, journal: Journal) -> dict[str, str]:
    """Map each submission's own name to the name of its results. Raises InputError."""
    if options.pseudonyms:
        return assign_pseudonyms(named, options.pseudonyms, options.out, journal.entries().keys())
    return {hand_in.name: hand_in.name for hand_in in named.hand_ins}


def _grade(options: BatchOptions, jobs: Sequence[Job], work: Equipment, run: OpenClass) -> tuple[Tally, bool]:
    """Run the batch; return its tally, and whether it was interrupted and stopped in good order."""
    display = display_for(Screen(), len(jobs), quiet=options.quiet, then=", and then all are compared")

    def tell(event: str, **facts: Any) -> None:
        work.log.tell(event, **facts)
        display.tell(event, **facts)

    def tick(executor: Executor) -> None:
        display.tick(executor)
        run.tick(len(batch.tally.ended))

    batch = Batch(jobs, work.course, work.journal, tell, again=options.again, news=run.news)
    executor = _executor(options, work.course, len(jobs))
    try:
        run.save()
        with display:
            batch.run(executor, tick)
    except KeyboardInterrupt:
        work.log.tell("stopped")
        return batch.tally, True
    finally:
        executor.close()
    return batch.tally, False


def _executor(options: BatchOptions, course: Course, submissions: int) -> Executor:
    """Start workers on this machine, or connect to those of a cluster."""
    if options.cluster:
        from grader.batch.cluster import Cluster

        return Cluster(options.cluster, course)
    prepare_to_compare()
    count = min(options.at_once, submissions)
    return LocalWorkers(replace(course, is_compared=True), BACKENDS[course.sandbox], count)


def _say(options: BatchOptions, text: str) -> None:
    if text and not options.quiet:
        print(text, flush=True)


def _opening(found: ClassListing, reason: str, journal: Journal, *, all_again: bool) -> str:
    """Return the lines that are printed before grading begins."""
    there = journal.entries()
    known = sum(hand_in.name in there for hand_in in found.hand_ins)
    source = f" from {found.platform.title()}" if found.platform else ""
    lines = [reason, f"{len(found.hand_ins)} submission{'s' * (len(found.hand_ins) != 1)}{source}"]
    if known:
        what = "all" if all_again else "only what has changed"
        lines[-1] += f", {known} of them graded before: {what} is graded again"
    if found.passed_over:
        lines.append(f"passed over: {_name_some(found.passed_over)}")
    return "\n".join(lines)


def _notes(options: BatchOptions, named: ClassListing) -> Iterator[str]:
    """Yield what else is to be said before grading begins."""
    if options.pseudonyms and named.passed_over:
        yield f"passed over: {len(named.passed_over)}, which a run without --pseudonyms names"
    yield from named.told
    if strangers := unknown_students(named.hand_ins, options.times, options.extensions):
        yield f"in the tables of times, without a submission here: {join_some(strangers)}"


def _closing(tally: Tally, standing: ClassStanding, missing: Sequence[str], out: Path) -> str:
    """Return the lines printed at the end: where the whole class stands, as on the class page."""
    found = standing.counts
    counts = [f"{found['graded']} graded", f"{found['refused']} refused", f"{found['fault']} without a mark"]
    if found["undecided"]:
        counts.append(f"{found['undecided']} undecided")
    if found["waiting"]:
        counts.append(f"{found['waiting']} not graded yet")
    lines = [", ".join(counts) + (f"; {tally.unchanged} unchanged" if tally.unchanged else "")]
    if missing:
        lines.append(f"handed in nothing: {join_some(missing)}")
    if standing.gone:
        lines.append(f"no longer handed in, kept but not counted: {_name_some(standing.gone)}")
    return "\n".join([*lines, f"Class page: {out / PAGE}", f"Grades:     {out / TABLE}"])


def _name_some(names: Sequence[str]) -> str:
    """Return the first five names, and how many more there are."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"{', '.join(map(visible, names[:5]))}{more}"


def _status(tally: Tally, stopped: bool, total: int, out: Path) -> int:
    """Report what remains to be graded; return the exit status."""
    if stopped:
        done = f"{len(tally.ended)} of {total} submissions have their results"
        print(f"grader: stopped: {done}; the same command goes on", file=sys.stderr)
    elif tally.faults:
        whose = _with_reason(tally.faults)
        failed = f"the grader failed on {whose}: no mark was given; the same command tries again"
        print(f"grader: {failed}", file=sys.stderr)
    if tally.undecided and not stopped:
        whose = _with_reason(tally.undecided)
        asks = f"grader review {shlex.quote(str(out))} --next asks"
        print(f"grader: no mark was given to {whose}: {asks}", file=sys.stderr)
    return 1 if stopped or tally.faults or tally.undecided else 0


def _with_reason(found: Mapping[str, str]) -> str:
    """Return some names, and the reason of the last."""
    *_, reason = found.values()
    return f"{_name_some([*found])} ({visible(' '.join(reason.split()), limit=300)})"
