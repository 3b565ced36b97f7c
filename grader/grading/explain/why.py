"""Why an exercise went wrong: who may know is asked in one place, and one policy says who speaks.

Four know something, here from the surest to the least sure:

1. A slip of the pen: a name that is not there, read from the file. It takes the place of what Python said.
2. A misconception: the one wrong model that explains all that came. It speaks, as the hint, for every check
   that failed in the manner of the first; who failed in another has another cause, which shows on mazes too
   large for it. Where one mistake hides another, such as a list for None, each speaks for its own checks.
3. A place in the code: the edits that put all right agree on it. It is shown beside the hint, and only where
   it explains at least what the misconception does.
4. The check itself: what its judge asks, or what Python's exception means, where nobody else speaks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from grader.errors import SandboxError
from grader.exercises.kit.check import PlannedExercise, Wrong
from grader.exercises.kit.diagnosis import diagnose, diagnose_each, told_by_checks
from grader.exercises.registry import kind_of
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.grading.explain.slips import with_slips
from grader.languages import Catalogue
from grader.model import ExerciseResult, Json, LookAt, Story, Verdict
from grader.reader import Read, read_here

Reason = TypeVar("Reason")
_LOG = logging.getLogger("grader")


@dataclass
class Why:
    """What is known of why one exercise of one submission went wrong; no mark depends on it."""

    exercise: PlannedExercise
    read: Read = read_here
    """Does whatever is done with what the submission holds."""
    misconceptions: dict[str, str] = field(default_factory=dict)
    """By the checks that they explain."""
    place: LookAt | None = None
    story: Story | None = None
    timed_out: bool = False
    """Whether a clock ended the search for the place: a machine that is less busy may find more."""
    _seen: tuple[CaseRuns, MakeCalls, Mapping[str, Wrong], bool] | None = None

    def see(
        self, runs: CaseRuns, make_calls: MakeCalls, wrong: Mapping[str, Wrong], *, asks: bool = False
    ) -> None:
        """Note what is shown of the exercise.

        ``wrong`` holds what each lost check found wrong; ``make_calls`` is how its calls were made, and
        ``asks`` whether with the grader's Search.
        """
        self._seen = runs, make_calls, wrong, asks

    def diagnose(self) -> None:
        """Name the misconception that explains what has been seen, if one does."""
        if self._seen is None:
            return
        runs, _, wrong, _ = self._seen
        statuses = {id_: each.finding.status for id_, each in wrong.items()}
        first = next((status for status in statuses.values() if status != "missing"), None)
        if first is None:
            return
        alike = [id_ for id_, status in statuses.items() if status == first]
        found = self._told_by_checks(wrong)
        named = self._diagnosed(runs, alike) if found is None else dict.fromkeys(alike, found)
        self.misconceptions = {id_: named[id_] for id_ in wrong if id_ in named}

    def locate(self, files: Mapping[str, bytes], gated: Callable[[MakeCalls], MakeCalls]) -> None:
        """Look for the place of the mistake in the exercise's file, and tell its story, by what was seen.

        ``gated`` makes what lets each round of calls through the gate.
        """
        content = files.get(self.exercise.target.file)
        if self._seen is None or content is None:
            return
        runs, make_calls, wrong, asks = self._seen
        if wrong:
            from grader.grading.explain.places import PlaceFinder  # right work is not asked for its place
            from grader.grading.explain.story import Storyteller

            explained = frozenset(self.misconceptions)
            finder = PlaceFinder(self.exercise, content, gated(make_calls), self.read, explained, asks=asks)
            self.place = self._tried(lambda: finder.find(runs, wrong))
            self.timed_out = finder.timed_out
            teller = Storyteller(self.exercise, files, gated(make_calls), self.read)
            self.story = self._tried(lambda: teller.tell(wrong, self.place))

    def _tried(self, look: Callable[[], Reason | None]) -> Reason | None:
        """Return what a look finds; None where the grader errs, as no reason is worth a lost result."""
        try:
            return look()
        except SandboxError:
            raise
        except Exception:  # noqa: BLE001 - whatever it is, the marks are known by now
            _LOG.exception("a mistake in the grader: a reason less for the exercise %s", self.exercise.id)
            return None

    def hinted(self, check: str, verdict: Verdict, words: Catalogue) -> Verdict:
        """Return a verdict with the hint of the surest source, and the maze that a story puts beside."""
        found, shown = self.misconceptions.get(check), verdict.counterexample
        if self.story is not None and self.story.check == check and self.story.beside and shown:
            expected = {**cast(dict[str, Json], shown["expected"]), "mazes": [self.story.beside]}
            verdict = replace(verdict, counterexample={**shown, "expected": expected})
        return verdict if found is None else replace(verdict, misconception=found, hint=words.hint(found))

    def spelt_out(self, result: ExerciseResult, content: bytes | None) -> ExerciseResult:
        """Return the result with the slips of the pen in its file named."""
        return with_slips(result, self.exercise.target, content, self.read)

    def _told_by_checks(self, wrong: Mapping[str, Wrong]) -> str | None:
        decides = any(each.finding.decides for each in wrong.values())
        lost: Sequence[str] = [*wrong]
        return told_by_checks(kind_of(self.exercise.id), self.exercise.id, lost, decides=decides)

    def _diagnosed(self, runs: CaseRuns, lost: Sequence[str]) -> Mapping[str, str]:
        """Return the misconceptions by the checks."""
        pairs = {id_: (runs.cases[id_].call, claim) for id_, claim in runs.claims.items()}
        kind, exercise = kind_of(self.exercise.id), self.exercise.id

        def named() -> Mapping[str, str]:
            found = diagnose(kind, exercise, [*pairs.values()])
            if found is not None:
                return dict.fromkeys(lost, found)
            of_checks = {
                check.id: [pairs[case.call.id] for case in check.cases if case.call.id in pairs]
                for check in runs.checks
            }
            return diagnose_each(kind, exercise, of_checks)

        return self.read(named, dict[str, str]) or {}
