"""Grade one submission of a batch: from its files to the bytes of its results."""

from __future__ import annotations

import hashlib
import logging
import platform
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import hypothesis

from grader import shipped
from grader.batch.choices import choice_data, question_of, read_with_choices
from grader.batch.laid_out import as_text
from grader.course.plan import Plan
from grader.errors import InputError, SandboxError, Undecided, Unreached
from grader.grading.engine import Gate, Tell, grade
from grader.grading.pipeline import outputs_of
from grader.intake.class_listing import HandIn
from grader.languages import DEFAULT, catalogue
from grader.model import ChoiceJson, LateJson, Submission
from grader.reader import Reader
from grader.sandbox.base import Backend
from grader.text import shown
from lab.exercises import FILES

DECIDES: Final = (
    *("course", "exercises", "feedback", "grading", "inside", "intake", "languages", "model"),
    *("platforms", "repairs", "sandbox", "session"),
    *("errors.py", "points.py", "reader.py", "results.py", "shipped.py", "text.py"),
)
"""The parts of ``grader`` that decide the files of a result; a change of any other part regrades nothing."""
CODE_BYTES: Final = 64 * 1024
"""At most 64 KiB of a student's code are stored for the comparison with others'."""

_FILE: Final = b"# ====== "
"""A line that names the file below it begins with this."""

_LOG: Final = logging.getLogger("grader")


@dataclass(frozen=True, slots=True)
class Job:
    """One submission to grade."""

    hand_in: HandIn
    late: LateJson | None = None
    """What is known of its lateness, which does not affect how it is graded."""
    submission: Submission | None = None
    """Its files, where the worker cannot read them from the disk."""
    exercises: frozenset[str] | None = None
    """The ids of the exercises to grade; None for all."""
    choices: Mapping[str, int] = field(default_factory=dict)
    """What people chose where it was not clear what counts: the numbers of candidates, by question."""
    are_own_choices: bool = False
    """Whether the student chose, and not staff."""

    @property
    def name(self) -> str:
        """The name under which the results are filed."""
        return self.hand_in.name


@dataclass(frozen=True, slots=True)
class Course:
    """What all submissions of a batch share: the plan, the sandbox, the language, the gate."""

    plan: Plan
    sandbox: str
    language: str | None = None
    phases: str = ""
    """The name of the gate between the phases on each machine; empty where there is none."""

    at_once: int = 0
    """How many submissions are graded at once behind that gate; 0 for as many as there are workers."""

    exercises: str = ""
    """The ids of the exercises that are graded, joined by commas; empty for all."""

    def for_exercises(self, ids: frozenset[str] | None) -> Course:
        """Return the course with only these exercises; with all of them for None."""
        if ids is None:
            return self
        kept = tuple(each for each in self.plan.exercises if each.id in ids)
        return replace(self, plan=replace(self.plan, exercises=kept), exercises=",".join(sorted(ids)))

    def stamp(self) -> str:
        """Return everything but the submission that affects a result, such as the version of Hypothesis."""
        asked = f"{self.plan.rubric.digest}|{self.sandbox}|{self.language}"
        graded = f"{asked}|{sources_digest()}|{platform.python_version()}|{hypothesis.__version__}"
        return f"{graded}|{self.exercises}" if self.exercises else graded


@dataclass(frozen=True, slots=True)
class Done:
    """A result as it is written to the disk."""

    key: str
    results: bytes
    page: bytes
    staff: Mapping[str, bytes]
    """The files that only staff may see, by name."""
    code: bytes
    """The student's code, for the comparison with others."""
    seconds: float
    score: float
    max_score: float
    refused: str = ""
    """Why nothing of the submission could be read; empty where something could."""
    clock_bound: bool = False
    """Whether a clock, perhaps because of load, ended a call that decides about the result."""
    complaints: tuple[str, ...] = ()
    """What went wrong without affecting the mark: a box that could not be removed, a hint that failed."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The answer that the result on the disk is still valid."""


@dataclass(frozen=True, slots=True)
class MachineFault:
    """A failure of the machine or the grader; it says nothing about the student."""

    reason: str
    lasting: bool = False
    """Whether retrying is useless."""
    complaints: tuple[str, ...] = ()
    """What else went wrong, with the tracebacks of errors in the grader."""
    waits: bool = False
    """Whether its workers disappeared: the job is sent again, and the attempt does not count."""
    choice: ChoiceJson | None = None
    """What a person has to choose from before it can be graded."""


