"""What is said of wrong work: each sentence of a grade with its values, and the second record of its call."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any, NamedTuple
from unittest import mock

from grader.course.plan import Plan, disagreement, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.kit.check import Case, PlannedExercise, Wrong
from grader.exercises.registry import titles
from grader.grading import engine, places
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.grading.engine import grade
from grader.grading.places import PlaceFinder, ReadableFile
from grader.grading.story import Storyteller
from grader.grading.why import Why
from grader.inside import turns
from grader.languages import Message, Text
from grader.model import Call, ExerciseResult, IsPerfect, LookAt, Story, Submission, plain_arguments
from grader.reader import Reader, read_here
from grader.repairs import Repair
from grader.session.connection import budget_of, size_of
from tests.truth.box import Compile, HereBackend, Job, Loading, counted
from tests.truth.record import SecondRecord

EXAMPLES, SMALL = 12, 60
"""Mazes for each property, and the cells or steps of the largest case."""
MOST_STORIES = 5
"""Of the stories that an exercise could have, those of five checks are held against the record."""


class Said(NamedTuple):
    """A sentence about the code of a submission."""

    key: str
    values: Mapping[str, str]
    file: str = ""
    line: int | None = None
    shown: Mapping[str, str] = {}
    story: tuple[Said, ...] = ()
    """All sentences of the same story."""
    place: int = 0
    """Where it stands in the story."""

    @property
    def before(self) -> tuple[Said, ...]:
        """The sentences of the story that stand before it."""
        return self.story[: self.place]


@dataclass(frozen=True, eq=False)
class About:
    """What a sentence is about: a call of one exercise of a submission, mostly one that went wrong."""

    name: str
    exercise: PlannedExercise
    files: Mapping[str, bytes]
    call: Call
    asks: bool = False
    """Whether solvers are handed the grader's Search."""
    wrong: Wrong | None = None
    look: LookAt | None = None
    edited: bytes | None = None
    """The file with the edit of that place."""
    beside: About | None = None
    """The case beside it that was right."""
    reply: dict[str, Any] = field(default_factory=dict)
    """What came of the call when it was made again."""

    @cached_property
    def arguments(self) -> Mapping[str, Any]:
        """The arguments as a box gets them."""
        found: Mapping[str, Any] = json.loads(json.dumps(plain_arguments(self.call.arguments)))
        return found

    def job(self, files: Mapping[str, bytes] | None = None) -> Job:
        """Return what is called, also in other files."""
        target, search = self.exercise.target, "grader" if self.asks else "own"
        return Job(files or self.files, {"file": target.file, "name": target.name, "search": search})

    @cached_property
    def record(self) -> SecondRecord:
        """The second record of the call."""
        record = SecondRecord(self.files)
        self.reply.update(self.made(record, record.compiled))
        if record.is_cut and self.reply["outcome"] != "endless":
            record = SecondRecord(self.files, sys.maxsize)
            self.made(record, record.compiled)
        return record

    def made(
        self, seeing: Any = None, compiled: Compile = counted, files: Mapping[str, bytes] | None = None
    ) -> dict[str, Any]:
        """Make the call once more, and return what a box replies."""
        job = self.job(files)
        with Loading(job.files, compiled):
            turns.install(None)
            message = {"kind": self.call.arguments.kind, "arguments": self.arguments}
            told = job.load() or job.reply(message, budget_of(self.call, plan().limits)._asdict(), seeing)
        came: dict[str, Any] = json.loads(json.dumps(told))
        return came

    def loaded(self) -> Any:
        """Return what is called, loaded anew; None where that fails."""
        turns.install(None)
        with Loading(self.files):
            job = self.job()
            job.load()
        return job.loaded


Check = Callable[[Said, SecondRecord, About], bool]
TRUE: dict[str, Check] = {}
"""By the key of a sentence, what tells whether it is so, by the second record of the call."""


def true(*keys: str) -> Callable[[Check], Check]:
    """Make a function the one that tells whether sentences of these keys are so."""

    def registered(check: Check) -> Check:
        TRUE.update(dict.fromkeys(keys, check))
        return check

    return registered


class HereReader(Reader):
    """Reads what is known to be harmless where the test runs."""

    def read(self, work: Callable[[], Any], kind: Any, paths: object = ()) -> Any:
        del paths
        return read_here(work, kind)


@cache
def plan() -> Plan:
    """Return what is shown by the shipped rubric, with few mazes, none of them large."""
    rubric = load_rubric(None, checks=titles(), agrees=disagreement, explain=True)
    whole = make_plan(replace(rubric, examples=EXAMPLES))
    return replace(whole, exercises=tuple(_shown(each, whole) for each in whole.exercises))


def _shown(exercise: PlannedExercise, plan: Plan) -> PlannedExercise:
    checks = [check for check in exercise.checks if plan.points[check.id].visibility == "public"]
    return replace(exercise, checks=tuple(replace(check, cases=_small(check.cases)) for check in checks))


