"""Judges of the maze generator: what it makes, and where its luck comes from."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from grader.model import Call, Claim, Plain
from grader.oracle.facts import Facts, facts_of
from grader.oracle.findings import Finding, describe, ending
from grader.oracle.perfection import shape, why_imperfect
from lab import Dimension, Factory
from lab.generators import AldousBroder

GIVEN_AWAY = "AldousBroderNotAvailable"
"""What the stand-in for AldousBroder raises in the sandbox, where the algorithm itself is not."""

HANDED_OVER = "MyGenerator hands the work to AldousBroder; it has to make the maze itself"


def size(call: Call) -> Dimension:
    """The dimension that a call asks for."""
    return Dimension(call.arguments["rows"], call.arguments["columns"])


def judge_perfect(call: Call, claim: Claim) -> Finding | None:
    """Each maze is perfect, whatever its dimension."""
    wanted = f"a perfect maze of {size(call)}"
    if (wrong := _no_maze(call, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if not facts.is_perfect:
            text = f"made a maze with {why_imperfect(facts)}"
            return _finding(text, wanted, facts, shape(facts))
    return None


def judge_dimension(call: Call, claim: Claim) -> Finding | None:
    """Each maze has the dimension that was asked for."""
    wanted = f"a maze of {size(call)}"
    if (wrong := _no_maze(call, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if facts.dimension != size(call):
            return _finding(f"made a maze of {facts.dimension}", wanted, facts)
    return None


def judge_entry_and_exit(call: Call, claim: Claim) -> Finding | None:
    """Each maze has an entry and an exit."""
    wanted = f"a maze of {size(call)} with an entry and an exit"
    if (wrong := _no_maze(call, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if facts.maze.exit is None:
            return _finding("made a maze without an exit", wanted, facts)
    return None


def judge_same(call: Call, one: Claim, other: Claim) -> Finding | None:
    """Two calls with the same seed made the same maze."""
    seed = call.arguments["seed"]
    wanted = f"the same maze twice from Random({seed}), whatever the module random does"
    for claim in (one, other):
        if (wrong := _no_maze(call, claim, wanted)) is not None:
            return wrong
    mazes = [made(claim)[0] for claim in (one, other)]
    if mazes[0].text == mazes[1].text:
        return None
    return _finding("made two different mazes", wanted, mazes[0], mazes=[maze.text for maze in mazes])


def judge_different(call: Call, claims: Sequence[Claim]) -> Finding | None:
    """Calls with other seeds made other mazes: more than half of them differ from all before."""
    wanted = f"another maze of {size(call)} for another seed"
    for claim in claims:
        if (wrong := _no_maze(call, claim, wanted)) is not None:
            return wrong
    mazes = [made(claim)[0] for claim in claims]
    count = len({maze.text for maze in mazes})
    if 2 * count > len(mazes):
        return None
    text = f"made {count} different maze{'s' if count > 1 else ''} from {len(mazes)} seeds"
    return _finding(text, wanted, mazes[0], mazes=[maze.text for maze in mazes[:2]])


def judge_again(call: Call, claims: Sequence[Claim]) -> Finding | None:
    """A second call of the same generator made another maze, for more than half of the seeds."""
    wanted = "another maze from the second call of generate"
    for claim in claims:
        if (wrong := _no_maze(call, claim, wanted)) is not None:
            return wrong
    pairs = [made(claim) for claim in claims]
    same = [pair for pair in pairs if pair[0].text == pair[1].text]
    if 2 * len(same) < len(pairs):
        return None
    text = "made the same maze again when generate was called a second time"
    return _finding(text, wanted, same[0][0], mazes=[maze.text for maze in same[0]])


def judge_own_work(call: Call, claim: Claim) -> Finding | None:
    """The work is not handed to AldousBroder: not called, and not the same maze for the seed."""
    expected = {"text": "a maze that MyGenerator makes itself"}
    if (wrong := _no_maze(call, claim, expected["text"])) is not None:
        return wrong
    given = AldousBroder(Random(call.arguments["seed"])).generate(Factory(), size(call)).to_text()
    if made(claim)[0].text != given:
        return None
    text = f"{HANDED_OVER}: for the same seed both make the same maze"
    actual = {"text": "the maze of AldousBroder", "mazes": [given]}
    return Finding("failed", text, expected, actual, decides=True)


def made(claim: Claim) -> list[Facts]:
    """The facts of the mazes that a call gave; call ``_no_maze`` first."""
    return [facts_of(returned["value"]) for returned in claim.value["returned"]]


def _no_maze(call: Call, claim: Claim, wanted: str) -> Finding | None:
    expected = {"text": wanted}
    if claim.fault is not None and claim.fault.kind == GIVEN_AWAY:
        return Finding("failed", HANDED_OVER, expected, {"text": "AldousBroder was called"}, decides=True)
    if (broken := ending(claim, expected=expected)) is not None:
        return broken
    for returned in claim.value["returned"]:
        if returned["type"] != "maze":
            text = describe(returned)
            return Finding("failed", f"returned {text}; expected a lab.Maze", expected, {"text": text})
    return None


def _finding(
    text: str, wanted: str, facts: Facts, extra: dict[str, Plain] | None = None, *, mazes: Plain = None
) -> Finding:
    actual = {"text": text, "mazes": mazes or [facts.text]}
    return Finding("failed", text, {"text": wanted}, actual, extra={"maze": facts.text, **(extra or {})})