@dataclass(frozen=True, slots=True)
class ExerciseDone:
    """The message that the public checks of one exercise have been graded, before the whole result."""

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
    """Grade a submission unless its key is the known one; return every failure as an answer, too."""
    try:
        return _grade(job, course, backend, known, gate, tell)
    except (SandboxError, OSError, Unreached) as error:
        return fault_of(error, job.hand_in)
    except MemoryError:
        return MachineFault("the grader ran out of memory")
    except InputError as error:
        return MachineFault(f"the code of the exercise failed, repair it and grade again: {error}")
    except Exception as error:  # noqa: BLE001 - a bug of the grader costs no other result
        _LOG.exception("a mistake in the grader")
        return MachineFault(f"a mistake in the grader: {type(error).__name__}: {error}")


def fault_of(error: Exception, hand_in: HandIn) -> MachineFault:
    """Return the fault that an error of the machine is, or the question that undecided work asks."""
    reason = nameless(str(error), hand_in) or type(error).__name__
    if not isinstance(error, Undecided):
        return MachineFault(reason)
    told = [replace(each, name=nameless(each.name, hand_in)) for each in error.candidates]
    choice = choice_data(question_of(hand_in.name, error.candidates), told)
    return MachineFault(reason, lasting=True, choice=choice if told else None)


def nameless(reason: str, hand_in: HandIn) -> str:
    """Remove the names of the student's files from a reason if the student has a pseudonym."""
    for source in hand_in.sources if not hand_in.student else ():
        for name in (str(source), source.name, shown(source.name)):
            reason = reason.replace(name, hand_in.name)
    return reason


def _grade(
    job: Job, course: Course, backend: Backend, known: str | None, gate: Gate | None, tell: Tell
) -> Done | Unchanged:
    started = time.monotonic()
    reader = Reader.of(course.plan.limits)
    submission = job.submission or read_with_choices(
        job.hand_in, job.choices, reader, are_own=job.are_own_choices
    )
    course = course.for_exercises(job.exercises)
    key = key_of(submission, course)
    if key == known:
        return Unchanged()
    report = grade(submission, course.plan, backend, gate, tell, reader)
    found = outputs_of(report, course.plan.rubric, language=course.language, lateness=job.late)
    seconds = time.monotonic() - started
    refused = "" if submission.holds_an_exercise else _refusal(submission)
    return Done(
        *(key, found.results, found.page, found.staff, _code_within(submission, reader), seconds),
        *(found.data["score"], found.data["max_score"], refused, report.by_clock),
    )


def _refusal(submission: Submission) -> str:
    """Return why there was nothing to grade, in words."""
    words = catalogue(DEFAULT)
    told = sorted(
        (remark for remark in submission.remarks if remark.kind in ("note", "refused")),
        key=lambda remark: remark.kind == "refused",
    )
    return " ".join(words.say(remark.message) for remark in told)


def key_of(submission: Submission, course: Course) -> str:
    """Return a digest of everything that the result depends on."""
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


def _code_within(submission: Submission, reader: Reader) -> bytes:
    """Return the code of a submission; none if to lay it out takes too much."""
    is_short = sum(map(len, submission.files.values())) <= CODE_BYTES
    return code_of(submission) if is_short else reader.attempt(lambda: code_of(submission), bytes) or b""


def code_of(submission: Submission) -> bytes:
    """Join a submission's code into a text of up to CODE_BYTES: exercises first, each file below its name.

    Longer code is laid out anew first.
    """
    own = [path for path in submission.files if path.endswith(".py") and path not in FILES]
    files = {path: submission.files[path] for path in (*FILES, *sorted(own)) if path in submission.files}
    if sum(map(len, files.values())) > CODE_BYTES:
        files = {path: as_text(content).encode() for path, content in files.items()}
    return code_with(files)[:CODE_BYTES]


def code_with(files: Mapping[str, bytes]) -> bytes:
    """Join files into one text, each below a line that names it."""
    return b"\n".join(_FILE + path.encode("utf-8", "replace") + b"\n" + text for path, text in files.items())


def files_in(code: bytes) -> dict[str, bytes]:
    """Split what ``code_of`` joined into files by path; text before the first name has the empty path."""
    first, *parts = (b"\n" + code).split(b"\n" + _FILE)
    found = {"": first} if first.strip() else {}
    for part in parts:
        path, _, content = part.partition(b"\n")
        found[path.decode("utf-8", "replace")] = content
    return found


def sources_digest() -> str:
    """Return a digest of all sources that affect results: lab, reference, template, parts of the grader."""
    return shipped.digest("lab", "reference", "student_template", *(f"grader/{part}" for part in DECIDES))