def _small(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return the small cases; where there is none, the smallest one."""
    small = [case for case in cases if size_of(case.call) <= SMALL]
    return tuple(small or sorted(cases, key=lambda case: size_of(case.call))[:1])


@dataclass
class _Listening(Why):
    """Keeps what is known of an exercise, and has more stories told than one."""

    wrong: dict[str, Wrong] = field(default_factory=dict)
    asks: bool = False
    edited: bytes | None = None
    stories: list[Story] = field(default_factory=list)

    def see(
        self, runs: CaseRuns, make_calls: MakeCalls, wrong: Mapping[str, Wrong], *, asks: bool = False
    ) -> None:
        super().see(runs, make_calls, wrong, asks=asks)
        self.wrong, self.asks, self.make_calls = dict(wrong), asks, make_calls

    def locate(self, files: Mapping[str, bytes]) -> None:
        def placed(source: ReadableFile, repair: Repair, file: str) -> LookAt:
            self.edited = repair.edit.apply(source.text).encode()
            return place(source, repair, file)

        place = places._place
        with mock.patch.object(places, "_place", placed):
            super().locate(files)
        tellers = [
            partial(
                Storyteller(self.exercise, files, self.make_calls, self.read).tell, {id_: wrong}, self.place
            )
            for id_, wrong in [*self.wrong.items()][:MOST_STORIES]
        ]
        self.stories = [story for story in (self.story, *(tell() for tell in tellers)) if story]


def said_of(
    name: str, files: Mapping[str, bytes], exercises: Sequence[str], *, with_places: bool = True
) -> list[tuple[Said, About]]:
    """Grade some exercises of a submission in this process, and return all that is said of its code."""
    listening = dict[str, _Listening]()

    def why(exercise: PlannedExercise, *others: Any) -> _Listening:
        listening[exercise.id] = _Listening(exercise, *others)
        return listening[exercise.id]

    wanted = tuple(each for each in plan().exercises if each.id in exercises)
    asked, reader = replace(plan(), exercises=wanted), HereReader.of(plan().limits)
    without = nullcontext() if with_places else mock.patch.object(PlaceFinder, "find", return_value=None)
    with mock.patch.object(engine, "Why", why), without:
        done = grade(Submission(name, dict(files)), asked, HereBackend(files=files), reader=reader)
    found = [
        each
        for exercise, result in zip(wanted, done.exercises, strict=True)
        for each in _of_exercise(name, exercise, files, listening[exercise.id], result)
    ]
    return [*{_key(*each): each for each in found}.values()]


def _key(said: Said, about: About) -> object:
    return said.key, str(said.values), said.file, said.line, str(said.shown), about.call.id


def _of_exercise(
    name: str,
    exercise: PlannedExercise,
    files: Mapping[str, bytes],
    heard: _Listening,
    result: ExerciseResult,
) -> Iterator[tuple[Said, About]]:
    known = dict[str, About]()

    def about(call: Call, wrong: Wrong | None) -> About:
        made = About(name, exercise, files, call, heard.asks, wrong, heard.place, heard.edited)
        return known.setdefault(f"{call.id} {call.arguments}", made)

    for story in heard.stories:
        wrong = heard.wrong[story.check]
        here = about(wrong.case.call, wrong)
        if story.beside:
            here = replace(here, beside=about(Call("beside", IsPerfect(story.beside)), None))
        yield from ((said, here) for said in _of_story(story))
    yield from _of_verdicts(exercise, heard, result, about)


def _of_verdicts(
    exercise: PlannedExercise,
    heard: _Listening,
    result: ExerciseResult,
    about: Callable[[Call, Wrong | None], About],
) -> Iterator[tuple[Said, About]]:
    for check in result.checks:
        found = heard.wrong.get(check.id)
        case = found.case if found else next(each for each in exercise.checks if each.id == check.id).cases[0]
        for text in (check.verdict.message, check.verdict.hint):
            yield from ((said, about(case.call, found)) for said in _of_text(text))
        actual: Any = (check.verdict.counterexample or {}).get("actual")
        if isinstance(actual, Mapping) and (again := actual.get("revisits")):
            values = {
                name: str(tuple(each) if isinstance(each, list) else each) for name, each in again.items()
            }
            yield Said(f"again_{again['how']}", values), about(case.call, found)
    if result.look_at is not None:
        found = heard.wrong[result.look_at.checks[0]]
        for said in _of_text(result.look_at.message):
            yield (
                said._replace(file=result.look_at.file, line=result.look_at.line),
                about(found.case.call, found),
            )


def _of_story(story: Story) -> Iterator[Said]:
    told = tuple(
        Said(step.text.key.removeprefix("said."), _values(step.text), step.file, step.line, step.values)
        for step in story.steps
    )
    yield from (said._replace(story=told, place=place) for place, said in enumerate(told))


def _of_text(text: Text) -> Iterator[Said]:
    """Yield the sentences that a message is made of."""
    if isinstance(text, Message):
        yield Said(text.key.removeprefix("said."), _values(text))
        for _, value in text.values:
            yield from _of_text(value) if not isinstance(value, int) else ()


def _values(text: Message) -> dict[str, str]:
    return {name: value.key if isinstance(value, Message) else str(value) for name, value in text.values}
