"""A whole run of ``grader batch``: its options, its folder, the check before it, and the reports.

If the reference does not get full marks in this sandbox, by this rubric, nobody gets a mark. On the way, the
reference's answers to all cases are computed and the page templates compiled, once for all workers.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import Any, Final

from grader.batch.deadlines import lateness_of_class, unknown_students
from grader.batch.job import ChangeDetector, Course, Job
from grader.batch.journal import FILE, Journal, hold
from grader.batch.marks import LEDGER, chosen_numbers
from grader.batch.open_results import assign_pseudonyms, with_pseudonyms, with_real_names, without_paths
from grader.batch.orchestrator import LOG, RETRIES, Batch, Executor, Log, Tally
from grader.batch.phase_gate import named_gate
from grader.batch.progress import Screen, display_for
from grader.batch.report.class_facts import FILE as FACTS
from grader.batch.report.class_facts import NAMES as PLOTS
from grader.batch.report.class_facts import collect_facts, load
from grader.batch.report.class_page import NAMES, PAGE, STATE_FILE, ClassStanding, update_reports
from grader.batch.report.similar_groups import FILE as ALIKE
from grader.batch.report.similar_groups import FOLDER as SIDE_BY_SIDE
from grader.batch.report.similarity import check_earlier
from grader.batch.stop_signals import accept_signals
from grader.batch.workers import LocalWorkers, workers_for, works_within
from grader.course.plan import load_plan
from grader.disk import writing
from grader.errors import InputError, IntakeError, SandboxError, Undecided
from grader.exports.chosen_students import WITHOUT_WORK, Roster, join_some, read_roster
from grader.exports.grades_csv import ITEMS, UNFINISHED, marked_unfinished
from grader.exports.grades_csv import NAME as TABLE
from grader.feedback import render_html
from grader.grading.engine import grade
from grader.intake import bulk_download, read_submission
from grader.intake.class_listing import ClassListing, find_hand_ins
from grader.model import Report, Submission
from grader.platforms.base import Grade
from grader.results import as_data
from grader.sandbox.base import BACKENDS, PATIENCE_SECONDS, Backend, choose
from grader.shipped import folder, template
from grader.text import visible

RESERVED: Final = (
    *(*NAMES, *PLOTS, LOG, FILE, LEDGER, FACTS, ITEMS),
    *(WITHOUT_WORK, ALIKE, SIDE_BY_SIDE, STATE_FILE, UNFINISHED),
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
    lost = [c.id for e in report.exercises for c in e.checks if c.verdict.status != "passed"]
    if lost:
        raise SandboxError(
            f"the lab's own answers get {report.score:g} of {report.max_score:g} points here "
            f"({', '.join(lost[:3])}), so nobody is graded: see grader doctor"
        )
    render_html(as_data(report), language=course.language)


def _grade_reference(
    course: Course, backend: Backend, tell: Callable[[str], None], patience: float
) -> Report:
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
    reference = read_submission(folder("reference"))
    own = {each.file: each.reference.encode() for each in course.plan.rubric.own_exercises}
    return replace(reference, files={**reference.files, **own})


FILES_ASKED: Final = ("submissions", "rubric", "extensions", "times", "gradebook", "pseudonyms", "against")
"""These options name a file or a folder."""
_DEEPER: Final = (
    "each folder is one student, and all of them hold nothing but folders: if they are sections, add "
    "--students {glob}"
)


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """The options of ``grader batch``."""

    submissions: Path
    out: Path
    jobs: int | None = None
    sandbox: str = "auto"
    rubric: Path | None = None
    language: str | None = None
    resume: bool = False
    again: bool = False
    students: str | None = None
    """A glob, seen from the class, of what is one student's each; None for what lies directly in it."""
    quiet: bool = False
    extensions: Path | None = None
    times: Path | None = None
    gradebook: Path | None = None
    pseudonyms: Path | None = None
    """The file that maps names to pseudonyms, where names are to be kept out of the results."""
    cluster: str | None = None
    against: Path | None = None
    explain: bool = True
    """Whether the grader searches for the line of the student's code that is wrong."""


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
    if options.against:
        check_earlier(options.against)
    if os.path.realpath(options.out) == os.path.realpath(options.submissions):  # of links in a circle, too
        raise InputError(
            "expected a folder other than that of the submissions: name another with --out", path=options.out
        )
    with ExitStack() as stack:
        plan = load_plan(options.rubric, explain=options.explain)
        named = _class(options, stack)
        if only:
            named = _with_results(options, named)
        lates = lateness_of_class(named.hand_ins, plan.rubric.late, options.times, options.extensions)
        roster = _roster(options, named)
        missing = [*roster.without_work]
        strangers = unknown_students(named.hand_ins, options.times, options.extensions)
        backend, reason = choose(options.sandbox)
        course = Course(plan, backend.name, options.language, stack.enter_context(named_gate()))
        with writing(options.out):
            options.out.mkdir(parents=True, exist_ok=True)
        stack.enter_context(hold(options.out))
        log = stack.enter_context(Log(options.out))
        journal = stack.enter_context(Journal(options.out))
        names = _names(options, named, journal)
        found = with_pseudonyms(named, names) if options.pseudonyms else named
        lates = {names[name]: late for name, late in lates.items()}
        graded = [each for each in found.hand_ins if not only or each.name in only]
        chosen = chosen_numbers(options.out)
        jobs = [Job(each, lates[each.name], choices=chosen.get(each.name, {})) for each in graded]
        log.tell("start", submissions=len(jobs), platform=found.platform, sandbox=reason)
        _say(options, _opening(found, reason, journal, options))
        if options.pseudonyms and named.passed_over:
            count = len(named.passed_over)
            _say(options, f"passed over: {count}, which a run without --pseudonyms names")
        if named.may_lie_deeper:
            _say(options, _DEEPER.format(glob=shlex.quote(str(options.submissions / "*" / "*"))))
        if strangers:
            _say(options, f"in the tables of times, without a submission here: {join_some(strangers)}")
        stack.enter_context(marked_unfinished(options.out))
        memory = ChangeDetector(options.out, journal, course, jobs)
        tally, stopped = _bring_up_to_date(options, jobs, memory, Equipment(course, backend, journal, log))
        accept_signals()  # the workers are gone: whoever asks once more gets no reports
        facts = collect_facts(
            without_paths(found) if options.pseudonyms else found,
            course,
            _options_to_store(options),
            {} if options.pseudonyms else roster.names,
        )
        standing = update_reports(options.out, facts, journal, lates, [] if options.pseudonyms else missing)
        memory.remember(tally.settled)
        log.tell("end", graded=tally.graded, unchanged=tally.unchanged, faults=len(tally.faults))
        _say(options, _closing(tally, standing, missing, options.out))
    return _status(tally, stopped, len(jobs), options.out)


