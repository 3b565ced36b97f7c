"""One submission of a batch, from its files to the bytes of its results: the same everywhere."""

from __future__ import annotations

import hashlib
import logging
import platform
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import hypothesis

from grader import shipped
from grader.course.plan import Plan
from grader.errors import InputError, SandboxError, Unreached
from grader.grading.engine import Tell, grade
from grader.grading.phases import Gate
from grader.grading.pipeline import outputs_of, session_for
from grader.intake.class_listing import HandIn
from grader.intake.hand_ins import read_hand_in
from grader.languages import DEFAULT, catalogue
from grader.model import LateJson, Report, Submission
from grader.sandbox.base import Backend
from grader.text import shown
from lab.exercises import FILES

DECIDES: Final = (
    *("course", "exercises", "feedback", "grading", "inside", "intake", "languages", "model"),
    *("platforms", "repairs", "sandbox", "session"),
    *("errors.py", "results.py", "shipped.py", "text.py"),
)
"""What of ``grader`` decides the files of a result; a change of anything else grades nothing again."""
CODE_BYTES: Final = 64 * 1024
"""At most 64 KiB of a student's code are kept to be compared with others'."""

_FILE: Final = b"# ====== "
"""What a line begins with that names the file below it."""

_LOG: Final = logging.getLogger("grader")


@dataclass(frozen=True, slots=True)
class Job:
    """One submission to grade."""

    hand_in: HandIn
    late: LateJson | None = None
    """What is known of its being late; no part of what is graded."""
    submission: Submission | None = None
    """Its files, where the worker cannot read them itself."""
    exercises: frozenset[str] | None = None
    """Those of the plan to grade; None for all."""

    @property
    def name(self) -> str:
        """What the results are filed under."""
        return self.hand_in.name


@dataclass(frozen=True, slots=True)
class Course:
    """What all submissions of a batch share."""

    plan: Plan
    sandbox: str
    language: str | None = None
    phases: str = ""
    """What the gate between the phases is called on each machine; without a name there is none."""

    at_once: int = 0
    """How many submissions are worked on at once behind that gate; with 0 as many as there are workers."""

    exercises: str = ""
    """The only exercises of the plan that are graded, where not all are."""

    def for_exercises(self, ids: frozenset[str] | None) -> Course:
        """The same with these exercises alone; with all of them where none are named."""
        if ids is None:
            return self
        kept = tuple(each for each in self.plan.exercises if each.id in ids)
        return replace(self, plan=replace(self.plan, exercises=kept), exercises=",".join(sorted(ids)))

    def stamp(self) -> str:
        """Return all but the submission that a result depends on; Hypothesis and Python draw its mazes."""
        asked = f"{self.plan.rubric.digest}|{self.sandbox}|{self.language}"
        graded = f"{asked}|{sources_digest()}|{platform.python_version()}|{hypothesis.__version__}"
        return f"{graded}|{self.exercises}" if self.exercises else graded


@dataclass(frozen=True, slots=True)
class Done:
    """A result, as it goes to the disk."""

    key: str
    results: bytes
    page: bytes
    staff: Mapping[str, bytes]
    """What only staff may see, by the name of the file."""
    code: bytes
    """The student's code, to be compared with others'."""
    seconds: float
    score: float
    max_score: float
    refused: str = ""
    """Why nothing of the submission could be read; empty where something could."""
    clock_bound: bool = False
    """A clock ended a call that decides what is told, and a busy machine may be why."""
    complaints: tuple[str, ...] = ()
    """What went wrong around a result that is whole: a box that could not be removed, a hint that failed."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The result that is on the disk is the one that would come out again."""


@dataclass(frozen=True, slots=True)
class MachineFault:
    """The machine or the grader failed; no word about the student."""

    reason: str
    lasting: bool = False
    """Trying again is no use."""
    complaints: tuple[str, ...] = ()
    """What else went wrong, with the trace of a mistake in the grader."""
    waits: bool = False
    """Its workers are gone, so this was no try: it is given out again when there are others."""


@dataclass(frozen=True, slots=True)
class ExerciseDone:
    """What is shown of an exercise has been graded, and others have not."""

    exercise: str
    score: float
    max_score: float


Answer = Done | Unchanged | MachineFault


