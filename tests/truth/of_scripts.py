"""Of each sentence of a story on the steps of a script, whether it is so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from grader.exercises.search.judge import call_text
from grader.inside import turns
from lab import Vector
from lab.steps import shown
from reference.solvers.search import Search
from tests.truth.box import CutOff
from tests.truth.record import SecondRecord
from tests.truth.runs import cell_of
from tests.truth.said import About, Said, true

MOST_TURNS = 100_000
_PART = re.compile(r"(?:(\w+)(?:: |\.))?(known_cells|pending|distance_to|moves_to)(?:\((.*)\))?")


@true("story_step")
def _step(said: Said, _: SecondRecord, about: About) -> bool:
    """The step gave another answer than a right search gives."""
    steps = about.arguments["steps"]
    given, right = answers(about.loaded(), steps), answers(Search, steps)
    return any(
        step_words(step) == said.values["step"] and one != other
        for step, one, other in zip(steps, given, right, strict=False)
    )


@true("story_state", "story_state_new")
def _state(said: Said, _: SecondRecord, about: About) -> bool:
    """Asked after the step, the submission's search says the one, and a right one the other."""
    steps = about.arguments["steps"]
    owner, part, cell = _PART.fullmatch(said.values["part"]).groups()  # type: ignore[union-attr]
    for place, step in enumerate(steps):
        names = {step_words((n, "known_cells", ())).partition(".")[0]: n for n in (0, 1)}
        number = names[owner] if owner else step[0]
        if said.key == "story_state_new" and number in {each[0] for each in steps[: place + 1]}:
            continue  # not a new one
        came, due = (
            words_of(asked(make, steps[: place + 1], number, part, cell)) for make in (about.loaded(), Search)
        )
        if step_words(step) == said.values["step"] and (came, due) == (
            said.values["came"],
            said.values["due"],
        ):
            return came != due
    return False


@true("story_state_endless")
def _state_endless(said: Said, _: SecondRecord, about: About) -> bool:
    """Asked after the step, the submission's search comes to no end in many turns."""
    steps, (owner, part, cell) = about.arguments["steps"], _PART.fullmatch(said.values["part"]).groups()  # type: ignore[union-attr]
    for place, step in enumerate(steps):
        if step_words(step) == said.values["step"] and not owner:
            right = words_of(asked(Search, steps[: place + 1], step[0], part, cell))
            search = about.loaded()
            turns.install(turns.Counter(MOST_TURNS, _cut_off))
            try:
                asked(search, steps[: place + 1], step[0], part, cell)
            except CutOff:
                return right == said.values["due"]
            finally:
                turns.install(None)
    return False


def _cut_off() -> NoReturn:
    raise CutOff


@true("story_state_right")
def _state_right(said: Said, record: SecondRecord, about: About) -> bool:
    steps = about.arguments["steps"]
    places = [n for n, step in enumerate(steps) if step_words(step) == said.values["step"]]
    numbers = {step[0] for step in steps}
    as_right = [
        all(state(about.loaded(), steps[:n], i) == state(Search, steps[:n], i) for i in numbers)
        for n in places
    ]
    return any(as_right) and _step(said, record, about)


def asked(make: Callable[[], Any], steps: Sequence[Any], number: int, part: str, cell: str | None) -> Any:
    """Return what a search says of a part of what it holds, after some steps."""
    if part != "pending":
        question = (number, part, (cell_of(cell),) if cell else ())
        return answers(make, [*steps, question])[-1]
    taken = answers(make, [*steps, *[(number, "first_pending", ())] * (len(steps) + 1)])[len(steps) :]
    return [each for each in taken if not isinstance(each, str)]


def words_of(value: Any) -> str:
    """Return the words for what a search says."""
    if isinstance(value, list):
        return f"[{', '.join(shown(Vector(*each)) for each in value)}]"
    return value if isinstance(value, str) else shown(value)


def answers(make: Callable[[], Any], steps: Sequence[Any]) -> list[Any]:
    """Return what the steps of a script give."""
    made: dict[int, Any] = {}
    found = []
    for number, method, vectors in steps:
        search = made.get(number) or made.setdefault(number, make())
        try:
            member = getattr(search, method)
            gave = [*member] if method == "known_cells" else member(*(Vector(*each) for each in vectors))
            found.append(
                [tuple(each) for each in gave]
                if isinstance(gave, (list, tuple)) and method == "moves_to"
                else gave
            )
        except Exception as error:  # noqa: BLE001 - the search is a submission's
            found.append("LookupError" if isinstance(error, LookupError) else type(error).__name__)
    return found


def state(make: Callable[[], Any], steps: Sequence[Any], number: int) -> list[Any]:
    """Return what a search says of all cells after some steps, and what is pending, in order."""
    known = {tuple(cell) for step in steps for cell in (step[2][:1], step[2][-1:]) for cell in cell}
    asked: list[Any] = [
        (number, method, (cell,)) for cell in sorted(known) for method in ("distance_to", "moves_to")
    ]
    takes: list[Any] = [(number, "first_pending", ())] * (len(steps) + 1)
    asked = [(number, "known_cells", ()), *asked, *takes]
    return answers(make, [*steps, *asked])[len(steps) :]


def step_words(step: Any) -> str:
    """Return a step as a student would write it."""
    return call_text((step[0], step[1], tuple(map(tuple, step[2]))))