def _bring_up_to_date(
    options: BatchOptions, jobs: Sequence[Job], memory: ChangeDetector, work: Equipment
) -> tuple[Tally, bool]:
    """Grade the submissions that have changed, without opening the others."""
    unchanged = [] if options.again else [job for job in jobs if memory.is_unchanged(job)]
    names = {job.name: None for job in unchanged}
    changed = [job for job in jobs if job.name not in names]
    tally, stopped = Tally(), False
    if changed:
        check_reference(work.course, work.backend, partial(_say, options))
        tally, stopped = _grade(options, changed, work.course, work.journal, work.log)
    for name in names:
        work.log.tell("unchanged", submission=name)
    tally.unchanged += len(names)
    tally.settled += names
    return tally, stopped


def _options_to_store(options: BatchOptions) -> dict[str, str | None]:
    """Return the options that affect grading, so that a submission can be graded again later."""
    paths = {name: getattr(options, name) for name in FILES_ASKED}
    told = {name: str(path.resolve()) if path else None for name, path in paths.items()}
    explain = None if options.explain else "no"
    return {
        **told,
        "sandbox": options.sandbox,
        "students": options.students,
        "language": options.language,
        "explain": explain,
    }


def _class(options: BatchOptions, stack: ExitStack) -> ClassListing:
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
            leave_out=options.out.resolve(),
            reserved=RESERVED,
            journal=FILE,
            broken=unpacked.broken,
        )
    except IntakeError as error:
        if source == options.submissions:
            raise
        reason = str(error).replace(str(source), str(options.submissions))
        raise IntakeError(reason.replace("the folder above", "the folder that the zip lies in")) from None
    return replace(found, passed_over=(*found.passed_over, *unpacked.problems))


