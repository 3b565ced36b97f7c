"""What the results of a bank say about the tests, as data, as text and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from textwrap import wrap
from typing import Any

from grader.batch.report import render
from grader.course.maze_files import MazeFile
from grader.course.plan import Plan
from grader.points import round_points
from grader.verification.bank import Graded
from grader.verification.survivors import Survivors
from lab.proportion import FEW_CASES, MOST_CASES


@dataclass(frozen=True, slots=True)
class Caught:
    """The wrong submissions that a check or a maze caught."""

    names: tuple[str, ...]
    names_alone: tuple[str, ...]
    """Those that no other check of the exercise caught or, for a maze, no other test maze."""

    @property
    def count(self) -> int:
        """The number of wrong submissions that it caught."""
        return len(self.names)

    @property
    def alone(self) -> int:
        """How many of these nothing else caught."""
        return len(self.names_alone)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A mistake that a maze claims to catch, by its id, and the submissions that show it."""

    maze: str
    misconception: str
    caught: int
    holders: int

    @property
    def is_untrue(self) -> bool:
        """Whether there are submissions with that mistake, and the maze catches none of them."""
        return self.holders > 0 and not self.caught


@dataclass(frozen=True, slots=True)
class Loss:
    """What a wrong submission lost in an exercise."""

    name: str
    exercise: str
    lost: float
    most: float
    wrong_share: float | None
    """The share of cases that are wrong, among those that students would try; None if no such check failed.
    """

    @property
    def out_of_proportion(self) -> str:
        """The part of the proportion rule that the loss breaks; empty if none."""
        part = self.lost / self.most if self.most else 0.0
        if self.wrong_share is None:
            return ""
        if self.wrong_share > MOST_CASES and part < 1 / 2:
            return "wrong on most cases, and loses less than half"
        if self.wrong_share < FEW_CASES and part > 1 / 3:
            return "wrong on few cases, and loses more than a third"
        return ""


@dataclass(frozen=True, slots=True)
class Findings:
    """All findings about the tests, with ``sound`` as their summary."""

    right: int
    wrong: int
    by_exercise: Mapping[str, tuple[int, int]]
    """By exercise, how many wrong submissions lost points, and how many should have."""
    checks: Mapping[str, Caught]
    mazes: Mapping[str, Caught]
    claims: Sequence[Claimed]
    caught: Mapping[str, Sequence[str]]
    """Wrong submissions that lost points as they should, by exercise."""
    missed: Sequence[str]
    """A line for each wrong submission that lost nothing in an exercise."""
    punished: Sequence[str]
    """A line for each case of right work that lost points."""
    margin: str
    """A line about the right submission that came closest to a time limit."""
    losses: Sequence[Loss] = ()
    """What each wrong submission lost in the exercises in which it should."""

    @property
    def out_of_proportion(self) -> list[Loss]:
        """The losses that break the proportion rule."""
        return [loss for loss in self.losses if loss.out_of_proportion]

    @property
    def untrue(self) -> list[Claimed]:
        """The untrue claims of mazes."""
        return [claim for claim in self.claims if claim.is_untrue]

    @property
    def sound(self) -> bool:
        """Whether every mistake was caught, nothing right was punished, and every maze's claims are true."""
        return not self.missed and not self.punished and not self.untrue

    def as_data(self) -> dict[str, Any]:
        """Return the findings as plain data for JSON."""
        return {**asdict(self), "sound": self.sound}


def find(graded: Sequence[Graded], plan: Plan) -> Findings:
    """Evaluate the results of a bank graded with a plan."""
    right = [one for one in graded if not one.known.loses and not one.known.earns_nothing]
    wrong = [one for one in graded if one.known.loses]
    mazes = plan.rubric.mazes
    return Findings(
        len(right),
        len(wrong),
        {exercise.id: _score(wrong, exercise.id) for exercise in plan.exercises},
        {
            check.id: _count_by_check(wrong, check.id)
            for exercise in plan.exercises
            for check in exercise.checks
        },
        {maze.name: _count_by_maze(wrong, maze.name) for maze in mazes},
        [claim for maze in mazes for claim in _claims(wrong, maze)],
        {exercise.id: _names_caught(wrong, exercise.id) for exercise in plan.exercises},
        [line for one in graded for line in _describe_missed(one)],
        [line for one in graded for line in _describe_punished(one)],
        _margin(right),
        [loss for exercise in plan.exercises for loss in _losses(wrong, exercise.id)],
    )


