"""Why an exercise went wrong: who may know is asked in one place, and one policy says who speaks.

Four know something, here from the surest to the least sure:

1. A slip of the pen: a name that is not there, read from the file. It takes the place of what Python said.
2. What is shared: where all that came agrees with one corner of a space of solvers or checkers, its name
   stands, as the hint, at the checks that it explains; or what follows from which checks failed.
3. A place in the code: the edits that put all right agree on it.
4. What Python's exception means, where nobody else speaks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar, cast

from grader.errors import SandboxError
from grader.exercises.kit.check import PlannedExercise, Wrong
from grader.exercises.kit.kind import shared_by, told_by_checks
from grader.exercises.registry import kind_of
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.grading.purse import Purse
from grader.grading.story import Storyteller, with_slips
from grader.languages import Catalogue
from grader.model import ExerciseResult, Json, LookAt, Story, Verdict
from grader.reader import Read, read_here

A_FEW: Final = 8
"""What is shared has to explain the first eight calls that a check lost."""
Reason = TypeVar("Reason")
_LOG = logging.getLogger("grader")


@dataclass
class Why:
    """What is known of why one exercise of one submission went wrong; no mark depends on it."""

    exercise: PlannedExercise
    read: Read = read_here
    """Does whatever is done with what the submission holds."""
    points: Mapping[str, float] = field(default_factory=dict)
    """What the checks are worth."""
    purse: Purse = field(default_factory=Purse)
    """Pays for what explains, in all exercises of the submission."""
    shared: Mapping[str, str] = field(default_factory=dict)
    """The id of what the answers share, by the checks that it explains."""
    place: LookAt | None = None
    story: Story | None = None
    has_erred: bool = False
    """Whether a reason is lost to a mistake in the grader."""
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
        """Name what all that has been seen has in common, if anything."""
        if self._seen is None:
            return
        runs, _, wrong, _ = self._seen
        statuses = {id_: each.finding.status for id_, each in wrong.items()}
        first = next((status for status in statuses.values() if status != "missing"), None)
        if first is None:
            return
        alike = [id_ for id_, status in statuses.items() if status == first]
        decides = any(each.finding.decides for each in wrong.values())
        kind, exercise = kind_of(self.exercise.id), self.exercise.id
        if found := told_by_checks(kind, exercise, [*wrong], decides=decides):
            self.shared = dict.fromkeys(alike, found)
        if found or kind.space is None:
            return
        pairs = {id_: (runs.cases[id_].call, claim) for id_, claim in runs.claims.items()}
        lost = {
            check.id: None
            if "parts_at" in wrong[check.id].finding.extra
            else [pairs[case.call.id] for case in runs.failed(check)[:A_FEW]]
            for check in runs.checks
            if check.id in wrong
        }
        self.shared = (
            self.read(lambda: shared_by(kind, exercise, [*pairs.values()], lost), dict[str, str]) or {}
        )

    @property
    def asks_for_a_place(self) -> bool:
        """Whether something is wrong that has a place in a file."""
        return self._seen is not None and bool(self._seen[2])

    def locate(self, files: Mapping[str, bytes]) -> None:
        """Look for the place of the mistake in the exercise's file, and tell its story, by what was seen."""
        content = files.get(self.exercise.target.file)
        if self._seen is None or content is None:
            return
        runs, make_calls, wrong, asks = self._seen
        if wrong:
            from grader.grading.places import PlaceFinder  # right work is not asked for its place

            paid = self.purse.paid(make_calls, asks=asks)
            finder = PlaceFinder(
                *(self.exercise, content, paid, self.read),
                asks=asks,
                points=self.points,
                purse=self.purse,
            )
            self.place = self._tried(lambda: finder.find(runs, wrong))
            teller = Storyteller(self.exercise, files, paid, self.read, self.purse)
            self.story = self._tried(lambda: teller.tell(wrong, self.place))

    def _tried(self, look: Callable[[], Reason | None]) -> Reason | None:
        """Return what a look finds; None where the grader errs, as no reason is worth a lost result."""
        try:
            return look()
        except SandboxError:
            raise
        except Exception:  # noqa: BLE001 - whatever it is, the marks are known by now
            _LOG.exception("a mistake in the grader: a reason less for the exercise %s", self.exercise.id)
            self.has_erred = True
            return None

    def hinted(self, check: str, verdict: Verdict, words: Catalogue) -> Verdict:
        """Return a verdict with the hint of the surest source, and the maze that a story puts beside."""
        found, shown = self.shared.get(check), verdict.counterexample
        if self.story is not None and self.story.check == check and self.story.beside and shown:
            expected = {**cast(dict[str, Json], shown["expected"]), "mazes": [self.story.beside]}
            verdict = replace(verdict, counterexample={**shown, "expected": expected})
        return verdict if found is None else replace(verdict, misconception=found, hint=words.hint(found))

    def spelt_out(self, result: ExerciseResult, content: bytes | None) -> ExerciseResult:
        """Return the result with the slips of the pen in its file named."""
        return with_slips(result, self.exercise.target, content, self.read)
