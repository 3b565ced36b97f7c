"""How the grader handles exercises of a kind, and how it finds the one model that explains a submission.

The grader knows exercises only by their kinds. A kind for one exercise is in that exercise's folder
(``kind.py``); those that several share are in the kit.

Find the one wrong model that explains everything that a submission did.

A model must explain every run, and a certain number of runs, and some that no right submission explains. If
no model does, or more than one, nothing is said: a wrong hint costs more than a missing one. Models that say
less, but fit more submissions, are tried after all others. Some mistakes mask another: what was seen is
corrected for the mask, and diagnosed again.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final, NamedTuple, get_args

from grader.exercises.kit.check import Case, Check, PlannedExercise, Twin, Wrong
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.misconception import AnswerReader, GoesBy, Mask, Model, Pair
from grader.languages import Message
from grader.model import Call, Claim, Json, OwnMazes, StateStep, Target
from grader.model.claims import ClaimValue
from grader.reader import Read
from lab.exercises import BY_ID
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
    models: tuple[Model, ...] = ()
    masks: tuple[Mask, ...] = ()
    """Mistakes that may hide another one."""
    reader: AnswerReader | None = None
    """None if no misconceptions are known."""
    told_by_check: Mapping[str, str] = field(default_factory=dict)
    """The misconception that follows if a check, given without the exercise, is the only one that failed."""
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


ENOUGH, FEW = 8, 4
"""How many things seen a model has to explain: 8, or only 4 where others were left out because one like them
had no end."""
WRONG_ENOUGH = 2
"""At least this many observations must be wrong; calls that were never made, because one like them did not
end, count as wrong."""


HANDED_OVER: Final = "work-of-another"
"""The misconception of leaving the work to somebody else's code."""


def told_by_checks(kind: Kind, exercise: str, lost: Collection[str], *, decides: bool) -> str | None:
    """Return the misconception that follows from which checks failed; None if nothing follows.

    ``decides`` means that one of them found the work to be another's. Some checks are about one mistake only:
    if one of these failed, and no other check, the submission is right except for what one call leaves to the
    next. Calls after others are no evidence then: there, it may look wrong in ways that it is not.
    """
    if decides:
        return f"{exercise}.{HANDED_OVER}"
    only = next(iter(lost)) if len(lost) == 1 else ""
    name = kind.told_by_check.get(only.removeprefix(f"{exercise}."))
    return f"{exercise}.{name}" if name else None


def diagnose(kind: Kind, exercise: str, pairs: Sequence[Pair]) -> str | None:
    """Return the misconception that explains all claims, such as ``dfs.west-first``, if exactly one does."""
    made = _made(pairs)
    if kind.reader is None or not made:
        return None  # no misconceptions are known of a course's own exercises
    return _explained(kind, exercise, kind.reader.read(made), _left_out(pairs))


def diagnose_each(kind: Kind, exercise: str, checks: Mapping[str, Sequence[Pair]]) -> Mapping[str, str]:
    """Return a misconception for each check of a submission in which one mistake masks another.

    A check gets the mask if that affected what it saw, otherwise the other mistake, if exactly one model
    explains the rest. Empty without such a mask.
    """
    pairs = [*{pair[0].id: pair for seen in checks.values() for pair in seen}.values()]
    made, reader = _made(pairs), kind.reader
    if reader is None:
        return {}
    seen, left_out = reader.read(made), _left_out(pairs)
    for mask in kind.masks:
        if not mask.holds(seen):
            continue
        rest = _explained(kind, exercise, list(map(mask.put_right, seen)), left_out)
        own = f"{exercise}.{mask.name}"
        left = {f"{exercise}.{name}" for name in mask.leaves} if rest else set[str]()
        named = {
            id_: own if id_ not in left and _plays_a_part(mask, reader, each) else rest
            for id_, each in checks.items()
        }
        return {id_: name for id_, name in named.items() if name}
    return {}


def _plays_a_part(mask: Mask, reader: AnswerReader, pairs: Sequence[Pair]) -> bool:
    """Return whether a mask affects what a check saw."""
    return any(mask.put_right(each) is not each for each in reader.read(_made(pairs)))


def _made(pairs: Sequence[Pair]) -> Sequence[Pair]:
    """Return the calls that were made, without those that say nothing about the code.

    None count if a limit was exceeded while the file was loaded, since nothing is known then. Calls of a file
    that could not be loaded do not count if it could be later, with a working Search.
    """
    if any(claim.fault and claim.fault.stage == "import" and claim.outcome != "raised" for _, claim in pairs):
        return ()
    made = [pair for pair in pairs if pair[1].was_made]
    return [pair for pair in made if not pair[1].fault or pair[1].fault.stage != "import"] or made


def _left_out(pairs: Sequence[Pair]) -> int:
    """Count the calls that were never made because one like them did not end."""
    return sum(not claim.was_made for _, claim in pairs)


def _explained(kind: Kind, exercise: str, seen: Sequence[Any], left_out: int) -> str | None:
    assert kind.reader is not None  # noqa: S101 - something was read
    wrong = kind.reader.wrong_of(exercise, seen)
    if len(seen) < (FEW if left_out else ENOUGH) or not wrong or len(wrong) + left_out < WRONG_ENOUGH:
        return None
    telling = list(_interleaved(wrong, seen))
    models = [model for model in kind.models if model.is_of(BY_ID[exercise])]
    for goes_by in get_args(GoesBy):
        asked = (model for model in models if model.goes_by == goes_by)
        found = [model for model in asked if model.explains(exercise, telling)]
        if found:
            return f"{exercise}.{found[0].name}" if len(found) == 1 else None
    return None


def _interleaved(wrong: Sequence[Any], seen: Sequence[Any]) -> Iterator[Any]:
    """Yield each once, the wrong ones first, right ones in between, so that misfits are found early."""
    done: set[int] = set()
    for pair in zip_longest(wrong, seen):
        for each in pair:
            if each is not None and id(each) not in done:
                done.add(id(each))
                yield each