def _losses(wrong: Iterable[Graded], exercise: str) -> Iterator[Loss]:
    for one in _must_lose(wrong, exercise):
        score, most = one.scores[exercise]
        yield Loss(one.known.name, exercise, round_points(most - score), most, one.wrong_shares.get(exercise))


def _is_full(one: Graded, exercise: str) -> bool:
    score, most = one.scores[exercise]
    return score >= most


def _score(wrong: Iterable[Graded], exercise: str) -> tuple[int, int]:
    due = _must_lose(wrong, exercise)
    return sum(not _is_full(one, exercise) for one in due), len(due)


def _names_caught(wrong: Iterable[Graded], exercise: str) -> list[str]:
    return [one.known.name for one in _must_lose(wrong, exercise) if not _is_full(one, exercise)]


def _must_lose(wrong: Iterable[Graded], exercise: str) -> list[Graded]:
    return [one for one in wrong if exercise in one.known.loses and exercise in one.scores]


def _count_by_check(wrong: Iterable[Graded], check: str) -> Caught:
    exercise = check.partition(".")[0]
    losers = {one.known.name: one.lost.get(exercise, ()) for one in wrong if exercise in one.known.loses}
    return Caught(
        tuple(name for name, lost in losers.items() if check in lost),
        tuple(name for name, lost in losers.items() if lost == (check,)),
    )


def _count_by_maze(wrong: Iterable[Graded], maze: str) -> Caught:
    found = [
        (one.known.name, names)
        for one in wrong
        for names in _mazes_by_exercise(one).values()
        if maze in names
    ]
    return Caught(tuple(name for name, _ in found), tuple(name for name, names in found if names == {maze}))


def _mazes_by_exercise(one: Graded) -> dict[str, set[str]]:
    """Return the test mazes that caught a wrong submission, by exercises in which it is wrong."""
    found: dict[str, set[str]] = {exercise: set() for exercise in one.known.loses}
    for check, names in one.wrong_mazes.items():
        exercise = check.partition(".")[0]
        if exercise in found:
            found[exercise].update(names)
    return found


def _claims(wrong: Sequence[Graded], maze: MazeFile) -> Iterator[Claimed]:
    for id_ in maze.mistakes:
        exercise = id_.partition(".")[0]
        holders = [one for one in wrong if id_ in one.known.mistakes and exercise in one.scores]
        caught = sum(maze.name in _mazes_by_exercise(one)[exercise] for one in holders)
        yield Claimed(maze.name, id_, caught, len(holders))


def _describe_missed(one: Graded) -> Iterable[str]:
    if one.known.earns_nothing:
        earned = {id_: score for id_, (score, _) in one.scores.items() if score}
        yield from (f"{one.known.name} earned {score:g} in {id_}" for id_, score in earned.items())
    for exercise in sorted(one.known.loses & one.scores.keys()):
        if _is_full(one, exercise):
            yield f"{one.known.name} lost nothing in {exercise}"


def _describe_punished(one: Graded) -> Iterable[str]:
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


_SHOWN = 20
"""The most lines of each list that are printed."""


def format_findings(found: Findings) -> str:
    """Format all findings; those that need attention come last."""
    return "\n".join(_finding_lines(found))


def _finding_lines(found: Findings) -> Iterator[str]:
    yield f"{found.right} right and {found.wrong} wrong submissions"
    yield "\nMistakes caught, by exercise"
    for exercise, (caught, due) in found.by_exercise.items():
        yield (
            f"  {exercise:<12} {caught:>4} of {due:<4} {caught / due:>6.1%}"
            if due
            else f"  {exercise:<12}    -"
        )
    yield from _caught_lines("Checks", found.checks)
    yield from _caught_lines("Test mazes", found.mazes)
    yield from _claim_lines(found.claims)
    yield from _loss_lines(found.losses)
    yield f"\nClosest to a limit, of the right ones: {found.margin}"
    broken = [f"{loss.name}: {loss.out_of_proportion}" for loss in found.out_of_proportion]
    yield from _list_lines("Losses out of proportion", broken)
    yield from _list_lines("Wrong submissions that lost nothing where they should", found.missed)
    yield from _list_lines("Right work that was punished", found.punished)
    yield f"\nThe tests are {'sound' if found.sound else 'not sound'}."


