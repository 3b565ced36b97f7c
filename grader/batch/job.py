"""Grade one submission of a batch: what counts of it, and the bytes of its results.

The question that undecided work asks, which attempt or file counts, is known by its candidates, so that an
answer holds as long as these are the same, and no longer. The answer is the number of a candidate, from 1, in
the order in which they are listed.
"""

from __future__ import annotations

import hashlib
import json
import logging
import platform
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import hypothesis

from grader import shipped
from grader.batch.code_text import code_within
from grader.course.plan import Plan
from grader.course.rubric import SHIPPED
from grader.course.rules import CourseRules
from grader.errors import Candidate, InputError, SandboxError, Undecided, Unreached
from grader.feedback import render_tried
from grader.grading.engine import Tell, grade, outputs_of, try_check
from grader.grading.second_grading import FirstGrading
from grader.intake.class_listing import HandIn, request_in, with_files
from grader.intake.submissions import submission_at, submission_of
from grader.languages import DEFAULT, catalogue, said
from grader.model import CandidateJson, ChoiceJson, LateJson, Remark, Submission, note
from grader.reader import Reader
from grader.sandbox.base import Backend
from grader.text import shown


def read_with_choices(
    hand_in: HandIn, choices: Mapping[str, int], reader: Reader, *, are_own: bool = False
) -> Submission:
    """Read a submission; where it is undecided, take what a person chose (``choices``: numbers by question).

    The student is told what counts, and whether the choices ``are_own``. Raises Unreached and Undecided.
    """
    chosen, told = list[str](), list[Remark]()
    while True:
        try:
            read = submission_of(hand_in, reader, chosen=chosen)
            return replace(read, remarks=(*read.remarks, *told))
        except Undecided as error:
            number = choices.get(question_of(hand_in.name, error.candidates), 0)
            if not 1 <= number <= len(error.candidates) or error.candidates[number - 1].name in chosen:
                raise
            chosen.append(error.candidates[number - 1].name)
            count, source = len(error.candidates), shown(_called(error.candidates, hand_in)[number - 1])
            why = said("intake_own_choice" if are_own else "intake_chosen", count=count, source=source)
            told.append(note(why))


def read_work(job: Job, reader: Reader) -> tuple[Submission, str]:
    """Return what is graded, and a digest of what was handed in. Raises Unreached and Undecided."""
    if job.submission:
        return job.submission, job.work
    right = job.put_right
    try:
        read = read_with_choices(job.hand_in, job.choices, reader, are_own=job.are_own_choices)
    except Undecided as error:
        if right is None or right.of != question_of(job.name, error.candidates):
            raise
        return _read_put_right(right, job, reader), right.of
    if job.takes_requests and (asked := request_in(read.files)) is not None:
        read = replace(read, files={path: each for path, each in read.files.items() if path != asked})
    work = work_of(read, job.hand_in.sources)
    return (_read_put_right(right, job, reader) if right and right.of == work else read), work


def _read_put_right(right: PutRight, job: Job, reader: Reader) -> Submission:
    try:
        found = submission_at(right.path, reader)
    except InputError as error:
        raise Unreached(f"what staff put right cannot be read: {error}") from None
    told = (*job.hand_in.remarks, note(said("intake_put_right")), *found.remarks)
    return replace(found, name=job.name, remarks=told)


def question_of(submission: str, candidates: Sequence[Candidate]) -> str:
    """Return the id of the question which of these counts; it changes with their names and contents."""
    parts = [submission, *(repr((each.name, sorted(each.files.items()))) for each in candidates)]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def choice_data(question: str, candidates: Sequence[Candidate]) -> ChoiceJson:
    """Return a question in the form of results.json."""
    told: list[CandidateJson] = [
        {"name": each.name, "modified": each.modified, "files": dict(each.files)} for each in candidates
    ]
    return {"question": question, "candidates": told}


DECIDES: Final = (
    *("course", "exercises", "feedback", "grading", "inside", "intake", "languages", "model"),
    *("platforms", "repairs", "sandbox", "session"),
    *("errors.py", "points.py", "reader.py", "results.py", "shipped.py", "text.py"),
)
"""The parts of ``grader`` that decide the files of a result; a change of any other part regrades nothing."""
COMMENTS: Final = "comments.yaml"
"""Texts for comments by short keys, in the folder of the results or of the rubric."""
CODE_FILE: Final = "code.txt"
"""A result that is not in a class yet keeps the student's code in this file, to be compared with others'."""
_LOG: Final = logging.getLogger("grader")


@dataclass(frozen=True, slots=True)
class PutRight:
    """Work that staff put right by hand, and the digest or question of what it is graded in the place of."""

    path: Path
    of: str


@dataclass(frozen=True, slots=True)
class MazeTry:
    """A check that a person wants to have asked on a maze; nothing is marked by it."""

    check: str
    maze: str