def answer(
    job: Job,
    course: Course,
    backend: Backend,
    known: str | None,
    gate: Gate | None = None,
    tell: Tell = lambda *_: None,
) -> Answer:
    """Grade a submission, unless its key is the known one; every failure is an answer."""
    try:
        return _graded(job, course, backend, known, gate, tell)
    except (SandboxError, OSError, Unreached) as error:
        return MachineFault(nameless(str(error), job.hand_in) or type(error).__name__)
    except MemoryError:
        return MachineFault("the grader ran out of memory")
    except InputError as error:
        return MachineFault(f"the code of the exercise failed, mend it and grade again: {error}")
    except Exception as error:  # noqa: BLE001 - a mistake in the grader costs nobody else a result
        _LOG.exception("a mistake in the grader")
        return MachineFault(f"a mistake in the grader: {type(error).__name__}: {error}")


def nameless(reason: str, hand_in: HandIn) -> str:
    """Return a reason without the names of files, where the student has a pseudonym."""
    for source in hand_in.sources if not hand_in.student else ():
        for name in (str(source), source.name, shown(source.name)):
            reason = reason.replace(name, hand_in.name)
    return reason


def _graded(
    job: Job, course: Course, backend: Backend, known: str | None, gate: Gate | None, tell: Tell
) -> Done | Unchanged:
    started = time.monotonic()
    submission = job.submission or read_hand_in(job.hand_in)
    course = course.for_exercises(job.exercises)
    key = key_of(submission, course)
    if key == known:
        return Unchanged()
    session = session_for(submission, course.plan)
    report = grade(submission, course.plan, backend, gate, tell, session=session)
    found = outputs_of(report, course.plan.rubric, language=course.language, lateness=job.late)
    seconds = time.monotonic() - started
    refused = "" if submission.holds_an_exercise else _refusal(submission)
    return Done(
        *(key, found.results, found.page, found.staff, code_of(submission), seconds),
        *(found.data["score"], found.data["max_score"], refused, decided_by_clock(report)),
    )


def _refusal(submission: Submission) -> str:
    """Why there was nothing to grade."""
    words = catalogue(DEFAULT)
    told = sorted(
        (remark for remark in submission.remarks if remark.kind in ("note", "refused")),
        key=lambda remark: remark.kind == "refused",
    )
    return " ".join(words.say(remark.message) for remark in told)


def decided_by_clock(report: Report) -> bool:
    """Whether a clock, and no count of steps, decided about a check, or about a place to look at."""
    if any(exercise.look_timed_out for exercise in report.exercises):
        return True
    checks = (check for exercise in report.exercises for check in exercise.checks)
    return any((check.for_staff or check.verdict).status == "timeout" for check in checks)


def key_of(submission: Submission, course: Course) -> str:
    """A digest of everything that the result depends on."""
    digest = hashlib.sha256(course.stamp().encode())
    for part in _parts(submission):
        digest.update(f"{len(part)}:".encode() + part)
    return digest.hexdigest()


def _parts(submission: Submission) -> Iterator[bytes]:
    yield submission.name.encode()
    for remark in submission.remarks:
        yield repr(remark).encode("utf-8", "surrogatepass")
    for path, content in sorted(submission.files.items()):
        yield path.encode("utf-8", "surrogatepass")
        yield content


def code_of(submission: Submission) -> bytes:
    """The exercises, and other code, in a fixed order, each after a line that names it, up to the limit."""
    own = [path for path in submission.files if path.endswith(".py") and path not in FILES]
    paths = [path for path in (*FILES, *sorted(own)) if path in submission.files]
    return code_with({path: submission.files[path] for path in paths})[:CODE_BYTES]


def code_with(files: Mapping[str, bytes]) -> bytes:
    """Files as one code, each after a line that names it."""
    return b"\n".join(_FILE + path.encode("utf-8", "replace") + b"\n" + text for path, text in files.items())


def files_in(code: bytes) -> dict[str, bytes]:
    """The files that ``code_of`` put together, by their paths; what has no name has the empty one."""
    first, *parts = (b"\n" + code).split(b"\n" + _FILE)
    found = {"": first} if first.strip() else {}
    for part in parts:
        path, _, content = part.partition(b"\n")
        found[path.decode("utf-8", "replace")] = content
    return found


def sources_digest() -> str:
    """Return a digest of the lab, the reference, the template, and what of the grader decides results."""
    return shipped.digest("lab", "reference", "student_template", *(f"grader/{part}" for part in DECIDES))
