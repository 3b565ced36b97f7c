"""Judges of the maze generator: what it makes, and where its randomness comes from.

Tell whether mazes are those that the stand-in for AldousBroder hands out while a file is loaded.

It hands out one maze per dimension, by a rule without randomness that nobody writes by chance. Whoever
disables its guard against calls, or keeps what it gave, returns that maze for every seed.
``inside/child.py`` has the same rule for the box, whose word is not trusted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from grader.exercises.generator.given_walk import TURNS, Turn, is_given_walk, turned_cell
from grader.exercises.kit.facts import Facts, shape, why_imperfect
from grader.exercises.kit.findings import Finding, cell_text, describe, ending
from grader.exercises.kit.trees import Compared
from grader.languages import Message, said
from grader.model import Claim, Generate, Telling
from grader.model.claims import MazeValue
from lab import Dimension, Factory, Maze, MazeFormatError, Vector
from lab.vector import EAST, NORTH


def are_handed_out(mazes: Sequence[Facts]) -> bool:
    """Return whether more than half of the mazes are handed out, perhaps rotated or mirrored."""
    return 2 * sum(maze.walls in _walls(maze.dimension) for maze in mazes) > len(mazes)


def handed_out(dimension: Dimension) -> Maze:
    """Make the stand-in's maze: a corridor for each row, and one door from each to the next."""
    maze, columns = Factory().fully_disconnected(dimension), dimension.column_count
    for cell in dimension.all_positions():
        if cell.column < columns:
            maze.break_wall(cell, EAST)
        if cell.row > 1 and cell.column == (7 * cell.row * cell.row + 3 * cell.row) // 4 % columns + 1:
            maze.break_wall(cell, NORTH)
    return maze


@lru_cache(maxsize=8)
def _walls(dimension: Dimension) -> frozenset[str]:
    """Return the walls of a dimension's stand-in maze in all rotations and reflections."""
    return frozenset(Facts(_laid(dimension, turn).to_text()).walls for turn in TURNS)


def _laid(dimension: Dimension, turn: Turn) -> Maze:
    rows, columns = dimension.row_count, dimension.column_count
    given = Facts(handed_out(Dimension(columns, rows) if turn[0] else dimension).to_text())
    maze = Factory().fully_disconnected(dimension)
    for cell in given.dimension.all_positions():
        for move in given.maze.valid_moves_at(cell):
            here, there = turned_cell(cell, given, turn), turned_cell(cell + move, given, turn)
            maze.break_wall(here, Vector(there.row - here.row, there.column - here.column))
    return maze


OWN = said("own_maze")
"""What is expected of who is to make mazes alone."""
GIVEN_AWAY = "AldousBroderNotAvailable"
"""The exception of the stand-in for AldousBroder, which is not in the sandbox itself."""

MUCH_LARGER = 4
"""A maze of more than 4 times the requested cells, and 4 more, is not examined at all."""

ENOUGH_SEEDS = 4
"""Fewer mazes may be alike by chance."""
MOST_FAULTS = 1 / 8
"""How many passages per cell may be missing or superfluous in mazes that are mostly perfect: a right idea
with a slip has one for ten cells, opening one wall per cell at random has one for seven."""


def size(asked: Generate) -> Dimension:
    """Return the requested dimension."""
    return Dimension(asked.rows, asked.columns)


def _name(asked: Generate) -> str:
    return str(size(asked))