@dataclass(frozen=True, slots=True)
class Job:
    """One submission to grade, or to try on a maze."""

    hand_in: HandIn
    late: LateJson | None = None
    """What is known of its lateness, which does not affect how it is graded."""
    submission: Submission | None = None
    """Its files, where the worker cannot read them from the disk."""
    work: str = ""
    """The digest of what was handed in, of which its files are given."""
    exercises: frozenset[str] | None = None
    """The ids of the exercises to grade; None for all."""
    choices: Mapping[str, int] = field(default_factory=dict)
    """What people chose where it was not clear what counts: the numbers of candidates, by question."""
    are_own_choices: bool = False
    """Whether the student chose, and not staff."""
    put_right: PutRight | None = None
    first: bytes = b""
    """What is kept of its first grading, where this is to be the second."""
    takes_requests: bool = False
    """Whether a file request.txt in it is a request for another look, and no part of the work."""
    to_try: MazeTry | None = None
    """What its files are asked in one call, instead of being graded."""

    @classmethod
    def of_upload(
        cls,
        name: str,
        files: Sequence[tuple[Path, str]],
        student: str,
        choices: Mapping[str, int],
        first: bytes = b"",
    ) -> Job:
        """Return the job to grade files that a student uploaded, each given with the student's name for it.

        The results are filed under ``name``; where it is not clear what counts, the student made ``choices``.
        ``first`` is what is kept of a first grading.
        """
        hand_in = with_files(HandIn(name, (), student=student), files)
        return cls(hand_in, choices=choices, are_own_choices=True, first=first)

    def in_course(self, course: Course) -> Job:
        """Return the job, with what the course says of files that are no part of the work."""
        return replace(self, takes_requests=course.rules.requests is not None)

    @staticmethod
    def came_of_try(answer: Answer) -> str | None:
        """Return in words what a job that tries was answered; None where its workers were lost."""
        if isinstance(answer, Tried):
            return answer.text
        if isinstance(answer, MachineFault) and answer.waits:
            return None
        why = answer.reason if isinstance(answer, MachineFault) else "it was graded instead"
        return f"It could not be tried, which says nothing about the work: {why}"[:TRIED_CHARACTERS]

    @property
    def name(self) -> str:
        """The name under which the results are filed."""
        return self.hand_in.name


@dataclass(frozen=True, slots=True)
class Course:
    """What all submissions of a batch share: the plan, the sandbox, the language."""

    plan: Plan
    sandbox: str
    language: str | None = None
    exercises: str = ""
    """The ids of the exercises that are graded, joined by commas; empty for all."""

    is_compared: bool = False
    """Whether submissions are compared with each other, so that workers also make what is compared."""

    @property
    def rules(self) -> CourseRules:
        """What it says to those who hand in."""
        return CourseRules(self.plan.rubric)

    @property
    def path(self) -> Path:
        """The path of its rubric."""
        return self.plan.rubric.path

    def files(self) -> dict[str, bytes]:
        """Return its files by their paths, the rubric as rubric.yaml; none of the course that ships.

        Raises InputError where files lie outside of its folder.
        """
        from grader.exports.gradescope import course_files

        if self.path == SHIPPED:
            return {}
        own = {name: path.read_bytes() for name, path in course_files(self.plan.rubric)}
        comments = self.path.with_name(COMMENTS)
        own |= {COMMENTS: comments.read_bytes()} if comments.is_file() else {}
        return {"rubric.yaml": self.path.read_bytes(), **own}

    def for_exercises(self, ids: frozenset[str] | None) -> Course:
        """Return the course with only these exercises; with all of them for None."""
        if ids is None:
            return self
        kept = tuple(each for each in self.plan.exercises if each.id in ids)
        return replace(self, plan=replace(self.plan, exercises=kept), exercises=",".join(sorted(ids)))

    def stamp(self) -> str:
        """Return what affects a mark beside the submission; the sandbox and the pages' language do not."""
        graded = "|".join(
            (self.plan.rubric.digest, sources_digest(), platform.python_version(), hypothesis.__version__)
        )
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
    again: bytes = b""
    """What is kept for a second grading, where a clock, perhaps because of load, decided about the result."""
    complaints: tuple[str, ...] = ()
    """What went wrong without affecting the mark: a box that could not be removed, a hint that failed."""
    look: bytes = b""
    """What is compared of the code, if it was made."""

    def exercises(self) -> Iterator[ExerciseDone]:
        """Yield each exercise with the points of its public checks."""
        for exercise in json.loads(self.results)["exercises"]:
            shown = [check for check in exercise["checks"] if check["visibility"] != "hidden"]
            score, most = (sum(check[key] for check in shown) for key in ("score", "max_score"))
            yield ExerciseDone(exercise["id"], score, most)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The answer that the result on the disk is still valid."""


RETRIES: Final = 2
"""A job is tried again twice after faults of the machine."""
RETRY_SECONDS: Final = (0.5, 5.0)
"""A job that failed waits half a second before its first retry, and five seconds before later ones."""


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

    @property
    def is_question(self) -> bool:
        """Whether a person has to say first what counts."""
        return self.reason.startswith(Undecided.OPENING)

    def rest_after(self, tries: int) -> float | None:
        """Return the seconds until the job is tried again, if so many tries have failed; None for never."""
        if not self.waits and (self.lasting or self.is_question or tries > RETRIES):
            return None
        return RETRY_SECONDS[0 if self.waits else min(tries, len(RETRY_SECONDS)) - 1]


@dataclass(frozen=True, slots=True)
class ExerciseDone:
    """The message that the public checks of one exercise have been graded, before the whole result."""

    exercise: str
    score: float
    max_score: float


TRIED_CHARACTERS: Final = 256 * 1024
"""What came of a try is cut after 256 Ki characters."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a check that was tried on a maze, in words."""

    text: str


