"""Judges of the maze generator: what it makes, and where its luck comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from grader.model import Claim, Generate, Json
from grader.model.claims import MazeValue
from grader.oracle.facts import Facts
from grader.oracle.findings import Finding, describe, ending
from grader.oracle.perfection import shape, why_imperfect
from lab import Dimension, Factory, MazeFormatError
from lab.generators import AldousBroder

GIVEN_AWAY = "AldousBroderNotAvailable"
"""What the stand-in for AldousBroder raises in the sandbox, where the algorithm itself is not."""

MUCH_LARGER = 4
"""A maze of more than 4 times the cells that were asked for, and 4 more, is not even looked at."""

HANDED_OVER = "MyGenerator hands the work to AldousBroder; it has to make the maze itself"


def size(asked: Generate) -> Dimension:
    """The dimension that is asked for."""
    return Dimension(asked.rows, asked.columns)


def judge_perfect(asked: Generate, claim: Claim) -> Finding | None:
    """Each maze is perfect, whatever its dimension."""
    wanted = f"a perfect maze of {size(asked)}"
    if (wrong := no_maze(asked, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if not facts.is_perfect:
            text = f"made a maze with {why_imperfect(facts)}"
            return _finding(text, wanted, facts, shape(facts))
    return None


def judge_dimension(asked: Generate, claim: Claim) -> Finding | None:
    """Each maze has the dimension that was asked for."""
    wanted = f"a maze of {size(asked)}"
    if (wrong := no_maze(asked, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if facts.dimension != size(asked):
            return _finding(f"made a maze of {facts.dimension}", wanted, facts)
    return None


def judge_entry_and_exit(asked: Generate, claim: Claim) -> Finding | None:
    """Each maze has an entry and an exit."""
    wanted = f"a maze of {size(asked)} with an entry and an exit"
    if (wrong := no_maze(asked, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if facts.maze.exit is None:
            return _finding("made a maze without an exit", wanted, facts)
    return None


def judge_same(asked: Generate, one: Claim, other: Claim) -> Finding | None:
    """Two calls with the same seed made the same maze."""
    wanted = f"the same maze twice from Random({asked.seed}), whatever the module random does"
    return _judge_alike(asked, one, other, wanted, "made two different mazes")


def judge_same_anew(asked: Generate, one: Claim, other: Claim) -> Finding | None:
    """Two processes with the same seed made the same maze."""
    wanted = f"the same maze from Random({asked.seed}) whenever the program is started"
    text = "made another maze from the same seed when the program was started again"
    return _judge_alike(asked, one, other, wanted, text, "What is drawn by lot when the file is loaded?")


def _judge_alike(
    asked: Generate, one: Claim, other: Claim, wanted: str, text: str, hint: str = ""
) -> Finding | None:
    for claim in (one, other):
        if (wrong := no_maze(asked, claim, wanted)) is not None:
            return wrong
    mazes = [made(claim)[0] for claim in (one, other)]
    if mazes[0].text == mazes[1].text:
        return None
    found = _finding(text, wanted, mazes[0], mazes=[maze.text for maze in mazes])
    return replace(found, hint=hint)


def judge_different(asked: Generate, claims: Sequence[Claim]) -> Finding | None:
    """Calls with other seeds made other mazes: one pair in ten may be alike by chance."""
    wanted = f"another maze of {size(asked)} for another seed"
    for claim in claims:
        if (wrong := no_maze(asked, claim, wanted)) is not None:
            return wrong
    mazes = [made(claim)[0] for claim in claims]
    count = len({maze.text for maze in mazes})
    if 10 * count >= 9 * len(mazes):
        return None
    text = f"made {count} different maze{'s' if count > 1 else ''} from {len(mazes)} seeds"
    return _finding(text, wanted, mazes[0], mazes=[maze.text for maze in mazes[:2]])


def judge_again(asked: Generate, claims: Sequence[Claim]) -> Finding | None:
    """A second call of the same generator made another maze, for more than half of the seeds, and
    one that is perfect where the first is."""
    wanted = "another maze from the second call of generate"
    for claim in claims:
        if (wrong := no_maze(asked, claim, wanted)) is not None:
            return wrong
    pairs = [made(claim) for claim in claims]
    spoilt = [pair for pair in pairs if pair[0].is_perfect and not pair[1].is_perfect]
    if spoilt:
        _, other = spoilt[0]
        text = f"made a maze with {why_imperfect(other)} when generate was called a second time"
        found = _finding(text, f"a perfect maze of {size(asked)}", other, shape(other))
        return replace(found, hint="What does the generator still remember of the maze before?")
    same = [pair for pair in pairs if pair[0].text == pair[1].text]
    if 2 * len(same) < len(pairs):
        return None
    text = "made the same maze again when generate was called a second time"
    return _finding(text, wanted, same[0][0], mazes=[maze.text for maze in same[0]])


def judge_own_work(asked: Generate, claim: Claim) -> Finding | None:
    """The work is not handed to AldousBroder: not called, and not the same maze for the seed."""
    expected = {"text": "a maze that MyGenerator makes itself"}
    if (wrong := no_maze(asked, claim, expected["text"])) is not None:
        return wrong
    given = _given(asked.seed, size(asked))
    if made(claim)[0].text != given:
        return None
    text = f"{HANDED_OVER}: for the same seed both make the same maze"
    actual = {"text": "the maze of AldousBroder", "mazes": [given]}
    return Finding("failed", text, expected, actual, decides=True)


@lru_cache(maxsize=64)
def _given(seed: int, dimension: Dimension) -> str:
    """The maze that AldousBroder makes: the same for all submissions."""
    return AldousBroder(Random(seed)).generate(Factory(), dimension).to_text()


def made(claim: Claim) -> list[Facts]:
    """The facts of the mazes that a call gave; call ``no_maze`` first."""
    return [_facts(returned.text) for returned in claim.made if isinstance(returned, MazeValue)]


@lru_cache(maxsize=256)
def _facts(text: str) -> Facts:
    """The facts of a maze that a submission made, kept while its checks look at it."""
    facts = Facts(text)
    _ = facts.maze
    return facts


def no_maze(asked: Generate, claim: Claim, wanted: str) -> Finding | None:
    """What came is no maze that can be judged; None where it is."""
    expected = {"text": wanted}
    if claim.fault is not None and claim.fault.kind == GIVEN_AWAY:
        return Finding("failed", HANDED_OVER, expected, {"text": "AldousBroder was called"}, decides=True)
    if (broken := ending(claim, expected=expected)) is not None:
        return broken
    for returned in claim.made:
        if not isinstance(returned, MazeValue):
            text = describe(returned)
            return Finding("failed", f"returned {text}; expected a lab.Maze", expected, {"text": text})
        if (wrong := _unfit(returned.text, size(asked), expected)) is not None:
            return wrong
    return None


def _unfit(text: str, wanted: Dimension, expected: Mapping[str, Json]) -> Finding | None:
    """A maze far too large to be looked at, or a text that no maze gives, is not judged further."""
    line_ends, width = text.count("\n"), text.find("\n")
    rows, columns = line_ends // 2, width // 2
    is_rectangle = len(text) == line_ends * (width + 1) + width  # or its size would not follow from it
    if is_rectangle and rows * columns > MUCH_LARGER * wanted.position_count + MUCH_LARGER:
        words = f"made a maze of {rows} x {columns}"
        return Finding("failed", words, expected, {"text": words})
    try:
        if is_rectangle:
            _facts(text)
            return None
    except MazeFormatError:
        pass
    words = "answered with a text that is no maze"
    return Finding("violation", words, expected, {"text": words})


def _finding(
    text: str, wanted: str, facts: Facts, extra: Mapping[str, Json] | None = None, *, mazes: Json = None
) -> Finding:
    actual = {"text": text, "mazes": mazes or [facts.text]}
    return Finding("failed", text, {"text": wanted}, actual, extra={"maze": facts.text, **(extra or {})})