def format_maze_report(found: Findings, maze: str) -> str:
    """Say what one new maze would add."""
    lines = [f"{maze}: asked by {', '.join(found.checks)}", "\nMistakes that it catches, by exercise"]
    for exercise, (caught, due) in found.by_exercise.items():
        lines.append(f"  {exercise:<12} {caught:>4} of {due}")
    lines += _claim_lines(found.claims)
    lines.append(f"\nClosest to a limit, of the right ones: {found.margin}")
    lines += _list_lines("Right work that would be punished", found.punished)
    lines.append("\nIt punishes right work." if found.punished else "\nNo right work is punished.")
    return "\n".join(lines)


def format_mutants(found: Survivors) -> str:
    """Say how many mutants were caught or are equivalent, and which survived."""
    lines = ["Mutants, by exercise      caught  equivalent  survived   score"]
    for exercise, (caught, equivalent, count) in found.by_exercise.items():
        wrong = count - equivalent
        score = f"{caught / wrong:>7.1%}" if wrong else "      -"
        lines.append(f"  {exercise:<12} {count:>6} {caught:>10} {equivalent:>11} {wrong - caught:>9} {score}")
    lines += _list_lines("Survived, and wrong on something small: holes in the tests", found.survivors)
    return "\n".join(lines)


def _caught_lines(title: str, rows: Mapping[str, Caught]) -> Iterator[str]:
    """Yield a line for each test, marking those that caught nothing alone."""
    if not rows:
        return
    width = max(map(len, rows))
    yield f"\n{title:<{width + 2}} caught  alone"
    for name, caught in rows.items():
        remark = "" if caught.alone else "  nothing of its own"
        yield f"  {name:<{width}} {caught.count:>6} {caught.alone:>6}{remark}"
        others = [each for each in caught.names if each not in caught.names_alone]
        yield from _name_lines("alone", caught.names_alone)
        yield from _name_lines("with others", others)


def _name_lines(title: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the names in lines of at most 110 characters."""
    if names:
        yield from wrap(
            f"{title}: {', '.join(names)}", 110, initial_indent="      ", subsequent_indent="        "
        )


def _loss_lines(losses: Sequence[Loss]) -> Iterator[str]:
    """Yield what each wrong submission lost, the smallest loss first."""
    if not losses:
        return
    yield "\nWhat each wrong submission loses, and on which share of ordinary cases it is wrong"
    width = max(len(loss.name) for loss in losses)
    for loss in sorted(losses, key=lambda loss: (loss.exercise, loss.lost, loss.name)):
        share = "" if loss.wrong_share is None else f"{loss.wrong_share:>7.1%}"
        points = f"{loss.lost:g} of {loss.most:g}"
        yield f"  {loss.exercise:<12} {loss.name:<{width}} {points:>11} {share}".rstrip()


def _claim_lines(claims: Sequence[Claimed]) -> Iterator[str]:
    if claims:
        yield "\nMistakes that mazes claim to catch, and caught of the submissions with that mistake"
        width = max(len(claim.maze) for claim in claims)
        for claim in claims:
            remark = "  not true" if claim.is_untrue else "" if claim.holders else "  no submission has it"
            yield f"  {claim.maze:<{width}}  {claim.misconception}: {claim.caught} of {claim.holders}{remark}"


def _list_lines(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"\n{title}: {len(lines)}"
        yield from (f"  {line}" for line in lines[:_SHOWN])
        if len(lines) > _SHOWN:
            yield f"  and {len(lines) - _SHOWN} more"


def render_findings(found: Findings, title: str) -> str:
    """Render the HTML page."""
    caught, due = (sum(column) for column in zip(*found.by_exercise.values(), strict=True))
    return render(
        "verification.html.j2",
        title=title,
        found=found,
        score=caught / due if due else None,
        parts=(("checks", "Checks", "check", found.checks), ("mazes", "Test mazes", "maze", found.mazes)),
    )
