"""How the grader handles exercises of a kind: how they are asked, judged, reported and explained.

The grader knows exercises only by their kinds. A kind for one exercise is in that exercise's folder
(``kind.py``); those that several share are in the kit.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Case, Check, PlannedExercise, Twin, Wrong
from grader.exercises.kit.misconception import AnswerReader, Mask, Model
from grader.languages import Message
from grader.model import Claim, Json, OwnMazes, Target
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

    examine: Callable[[Mapping[str, bytes], Sequence[str]], OwnMazes | None]
    """Return which mistakes they catch, given a submission's files and the texts of mazes that students know;
    None if there are none."""
    mistakes: tuple[str, ...]
    """Names of the typical mistakes that they may catch."""


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
    reads: Callable[[str | None], ClaimValue] | None = None
    """For a kind whose file is never run: read its text (None if it is no text, or too costly to parse), and
    return the claims of all calls."""
    drawn_from: Callable[[Claim], str] = lambda _: ""
    """Return the name in a file that determines its cases, in normalised form."""
    story: Callable[[str, Wrong, Claim, Recorded], list[Told]] = lambda *_: []
    """Tell where a recorded call of an exercise that came to an end parts from a right one."""
    twins: Callable[[Wrong], Iterator[Twin]] = lambda _: iter(())
    """Yield cases that differ from a wrong one in one thing: one that is right is shown beside it."""
    may_use_search: bool = False
    """Whether its code may be given a search, and so depend on it."""
