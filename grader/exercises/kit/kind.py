"""How the grader handles exercises of a kind.

The grader knows exercises only by their kinds. A kind for one exercise is in that exercise's folder
(``kind.py``); those that several share are in the kit.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from grader.exercises.kit.check import Case, Check, PlannedExercise, Twin, Wrong
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.shared import Pair, Space
from grader.languages import AND, Message
from grader.model import Call, Claim, Json, OwnMazes, StateStep, Target
from grader.model.claims import ClaimValue
from grader.reader import Read
from lab.recorded import Told
from lab.story import Recorded

Sources = Mapping[str, ast.Module | None]
"""A submission's Python files by path, as syntax trees; None for what cannot be parsed."""

Makers = Mapping[str, Callable[[], Check]]
"""Functions that make the checks, cases included, by check id."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A note about right work that is not quite what was asked for; it costs no points."""

    check: str
    """The check, without the exercise, on whose cases it is looked for if that check has passed."""
    messages: Callable[[PlannedExercise, Sequence[tuple[Case, Claim]]], Iterator[Message]]


@dataclass(frozen=True, slots=True)
class Gallery:
    """Mazes made by a submission, to be shown."""

    cases: Callable[[CaseBook], tuple[Case, ...]]
    picture: Callable[[Case, Claim], dict[str, Json] | None]
    """Return a maze with what is needed to make it again; None for one that was not requested."""


@dataclass(frozen=True, slots=True)
class MazesHandedIn:
    """Test mazes that students may hand in with an exercise."""

    among: Callable[[Iterable[str]], Sequence[str]]
    """Return those among the paths of a submission's files."""
    examine: Callable[[Mapping[str, bytes], Sequence[str]], OwnMazes]
    """Return which mistakes they catch, given a submission's files and the texts of the mazes that students
    know."""
    mistakes: tuple[str, ...]
    """Names of the typical mistakes that they may catch."""


class AskedState(NamedTuple):
    """The step of a script that a story is about, as it was found by asking what is held after each step."""

    step: int
    before: Sequence[int]
    """The earlier steps with the same object."""
    told: Told
    """What is wrong of it."""
    table: tuple[StateStep, ...] = ()
    """What was held after the last steps up to this one, as far as it parts from a right one there."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How exercises of a kind are asked, judged, reported and explained."""

    titles: Callable[[str], Mapping[str, str]]
    """Return the titles of an exercise's checks by id."""
    checks: Callable[[CaseBook, str], Makers]
    sentence: Callable[[PlannedExercise, Wrong], Message]
    """Say in a sentence what is wrong with a case."""
    reproduce: Callable[[Target, Case, str], Json]
    """Return the file to save, under the given name, and the command that repeats a case in the submission's
    folder."""
    hidden_kind: Callable[[Case], str] = lambda _: ""
    """Return what may be said of a hidden case: a word from a short list; empty if nothing is special about
    it."""
    space: Space | None = None
    """Where wrong answers get names for what they share, if anywhere."""
    told_by_check: Mapping[str, str] = field(default_factory=dict)
    """The name for what follows if a check, given without the exercise, is the only one that failed."""
    noted: Noted | None = None
    gallery: Gallery | None = None
    own_mazes: MazesHandedIn | None = None
    small_cases: Callable[[], tuple[Case, ...]] | None = None
    """All small cases, for a kind without a ladder."""
    with_sources: Callable[[PlannedExercise, Callable[[], Sources], Read], PlannedExercise] = (
        lambda planned, *_: planned
    )
    """Give the submission's files to the checks that use them, with what reads them within bounds."""
    reads: Callable[[Callable[[], str | None], Read], ClaimValue] | None = None
    """For a kind whose file is never run: decode its text (to None if it is none) and parse it within bounds,
    and return the claims of all calls."""
    drawn_from: Callable[[Claim], str] = lambda _: ""
    """Return the name in a file that determines its cases, in normalised form."""
    story: Callable[[str, Wrong, Claim, Recorded], list[Told]] = lambda *_: []
    """Tell where a recorded call of an exercise that came to an end parts from a right one."""
    asked_state: Callable[[Wrong, Claim, Callable[[Sequence[Call]], Sequence[Claim]]], AskedState | None] = (
        lambda *_: None
    )
    """Ask, by calls of its own, after which step of a wrong case what is held is wrong."""
    twins: Callable[[Wrong], Iterator[Twin]] = lambda _: iter(())
    """Yield cases that differ from a wrong one in one thing: one that is right is shown beside it."""
    may_use_search: bool = False
    """Whether its code may be given a search, and so depend on it."""


HANDED_OVER: Final = "work-of-another"
"""The name for leaving the work to somebody else's code."""


def told_by_checks(kind: Kind, exercise: str, lost: Collection[str], *, decides: bool) -> str | None:
    """Return the id of what follows from which checks failed; None if nothing follows.

    ``decides`` means that one of them found the work to be another's. Some checks are about one mistake only:
    if one of these failed, and no other check, the submission is right except for what one call leaves to the
    next. Calls after others are no evidence then: there, it may look wrong in ways that it is not.
    """
    if decides:
        return f"{exercise}.{HANDED_OVER}"
    only = next(iter(lost)) if len(lost) == 1 else ""
    name = kind.told_by_check.get(only.removeprefix(f"{exercise}."))
    return f"{exercise}.{name}" if name else None


def shared_by(
    kind: Kind, exercise: str, pairs: Sequence[Pair], lost: Mapping[str, Sequence[Pair] | None]
) -> Mapping[str, str]:
    """Return the id of what all calls share, such as ``dfs.east-first``, by the checks that it explains.

    ``lost`` has, by check, calls that went wrong; None where that is about the visits, whatever came back.
    """
    made = _made(pairs)
    found = kind.space.find(exercise, made) if kind.space is not None and made else None
    if found is None:
        return {}
    id_ = f"{exercise}.{AND.join(found.names)}"
    made_of = {check: wrong and _made(wrong) for check, wrong in lost.items()}
    return {
        check: id_
        for check, wrong in made_of.items()
        if wrong is None or (wrong and all(map(found.explains, wrong)))
    }


def _made(pairs: Sequence[Pair]) -> Sequence[Pair]:
    """Return the calls that were made, without those that say nothing about the code.

    None count if a limit was exceeded while the file was loaded, since nothing is known then. Calls of a file
    that could not be loaded do not count if it could be later, with a working Search.
    """
    if any(claim.fault and claim.fault.stage == "import" and claim.outcome != "raised" for _, claim in pairs):
        return ()
    made = [pair for pair in pairs if pair[1].was_made]
    return [pair for pair in made if not pair[1].fault or pair[1].fault.stage != "import"] or made