def judge_perfect(asked: Generate, claim: Claim) -> Finding | None:
    """Judge whether each maze is perfect, whatever its dimension."""
    wanted = said("a_perfect_maze", size=_name(asked))
    if (wrong := no_maze(asked, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if not facts.is_perfect:
            text = said("made_flawed", flaw=_flaw(facts))
            return _finding(text, wanted, facts, shape(facts))
    return None


def judge_dimension(asked: Generate, claim: Claim) -> Finding | None:
    """Judge whether each maze has the requested dimension."""
    wanted = said("a_maze", size=_name(asked))
    if (wrong := no_maze(asked, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if facts.dimension != size(asked):
            return _finding(said("made_size", size=str(facts.dimension)), wanted, facts)
    return None


def judge_entry_and_exit(asked: Generate, claim: Claim) -> Finding | None:
    """Judge whether each maze has an entry and an exit."""
    wanted = said("entry_and_exit", size=_name(asked))
    if (wrong := no_maze(asked, claim, wanted)) is not None:
        return wrong
    for facts in made(claim):
        if facts.maze.exit is None:
            return _finding(said("made_no_exit"), wanted, facts)
    return None


def judge_same(asked: Generate, one: Claim, other: Claim) -> Finding | None:
    """Judge whether two calls with the same seed made the same maze."""
    wanted = said("same_twice", seed=asked.seed)
    return _judge_alike(asked, (one, other), wanted, said("made_two"))


def judge_same_anew(asked: Generate, one: Claim, other: Claim) -> Finding | None:
    """Judge whether two processes with the same seed made the same maze."""
    wanted = said("same_anew", seed=asked.seed)
    return _judge_alike(asked, (one, other), wanted, said("made_another"))


def _judge_alike(
    asked: Generate, claims: tuple[Claim, Claim], wanted: Message, text: Message
) -> Finding | None:
    for claim in claims:
        if (wrong := no_maze(asked, claim, wanted)) is not None:
            return wrong
    mazes = [made(claim)[0] for claim in claims]
    if mazes[0].text == mazes[1].text:
        return None
    return _finding(text, wanted, mazes[0], mazes=[maze.text for maze in mazes])


def judge_different(asked: Generate, claims: Sequence[Claim]) -> Finding | None:
    """Judge whether other seeds made other mazes: one pair in ten may be alike by chance."""
    wanted = said("for_another_seed", size=_name(asked))
    for claim in claims:
        if (wrong := no_maze(asked, claim, wanted)) is not None:
            return wrong
    mazes = [made(claim)[0] for claim in claims]
    count = len({maze.walls for maze in mazes})
    if 10 * count >= 9 * len(mazes):
        return None
    seeds = len(mazes)
    text = said("made_one", seeds=seeds) if count == 1 else said("made_few", count=count, seeds=seeds)
    return _finding(text, wanted, mazes[0], mazes=[maze.text for maze in mazes[:2]])


def judge_not_alike(asked: Generate, claims: Sequence[Claim]) -> Finding | None:
    """Judge whether other seeds did not all make the same maze."""
    wanted = said("for_another_seed", size=_name(asked))
    for claim in claims:
        if (wrong := no_maze(asked, claim, wanted)) is not None:
            return wrong
    mazes = [made(claim)[0] for claim in claims]
    if len(mazes) < ENOUGH_SEEDS or len({maze.walls for maze in mazes}) > 1:
        return None
    text = said("made_one", seeds=len(mazes))
    return _finding(text, wanted, mazes[0], mazes=[maze.text for maze in mazes[:2]])


def judge_again(asked: Generate, claims: Sequence[Claim]) -> Finding | None:
    """Judge whether a generator's second call made another maze, for more than half of the seeds.

    If the first mazes are all perfect, most of the second ones must be, too: a minority may be bad luck.
    """
    wanted = said("from_second_call")
    for claim in claims:
        if (wrong := no_maze(asked, claim, wanted)) is not None:
            return wrong
    pairs = [made(claim) for claim in claims]
    spoilt = [pair for pair in pairs if not pair[1].is_perfect]
    if 2 * len(spoilt) >= len(pairs) and all(first.is_perfect for first, _ in pairs):
        _, other = spoilt[0]
        text = said("made_flawed_again", flaw=_flaw(other))
        return _finding(text, said("a_perfect_maze", size=_name(asked)), other, shape(other))
    same = [pair for pair in pairs if pair[0].walls == pair[1].walls]
    if 2 * len(same) < len(pairs):
        return None
    return _finding(said("made_again"), wanted, same[0][0], mazes=[maze.text for maze in same[0]])


def judge_on_the_whole(asked: Generate, claims: Sequence[Claim]) -> Finding | None:
    """Judge whether the mazes, taken together, are perfect except for a few passages."""
    wanted = said("a_nearly_perfect_maze", size=_name(asked))
    broken = [no_maze(asked, claim, wanted) for claim in claims]
    if all(broken):
        return broken[0]
    mazes = [made(claim)[0] for claim, wrong in zip(claims, broken, strict=True) if wrong is None]
    if sum(map(_faults, mazes)) <= MOST_FAULTS * sum(maze.dimension.position_count for maze in mazes):
        return None
    worst = max(mazes, key=_faults)
    return _finding(said("made_flawed", flaw=_flaw(worst)), wanted, worst, shape(worst))


def _faults(facts: Facts) -> int:
    return facts.fault_count


def judge_own_work(calls: Sequence[tuple[Generate, Claim]], compared: Compared) -> Finding | None:
    """Judge whether AldousBroder does the work, called or copied.

    The drawn numbers tell, and so does a copy among what ran.
    """
    wanted = OWN
    broken = [no_maze(asked, claim, wanted) for asked, claim in calls]
    if all(broken):
        return broken[0]
    mazes = mazes_of(calls)
    asked, _ = calls[0]
    if any(maze.dimension != size(asked) for _, maze in mazes):
        return None
    if are_handed_out([maze for _, maze in mazes]):
        sentence, came = said("handed_over"), said("given_called")
    elif compared.copied or (is_given_walk(mazes) and (compared.unseen or not _chose(calls))):
        sentence, came = said("handed_over_copied"), said("given_walk")
    else:
        return None
    actual: dict[str, Telling] = {"text": came, "mazes": [mazes[0][1].text]}
    return Finding("failed", sentence, {"text": wanted}, actual, decides=True)


def mazes_of(calls: Sequence[tuple[Generate, Claim]]) -> list[tuple[int, Facts]]:
    """Return the mazes that calls made, with their seeds; none of a call that made none."""
    return [(asked.seed, made(claim)[0]) for asked, claim in calls if no_maze(asked, claim, OWN) is None]


def _chose(calls: Sequence[tuple[Generate, Claim]]) -> bool:
    """Return whether moves were drawn by ``choices``.

    Of all functions that choose, it alone draws as AldousBroder does, and so makes the same mazes.
    """
    return all(claim.ran is not None and claim.ran.chose for _, claim in calls)


def made(claim: Claim) -> list[Facts]:
    """Return the facts of the mazes that a call made; call ``no_maze`` first."""
    return [_facts(returned.text) for returned in claim.made if isinstance(returned, MazeValue)]


@lru_cache(maxsize=256)
def _facts(text: str) -> Facts:
    """Return the facts of a submission's maze, cached while its checks use it."""
    facts = Facts(text)
    _ = facts.maze
    return facts


def no_maze(asked: Generate, claim: Claim, wanted: Message) -> Finding | None:
    """Return a finding if a call made no mazes that can be judged; else None."""
    expected = {"text": wanted}
    if claim.fault is not None and claim.fault.kind == GIVEN_AWAY:
        came = {"text": said("given_called")}
        return Finding("failed", said("handed_over"), expected, came, decides=True)
    if (broken := ending(claim, expected=expected)) is not None:
        return broken
    for returned in claim.made:
        if not isinstance(returned, MazeValue):
            text = describe(returned)
            return Finding("failed", said("no_maze", value=text), expected, {"text": text})
        if (wrong := _unfit(returned.text, size(asked), expected)) is not None:
            return wrong
    return None


def _flaw(facts: Facts) -> Message:
    """Say what makes a maze imperfect, and the first cell that shows it."""
    cell = (*facts.islands, *facts.cycle)[0]
    return said("flaw_at", flaw=why_imperfect(facts), cell=cell_text(cell))


def _unfit(text: str, wanted: Dimension, expected: Mapping[str, Telling]) -> Finding | None:
    """Refuse a maze that is far too large, or a text that is no maze, without further checks."""
    line_ends, width = text.count("\n"), text.find("\n")
    rows, columns = line_ends // 2, width // 2
    is_rectangle = len(text) == line_ends * (width + 1) + width  # or its size would not follow from it
    if is_rectangle and rows * columns > MUCH_LARGER * wanted.position_count + MUCH_LARGER:
        words = said("made_size", size=f"{rows} x {columns}")
        return Finding("failed", words, expected, {"text": words})
    try:
        if is_rectangle:
            _facts(text)
            return None
    except MazeFormatError:
        pass
    words = said("no_maze_text")
    return Finding("violation", words, expected, {"text": words})


def _finding(
    text: Message,
    wanted: Message,
    facts: Facts,
    extra: Mapping[str, Telling] | None = None,
    *,
    mazes: Sequence[str] = (),
) -> Finding:
    actual: dict[str, Telling] = {"text": text, "mazes": mazes or [facts.text]}
    return Finding("failed", text, {"text": wanted}, actual, extra={"maze": facts.text, **(extra or {})})