Answer = Done | Unchanged | MachineFault | Tried


def answer(
    job: Job,
    course: Course,
    backend: Backend,
    known: str | None,
    tell: Tell = lambda *_: None,
) -> Answer:
    """Grade a submission unless its key is the known one; return every failure as an answer, too."""
    try:
        if job.to_try and job.submission:
            return _try(job.submission, job.to_try, course, backend)
        return _grade(job, course, backend, known, tell)
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
    called = _called(error.candidates, hand_in)
    told = [replace(each, name=name) for each, name in zip(error.candidates, called, strict=True)]
    choice = choice_data(question_of(hand_in.name, error.candidates), told)
    return MachineFault(reason, lasting=True, choice=choice if told else None)


def _called(candidates: Sequence[Candidate], hand_in: HandIn) -> list[str]:
    """Return what candidates are called; under a pseudonym nameless, so told apart by numbers."""
    names = [nameless(each.name, hand_in) for each in candidates]
    places = enumerate(names, 1)
    return [f"{name} ({names[:n].count(name)})" if names.count(name) > 1 else name for n, name in places]


def nameless(reason: str, hand_in: HandIn) -> str:
    """Remove the names of the student's files from a reason if the student has a pseudonym."""
    for source in hand_in.sources if not hand_in.student else ():
        for name in (str(source), source.name, shown(source.name)):
            reason = reason.replace(name, hand_in.name)
    return reason


def _grade(job: Job, course: Course, backend: Backend, known: str | None, tell: Tell) -> Done | Unchanged:
    started = time.monotonic()
    reader = Reader.of(course.plan.limits)
    submission, work = read_work(job.in_course(course), reader)
    course = course.for_exercises(job.exercises)
    key = key_of(submission, course, work)
    if key == known:
        return Unchanged()
    first = FirstGrading.read(job.first, key) if job.first else None
    report = grade(submission, course.plan, backend, tell, reader, first.again if first else None)
    found = outputs_of(report, course.plan.rubric, language=course.language, lateness=job.late, first=first)
    kept = FirstGrading.of(report, key)
    seconds = time.monotonic() - started
    refused = "" if submission.holds_an_exercise else _refusal(submission)
    return Done(
        *(key, found.results, found.page, found.staff, code_within(submission, reader), seconds),
        *(found.data["score"], found.data["max_score"], refused, kept.written() if kept else b""),
    )


def _try(submission: Submission, asked: MazeTry, course: Course, backend: Backend) -> Tried:
    """Ask a submission a check on a maze; what cannot be asked is an answer, too. Raises SandboxError."""
    try:
        told = render_tried(try_check(submission, course.plan, backend, asked.check, asked.maze))
    except Unreached:
        raise
    except InputError as error:
        told = str(error).replace(f"{Path(error.path or '.').parent}/", "")  # the folders of this machine
    return Tried(told[:TRIED_CHARACTERS])


def _refusal(submission: Submission) -> str:
    """Return why there was nothing to grade, in words."""
    words = catalogue(DEFAULT)
    told = sorted(
        (remark for remark in submission.remarks if remark.kind in ("note", "refused")),
        key=lambda remark: remark.kind == "refused",
    )
    return " ".join(words.say(remark.message) for remark in told)


def key_of(submission: Submission, course: Course, work: str = "") -> str:
    """Return a digest of all that the result depends on, and behind a space that of what was handed in."""
    digest = hashlib.sha256(course.stamp().encode())
    parts = [submission.name.encode()]
    parts += [repr(remark).encode("utf-8", "surrogatepass") for remark in submission.remarks]
    for path, content in sorted(submission.files.items()):
        parts += [path.encode("utf-8", "surrogatepass"), content]
    for part in parts:
        digest.update(f"{len(part)}:".encode() + part)
    return f"{digest.hexdigest()} {work or work_of(submission)}"


def work_of(submission: Submission, sources: Iterable[Path] = ()) -> str:
    """Return a digest of what was handed in: the files that were read or, without any, how large they are."""
    parts = [repr(file) for file in sorted(submission.files.items())]
    if not parts:  # the size of a folder is that of its list, which each file system measures in its own way
        parts += [str(path.lstat().st_size) for path in sources if not path.is_dir()]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def work_in(key: str) -> str:
    """Return the digest of what was handed in, as a key ends with it; empty if it is unknown."""
    return key.partition(" ")[2]


def sources_digest() -> str:
    """Return a digest of all sources that affect results: lab, reference, template, parts of the grader."""
    return shipped.digest("lab", "reference", "student_template", *(f"grader/{part}" for part in DECIDES))
