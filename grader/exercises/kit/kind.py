"""What the grader does with the exercises of a kind: how they are asked, judged, reported and explained.

The grader knows exercises by their kinds alone. A kind that one exercise needs stands in that exercise's
folder (``kind.py``); those that several share stand in the kit.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Case, Check, PlannedExercise, Wrong
from grader.exercises.kit.misconception import Mask, Model, Reader
from grader.languages import Message
from grader.model import Claim, Json, OwnMazes, Target
from grader.model.claims import ClaimValue

Sources = Mapping[str, ast.Module | None]
"""The Python files of a submission by their paths, as trees; None for what cannot be parsed."""

Makers = Mapping[str, Callable[[], Check]]
"""By the id of the check: makes it, cases and all."""


@dataclass(frozen=True, slots=True)
class Noted:
    """What is said of right work that is not quite what was asked for, and costs no point."""

    check: str
    """The check, without the exercise, on whose cases it is looked for, where that has passed."""
    messages: Callable[[PlannedExercise, Sequence[tuple[Case, Claim]]], Iterator[Message]]


@dataclass(frozen=True, slots=True)
class Gallery:
    """Mazes that a submission makes, to be shown."""

    cases: Callable[[CaseBook], tuple[Case, ...]]
    picture: Callable[[Case, Claim], dict[str, Json] | None]
    """A maze with what it takes to make it again; None for one that was not asked for."""


@dataclass(frozen=True, slots=True)
class MazesHandedIn:
    """Test mazes that students may hand in with an exercise."""

    examine: Callable[[Mapping[str, bytes], Sequence[str]], OwnMazes | None]
    """Says which mistakes they catch, given the files of a submission, and the texts of the mazes that
    students know; None where there are none."""
    mistakes: tuple[str, ...]
    """The names of the typical mistakes that they may catch."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How exercises of a kind are asked, judged, reported and explained."""

    titles: Callable[[str], Mapping[str, str]]
    """The title of every check of an exercise, by its id."""
    checks: Callable[[CaseBook, str], Makers]
    sentence: Callable[[PlannedExercise, Wrong], Message]
    """Puts what is wrong on a case into a sentence."""
    reproduce: Callable[[Target, Case, str], Json]
    """The file to save, under the given name, and the command to give to see a case again, in the folder of
    the submission."""
    hidden_kind: Callable[[Case], str] = lambda _: ""
    """What may be said of a hidden case: a word of a short list; empty where nothing is special about it."""
    models: tuple[Model, ...] = ()
    masks: tuple[Mask, ...] = ()
    """Mistakes that may hide another."""
    reader: Reader | None = None
    """None where nothing is known of how an exercise is misunderstood."""
    told_by_check: Mapping[str, str] = field(default_factory=dict)
    """The misconception that follows where a check, without the exercise, and no other is lost."""
    noted: Noted | None = None
    gallery: Gallery | None = None
    own_mazes: MazesHandedIn | None = None
    small_cases: Callable[[], tuple[Case, ...]] | None = None
    """All small cases, of a kind that has no ladder of them."""
    with_sources: Callable[[PlannedExercise, Callable[[], Sources]], PlannedExercise] = lambda planned, _: (
        planned
    )
    """Has the checks that look at a submission's files do so; they are parsed when they are asked for."""
    reads: Callable[[str | None], ClaimValue] | None = None
    """Of a kind whose file is never run: reads its text (None of what is no text, or cannot be parsed at
    little cost), and returns what all calls claim."""
    drawn_from: Callable[[Claim], str] = lambda _: ""
    """The name in a file that is read from which its cases are drawn, in the form that tells names apart."""
    may_use_search: bool = False
    """Its code may be handed a search, on which it then stands."""
