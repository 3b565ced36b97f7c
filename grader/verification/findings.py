"""What the results of a bank say of the tests: what each caught, and whom they wronged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from grader.verification.run import Graded

OF_MAZES_ONLY: Final = ".hidden-mazes"
"""The checks that ask about test mazes alone; others draw mazes as well, which may have caught it, too."""


@dataclass(frozen=True, slots=True)
class Caught:
    """What a check or a maze caught, of the wrong submissions."""

    count: int
    alone: int
    """Those that nothing else in the exercise caught."""


@dataclass(frozen=True, slots=True)
class Findings:
    """All there is to say; ``sound`` is the sum of it."""

    right: int
    wrong: int
    by_exercise: Mapping[str, tuple[int, int]]
    """How many wrong submissions lost points where they had to, and how many had to."""
    checks: Mapping[str, Caught]
    mazes: Mapping[str, Caught]
    missed: Sequence[str]
    """Wrong submissions that lost nothing in an exercise, told in a line each."""
    punished: Sequence[str]
    """Points that were taken from what is right, told in a line each."""
    margin: str
    """How close a right submission came to the end of its time."""

    @property
    def sound(self) -> bool:
        """Nothing wrong went free, and nothing right was punished."""
        return not self.missed and not self.punished

    def as_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {**asdict(self), "sound": self.sound}


def find(graded: Sequence[Graded], checks: Sequence[str], mazes: Sequence[str]) -> Findings:
    """Look at what a bank got; ``checks`` and ``mazes`` name all that there are."""
    right = [one for one in graded if not one.known.loses and not one.known.earns_nothing]
    wrong = [one for one in graded if one.known.loses]
    exercises = sorted({id_ for one in graded for id_ in one.scores})
    return Findings(
        len(right),
        len(wrong),
        {id_: _score(wrong, id_) for id_ in exercises},
        {check: _of_check(wrong, check) for check in checks},
        {maze: _of_maze(wrong, maze) for maze in mazes},
        [line for one in graded for line in _missed(one)],
        [line for one in graded for line in _punished(one)],
        _margin(right),
    )


def _is_full(one: Graded, exercise: str) -> bool:
    score, most = one.scores[exercise]
    return score >= most


def _score(wrong: Iterable[Graded], exercise: str) -> tuple[int, int]:
    due = [one for one in wrong if exercise in one.known.loses and exercise in one.scores]
    return sum(not _is_full(one, exercise) for one in due), len(due)


def _of_check(wrong: Iterable[Graded], check: str) -> Caught:
    exercise = check.partition(".")[0]
    losers = [one.lost.get(exercise, ()) for one in wrong if exercise in one.known.loses]
    return Caught(sum(check in lost for lost in losers), sum(lost == (check,) for lost in losers))


def _of_maze(wrong: Iterable[Graded], maze: str) -> Caught:
    """A maze caught alone what failed in a check of test mazes only, and there on no other of them."""
    count = alone = 0
    for one in wrong:
        found = [check for check, names in one.wrong_mazes.items() if maze in names]
        found = [check for check in found if check.partition(".")[0] in one.known.loses]
        count += bool(found)
        alone += any(
            one.lost[check.partition(".")[0]] == (check,) and one.wrong_mazes[check] == [maze]
            for check in found
            if check.endswith(OF_MAZES_ONLY)
        )
    return Caught(count, alone)


def _missed(one: Graded) -> Iterable[str]:
    if one.known.earns_nothing:
        earned = {id_: score for id_, (score, _) in one.scores.items() if score}
        yield from (f"{one.known.name} earned {score:g} in {id_}" for id_, score in earned.items())
    for exercise in sorted(one.known.loses & one.scores.keys()):
        if _is_full(one, exercise):
            yield f"{one.known.name} lost nothing in {exercise}"


def _punished(one: Graded) -> Iterable[str]:
    if one.known.earns_nothing:
        return
    for exercise in sorted(one.scores.keys() - one.known.loses - one.known.may_lose):
        if not _is_full(one, exercise):
            first = one.lost[exercise][0]
            mazes = one.wrong_mazes.get(first)
            where = f" on {', '.join(mazes)}" if mazes else ""
            yield f"{one.known.name} lost {first}{where}: {one.messages[first]}"


def _margin(right: Iterable[Graded]) -> str:
    tried = [
        (margin["seconds"] / margin["limit"], one, exercise, margin)
        for one in right
        for exercise, margin in one.margins.items()
    ]
    if not tried:
        return "no call of a right submission took 0.02 s"
    share, one, exercise, margin = max(tried, key=lambda each: each[0])
    return (
        f"{one.known.name} took {margin['seconds']:.2g} of {margin['limit']:g} s in {exercise}, "
        f"{margin['case']}: {share:.0%}"
    )