def _with_results(options: BatchOptions, named: ClassListing) -> ClassListing:
    """Return the class without submissions that have no results (some may have been forgotten)."""
    known = with_real_names(load(options.out).found.hand_ins, options.pseudonyms).values()
    names = {each.name for each in known}
    return replace(named, hand_ins=tuple(each for each in named.hand_ins if each.name in names))


def _roster(options: BatchOptions, found: ClassListing) -> Roster:
    """Return the students whom the gradebook lists; empty without a gradebook."""
    if options.gradebook is None:
        return Roster({}, ())
    came = [Grade(h.name, h.student, h.id, None, 0.0, "", h.platform, "") for h in found.hand_ins]
    return read_roster(found.platform, options.gradebook, came)


def _names(options: BatchOptions, named: ClassListing, journal: Journal) -> dict[str, str]:
    """Map each submission's own name to the name of its results. Raises InputError."""
    if options.pseudonyms:
        return assign_pseudonyms(named, options.pseudonyms, options.out, journal.entries().keys())
    if (options.out / FACTS).is_file() and load(options.out).asked.get("pseudonyms"):
        raise InputError(
            "there are results under pseudonyms: name their key with --pseudonyms", path=options.out
        )
    return {hand_in.name: hand_in.name for hand_in in named.hand_ins}


def _grade(
    options: BatchOptions, jobs: Sequence[Job], course: Course, journal: Journal, log: Log
) -> tuple[Tally, bool]:
    """Run the batch; return its tally, and whether it was interrupted and stopped in good order."""
    display = display_for(Screen(), len(jobs), quiet=options.quiet)

    def tell(event: str, **facts: Any) -> None:
        log.tell(event, **facts)
        display.tell(event, **facts)

    batch = Batch(jobs, course, journal, tell, again=options.again)
    executor = _executor(options, course, len(jobs))
    try:
        with display:
            batch.run(executor, display.tick)
    except KeyboardInterrupt:
        log.tell("stopped")
        return batch.tally, True
    finally:
        executor.close()
    return batch.tally, False


def _executor(options: BatchOptions, course: Course, submissions: int) -> Executor:
    """Start workers on this machine, or connect to those of a cluster."""
    if options.cluster:
        from grader.batch.cluster import Cluster

        return Cluster(options.cluster, course)
    jobs = options.jobs or cpu_count() or 1
    count = workers_for(min(jobs, submissions))
    return LocalWorkers(replace(course, at_once=jobs), BACKENDS[course.sandbox], count)


def _say(options: BatchOptions, text: str) -> None:
    if not options.quiet:
        print(text, flush=True)


def _opening(found: ClassListing, reason: str, journal: Journal, options: BatchOptions) -> str:
    """Return the lines that are printed before grading begins."""
    there = journal.entries()
    known = sum(hand_in.name in there for hand_in in found.hand_ins)
    source = f" from {found.platform.title()}" if found.platform else ""
    lines = [reason, f"{len(found.hand_ins)} submission{'s' * (len(found.hand_ins) != 1)}{source}"]
    if known:
        what = "all" if options.again else "only what has changed"
        lines[-1] += f", {known} of them graded before: {what} is graded again"
    elif options.resume:
        lines[-1] += f", none of them graded before in {options.out}: all are graded"
    if found.passed_over:
        lines.append(f"passed over: {_name_some(found.passed_over)}")
    return "\n".join(lines)


def _closing(tally: Tally, standing: ClassStanding, missing: Sequence[str], out: Path) -> str:
    """Return the lines printed at the end: where the whole class stands, as on the class page."""
    found = standing.counts
    counts = [f"{found['graded']} graded", f"{found['refused']} refused", f"{found['fault']} without a mark"]
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
        done = f"{tally.count} of {total} submissions have their results"
        print(f"grader: stopped: {done}; go on with --resume", file=sys.stderr)
    elif tally.faults:
        reason, names = visible(" ".join(tally.reason.split()), limit=300), _name_some(tally.faults)
        if tally.reason.startswith(Undecided.OPENING):
            failed = f"no mark was given to {names} ({reason}): grader review {out} --next asks"
        else:
            failed = f"the grader failed on {names} ({reason}): no mark was given; try again with --resume"
        print(f"grader: {failed}", file=sys.stderr)
    return 1 if stopped or tally.faults else 0
