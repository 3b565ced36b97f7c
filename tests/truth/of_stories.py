"""Of each sentence of a story on what ran, whether it is so."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import Any

from tests.truth.record import Held, LineCount, Moment, SecondRecord
from tests.truth.right import Cell
from tests.truth.runs import (
    MOVES_BY_NAME,
    Run,
    becomes,
    cell_of,
    has,
    holds,
    is_decided,
    is_within,
    reads,
    runs,
    statement,
    words_of,
)
from tests.truth.said import About, Said, true


@true("story_called")
def _called(said: Said, record: SecondRecord, _: About) -> bool:
    """The line made the call in which the line ran that the story is about."""
    begins = ("story_parts", "story_past", "story_again", "story_left", "story_raised", "story_changed")
    frames = {run.frame for told in said.story if told.key in begins for run in runs(told, record)}
    calls = [each for each in record.moments if each.kind == "call" and each.frame in frames]
    return any(_is_from(each, said, record) for each in calls)


def _is_from(call: Moment, said: Said, record: SecondRecord) -> bool:
    _, file, line = call.held
    place, other = statement(record, said.file, said.line), statement(record, file, line) if file else None
    return place is not None and place == other and file == said.file


@true("story_met")
def _met(said: Said, record: SecondRecord, _: About) -> bool:
    cell = cell_of(said.values["cell"])
    return any(reads(run.values, cell) or becomes(run, cell) for run in runs(said, record))


@true("story_done")
def _done(said: Said, record: SecondRecord, _: About) -> bool:
    cell = cell_of(said.values["cell"])
    return any(reads(run.values, cell) for run in runs(said, record))


@true("story_decided")
def _decided(said: Said, record: SecondRecord, _: About) -> bool:
    return any(is_decided(run, said, cell_of(said.values["cell"])) for run in runs(said, record))


@true("story_test")
def _test(said: Said, record: SecondRecord, _: About) -> bool:
    return any(is_decided(run, said) for run in runs(said, record))


@true("story_gave")
def _gave(said: Said, record: SecondRecord, _: About) -> bool:
    """An expression of the line that reads the cell, or was about it in a comprehension, had the value."""
    cell, wanted = cell_of(said.values["cell"]), said.values["value"]
    for run in runs(said, record):
        for each in run.values:
            if each.node is not None and words_of(record, each) == said.values["test"]:
                inside = [value for value in run.values if value.node and is_within(value.node, each.node)]
                if wanted in (str(each.held), told_as(each.held)) and (
                    reads(inside, cell) or each.held == cell or _is_element(run, each, cell)
                ):
                    return True
    return False


def _is_element(run: Run, value: Moment, cell: Cell) -> bool:
    """Tell whether a comprehension of the line was about a cell when one of its expressions had a value."""
    moment = run.record.moments[run.start]
    place = statement(run.record, moment.file, moment.line)
    nodes = ast.walk(place[0]) if place else ()
    targets = {ast.unparse(node.target) for node in nodes if isinstance(node, ast.comprehension)}
    return any(name in targets and held.held == cell for name, held in value.variables.items())


def told_as(held: Any) -> str:
    """Return the words for a value that holds no other."""
    return next((name for name, move in MOVES_BY_NAME.items() if move == held), repr(held))


@true("story_put")
def _put(said: Said, record: SecondRecord, _: About) -> bool:
    cell, name = cell_of(said.values["cell"]), said.values["name"]
    for run in runs(said, record):
        before, after = run.before.get(name), run.after.get(name)
        if after is not None and holds(after.held, cell) and not (before and holds(before.held, cell)):
            return True
    return False


@true("story_loop_empty", "story_loop_over")
def _loop_over(said: Said, record: SecondRecord, _: About) -> bool:
    """The line left the loop, and came to it from outside or from within."""
    place = statement(record, said.file, said.line)
    if place is None or not isinstance(place[0], ast.For):
        return False
    body = range(place[0].body[0].lineno, (place[0].body[-1].end_lineno or 0) + 1)
    for run in (each for each in runs(said, record) if each.end < len(record.moments)):
        end = record.moments[run.end]
        own = (each for each in reversed(record.moments[: run.start]) if each.frame == run.frame)
        before = next((each.line for each in own if each.kind == "line"), 0)
        has_turned = place[0].lineno <= before <= body[-1]
        if end.kind == "return" or end.line not in body:
            return has_turned is (said.key == "story_loop_over")
    return False


@true("story_returned")
def _returned(said: Said, record: SecondRecord, _: About) -> bool:
    for run in runs(said, record):
        last = record.moments[run.end : run.end + 1]
        if last and last[0].kind == "return" and last[0].text == said.values["value"]:
            return True
    return False


@true("story_fell_off")
def _fell_off(said: Said, record: SecondRecord, _: About) -> bool:
    place = statement(record, said.file, said.line)
    ends = (record.moments[run.end : run.end + 1] for run in runs(said, record))
    tree, line = ast.parse(record.files[said.file]), said.line or 0
    around = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.lineno <= line]
    within = max((each for each in around if line <= (each.end_lineno or 0)), key=lambda each: each.lineno)
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(within)):
        return False  # whoever takes from a generator gets no None
    if place is None or isinstance(place[0], ast.Return):
        return False
    return any(each and each[0].kind == "return" and each[0].held is None for each in ends)


@true("story_gives_none")
def _gives_none(said: Said, record: SecondRecord, _: About) -> bool:
    """The line used what a method of a collection gave, which was None."""
    place = statement(record, said.file, said.line)
    if place is None or ast.unparse(place[0]) == said.values["call"]:
        return False
    for run in runs(said, record):
        held = {words_of(record, each): each.held for each in run.values if each.node is not None}
        owner = held.get(said.values["name"])
        is_changed = isinstance(owner, Held) and owner.kind in ("list", "set", "dict", "deque")
        if is_changed and held.get(said.values["call"], owner) is None:
            return True
    return False


@true("story_raised")
def _raised(said: Said, record: SecondRecord, __: About) -> bool:
    kind, _, message = said.values["error"].partition(": ")
    for run in runs(said, record):
        within = record.moments[run.start : run.end + 1]
        over = {each.frame for each in within if each.kind == "return"}
        raised = (each for each in within if each.kind == "raise" and each.frame not in over)
        same = (each for each in raised if each.name == kind and _is_begin(message, each.text))
        first = next(same, None)  # the calls that it leaves come later
        if first is not None and (
            first.frame == run.frame or (first.file, first.line) == (said.file, said.line)
        ):
            return True
    return False


def _is_begin(cut: str, whole: str) -> bool:
    return whole == cut or (len(cut) > 60 and whole.startswith(cut.removesuffix("…")))


@true("story_caught")
def _caught(said: Said, record: SecondRecord, _: About) -> bool:
    raised = next(each for each in said.story if each.key == "story_raised")
    kind = raised.values["error"].partition(": ")[0]
    frames = {each.frame for each in record.moments if (each.file, each.line) == (said.file, said.line)}
    for frame in frames:
        own = [each for each in record.moments if each.frame == frame and each.kind in ("line", "raise")]
        for before, each in pairwise(own):
            if (before.kind, before.name) == ("raise", kind) and (each.kind, each.line) == (
                "line",
                said.line,
            ):
                return True
    return False


@true("story_rounds")
def _rounds(said: Said, _: SecondRecord, about: About) -> bool:
    counted = LineCount(said.file, said.line or 0)
    ended = about.made(counted)["outcome"]
    return counted.count >= int(said.values["count"]) and ended == "endless"


@true("story_waits")
def _waits(said: Said, record: SecondRecord, _: About) -> bool:
    last = [each for each in record.moments if each.kind == "line"][-1]
    return (last.file, last.line) == (said.file, said.line) and has(said.shown, last)


@true("story_not_begun")
def _not_begun(said: Said, record: SecondRecord, _: About) -> bool:
    name = said.values["name"]
    return is_generator(record, said.file, name) and any(
        any(isinstance(each.held, Held) and each.held.kind == "generator" for each in run.values)
        and not any(each.kind == "call" and each.name == name for each in run.moments)
        for run in runs(said, record)
    )


@true("story_is_generator")
def _is_generator(said: Said, record: SecondRecord, _: About) -> bool:
    return is_generator(record, said.file, said.values["name"])


def is_generator(record: SecondRecord, file: str, name: str) -> bool:
    """Tell whether Python makes generators of all functions of that name."""
    codes = [compile(record.files[file], file, "exec")]
    found = []
    while codes:
        code = codes.pop()
        inner = [each for each in code.co_consts if hasattr(each, "co_code")]
        codes += inner
        found += [each for each in inner if each.co_name == name]
    return bool(found) and all(each.co_flags & 0x20 for each in found)
