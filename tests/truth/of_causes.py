"""Of each sentence on what lies behind a wrong step, whether it is so."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from tests.truth.of_objects import text_of
from tests.truth.record import Moment, SecondRecord, Variable, parts_of
from tests.truth.runs import Run, is_quoted, is_told, runs, statement
from tests.truth.said import About, Said, true


def _turns(loop: ast.For | ast.While, run: Run) -> list[int]:
    """Return where the turns of a loop began, up to a run of a line in it, since it was come to."""
    lines = (
        at
        for at in range(run.start, -1, -1)
        if (run.record.moments[at].kind, run.record.moments[at].frame) == ("line", run.frame)
    )
    within = range(loop.lineno, (loop.end_lineno or 0) + 1)
    since = [*takewhile(lambda at: run.record.moments[at].line in within, lines)]
    return [at for at in reversed(since) if run.record.moments[at].line == loop.lineno]


@true("story_passed_over")
def _passed_over(said: Said, record: SecondRecord, _: About) -> bool:
    """The loop came to that place, and the element stood before it and had had no turn."""
    place, name, item = statement(record, said.file, said.line), said.values["name"], said.values["item"]
    all_runs = [*runs(said._replace(shown={}), record)]
    for run in runs(said, record):
        if place is None or not isinstance(loop := place[0], ast.For):
            return False
        begun, held = _turns(loop, run), run.before[name].held
        had = [each for each in all_runs if each.start in begun[:-1]]
        is_one = all(each.before[name].held.id == held.id for each in had)
        if len(begun) != int(said.values["place"]) or ast.unparse(loop.iter) != name or not is_one:
            continue
        given = [_given(loop.target, each) for each in had]
        if item in [*map(text_of, held.parts)][: len(had)] and item not in map(text_of, given):
            return True
    return False


def _given(target: ast.expr, run: Run) -> Any:
    """Return what the variables of a loop were given by a turn."""
    if isinstance(target, ast.Tuple):
        return tuple(_given(each, run) for each in target.elts)
    return run.after[ast.unparse(target)].held


@true("story_ended_loop")
def _ended_loop(said: Said, record: SecondRecord, _: About) -> bool:
    """The line ran in that turn of that loop, and left it."""
    place, loop = (statement(record, said.file, line) for line in (said.line, int(said.values["loop"])))
    if place is None or loop is None or not isinstance(loop[0], ast.For | ast.While):
        return False
    within = range(loop[0].lineno, (loop[0].body[-1].end_lineno or 0) + 1)
    return isinstance(place[0], ast.Break | ast.Return) and any(
        len(_turns(loop[0], run)) == int(said.values["turn"])
        and (record.moments[run.end].kind == "return" or record.moments[run.end].line not in within)
        for run in runs(said, record)
    )


@true("story_cached")
def _cached(said: Said, record: SecondRecord, _: About) -> bool:
    """The line called a function that has this decorator, which did not run then, and had run before."""
    name, found = said.values["name"], ast.walk(ast.parse(record.files[said.file]))
    decorated = [
        each
        for each in found
        if isinstance(each, ast.FunctionDef)
        and each.name == name
        and said.values["cache"] in map(ast.unparse, _called(each.decorator_list))
    ]

    def is_call(moment: Moment) -> bool:
        return moment.kind == "call" and moment.name == name

    def has_asked(run: Run) -> bool:
        called = (each.node.func for each in run.values if isinstance(each.node, ast.Call))
        return any(ast.unparse(each).rpartition(".")[2] == name for each in called)

    return bool(decorated) and any(
        has_asked(run)
        and any(map(is_call, record.moments[: run.start]))
        and not any(map(is_call, run.moments))
        for run in runs(said, record)
    )


def _called(decorators: Sequence[ast.expr]) -> list[ast.expr]:
    return [each.func if isinstance(each, ast.Call) else each for each in decorators]


@true("story_own_name")
def _own_name(said: Said, record: SecondRecord, _: About) -> bool:
    """The function gave the variable that value, and one of that name in another call was another."""
    name, value, kept = (said.values[each] for each in ("name", "value", "kept"))
    for run in runs(said, record):
        calls = {each.frame: each.name for each in record.moments if each.kind == "call"}
        if calls[run.frame] == said.values["inner"] and run.after[name].text == value:
            later = (each for each in record.moments[run.end :] if each.frame != run.frame)
            others = [each.variables[name] for each in later if name in each.variables]
            if any(is_told(kept, each) for each in others):
                return True
    return False


@true("story_late")
def _late(said: Said, record: SecondRecord, _: About) -> bool:
    """The line made lambdas while the variable was this and that, and these ran with the last value."""
    name, node = said.values["name"], statement(record, said.file, said.line)
    inside = [each for each in ast.walk(node[0]) if isinstance(each, ast.Lambda)] if node else []
    made = [*runs(said._replace(shown={}), record)]
    for body in (each.body for each in inside):
        ran = [
            at
            for at, each in enumerate(record.moments)
            if each.node is not None
            and (each.node.lineno, each.node.col_offset, each.node.end_col_offset)
            == (body.lineno, body.col_offset, body.end_col_offset)
        ]
        before = [run for run in made if ran and run.start < ran[0]]
        until = next((run.start for run in made if ran and run.start > ran[0]), len(record.moments))
        texts = dict.fromkeys(run.before[name].text for run in before)
        now = {record.moments[at].variables[name].text for at in ran if at < until}
        if ", ".join(texts) == said.values["made"] and now == {said.values["now"]}:
            return len(texts) > 1 and isinstance(body, ast.expr)
    return False


@true("story_idle")
def _idle(said: Said, record: SecondRecord, _: About) -> bool:
    """The line is that expression; no function of the code ran, and each variable holds what it held."""
    place = statement(record, said.file, said.line)
    if place is None or not isinstance(place[0], ast.Expr):
        return False
    source = record.files[said.file].decode("utf-8-sig")
    words = " ".join((ast.get_source_segment(source, place[0].value) or "").split())
    return is_quoted(said.values["what"], words) and any(
        not any(each.kind in ("call", "change") for each in run.moments)
        and all(run.after[name].text == each.text for name, each in run.before.items())
        for run in runs(said, record)
    )


@true("story_unkept")
def _unkept(said: Said, record: SecondRecord, _: About) -> bool:
    """The line is a call of that function, and no more, and was given that value."""
    place = statement(record, said.file, said.line)
    if place is None or not isinstance(place[0], ast.Expr) or not isinstance(place[0].value, ast.Call):
        return False
    for run in runs(said, record):
        frames = {
            each.frame for each in run.moments if (each.kind, each.name) == ("call", said.values["name"])
        }
        gave = [each.text for each in run.moments if each.kind == "return" and each.frame in frames]
        if gave[-1:] == [said.values["value"]] and gave[-1] != "None":
            return True
    return False


@true("story_ordered")
def _ordered(said: Said, record: SecondRecord, _: About) -> bool:
    """The line left the same elements in the same list, in another order."""
    name, old, new = (said.values[each] for each in ("name", "old", "new"))
    for run in runs(said, record):
        before, after = run.before.get(name), run.after.get(name)
        if before is None or after is None or before.held.id != after.held.id or old == new:
            continue
        same = Counter(map(text_of, before.held.parts)) == Counter(map(text_of, after.held.parts))
        if same and is_told(old, before) and is_told(new, after):
            return True
    return False


@true("story_entered")
def _entered(said: Said, record: SecondRecord, _: About) -> bool:
    """What holds it in the end is that collection, and held it not when the line began."""
    name, value = said.values["name"], said.values["value"]

    def holds(moment: Mapping[str, Variable]) -> bool:
        return name in moment and value in [text_of(each) for each in parts_of(moment[name].held)]

    return any(holds(run.after) and not holds(run.before) for run in runs(said, record))


@true("story_passed")
def _passed(said: Said, record: SecondRecord, _: About) -> bool:
    """A call began in the line in which the variable was that."""
    name, value = said.values["name"], said.values["value"]
    return any(
        each.kind == "call" and name in each.variables and is_told(value, each.variables[name])
        for run in runs(said, record)
        for each in run.moments
    )
