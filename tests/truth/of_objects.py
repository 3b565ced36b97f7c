"""Of each sentence of a story on what became of an object, whether it is so."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from lab import Maze
from tests.truth.of_data import entry_of
from tests.truth.of_data import words_of as word
from tests.truth.record import Held, Moment, SecondRecord, parts_of
from tests.truth.right import Cell, around
from tests.truth.runs import MOVES_BY_NAME, cell_of, maze_of, moved, runs, statement
from tests.truth.said import About, Said, true

_USED_UP = ", used up"
_SEVERAL = 2


def text_of(held: Any) -> str:
    """Return the words for a value as the record holds it."""
    if isinstance(held, Held) and held.kind in ("set", "dict", "defaultdict", "OrderedDict"):
        return f"{{{', '.join(elements_of(held))}}}"
    if isinstance(held, Held) and held.kind in ("list", "deque"):
        return f"[{', '.join(map(text_of, held.parts))}]"
    if type(held) is tuple and word(held) == str(held):
        return f"({', '.join(map(text_of, held))}{',' * (len(held) == 1)})"
    return word(held) if type(held) is tuple else repr(held)


def elements_of(held: Held) -> list[str]:
    """Return the words for what a collection holds: for a dict, keys with values."""
    if held.kind.endswith(("dict", "Dict")):
        return [f"{text_of(key)}: {text_of(value)}" for key, value in held.parts]
    texts = map(text_of, held.parts)
    return [*texts] if held.kind in ("list", "deque") else sorted(texts, key=lambda text: (len(text), text))


def _is_told(text: str, whole: str) -> bool:
    begin, cut, _ = text.partition("…")
    return whole.startswith(begin) if cut else whole == text


def _moments(said: Said, record: SecondRecord) -> Iterator[Sequence[Moment]]:
    """Yield the moments of each run of a line, until what came of it was seen, in a call of it too."""
    for run in runs(said._replace(shown={}), record):
        yield record.moments[run.start : run.end + 2]


def _objects(moment: Moment) -> Iterator[Held]:
    for variable in moment.variables.values():
        yield from (each for each in parts_of(variable.held) if isinstance(each, Held))


def _moves(held: Any) -> list[Any]:
    """Return the moves of a list or tuple; nothing of any other value."""
    parts = [*held.parts] if isinstance(held, Held) else [*held] if type(held) is tuple else []
    return parts if all(each in MOVES_BY_NAME.values() for each in parts) else []


def _end(maze: Maze, moves: Sequence[Any]) -> Cell | None:
    """Return where moves lead from the entry, if no wall is in their way."""
    cell: Cell = tuple(maze.entry)  # type: ignore[assignment]
    for move in moves:
        if moved(cell, move) not in around(maze, cell):
            return None
        cell = moved(cell, move)
    return cell


@true("story_longer", "story_shorter")
def _changed(said: Said, record: SecondRecord, _: About) -> bool:
    """The line made one list of the other, by those moves."""
    name, old, new, gone = (said.values[each] for each in ("name", "old", "new", "gone"))
    for moments in _moments(said, record):
        after = [each.variables[name].held for each in moments if name in each.variables]
        for now in (each for each in after if isinstance(each, Held) and _is_told(new, text_of(each))):
            for before in (each for each in _objects(moments[0]) if each.id == now.id):
                one, other = (Counter(elements_of(each)) for each in (before, now))
                less, more = (one, other) if said.key == "story_longer" else (other, one)
                if _is_told(old, text_of(before)):
                    return gone == ", ".join((more - less).elements()) != ""
    return False


@true("story_broke")
def _broke(said: Said, record: SecondRecord, about: About) -> bool:
    """The moves led to the cell in all runs of the line before that one, and to several cells."""
    name, cell, maze = said.values["name"], said.values["cell"], maze_of(about)
    begun = max((at for at, each in enumerate(record.moments) if each.name == "begins"), default=0)
    led = list[Cell]()
    for run in runs(said._replace(shown={}), record):
        held = {each: run.before[each].held for each in (name, cell) if each in run.before}
        if run.start < begun or len(held) < _SEVERAL or type(held[cell]) is not tuple:
            continue
        if _end(maze, _moves(held[name])) != held[cell]:
            told = all(run.before[each].text == said.shown[each] for each in (name, cell))
            return told and len({*led}) >= _SEVERAL and cell_of(said.values["entry"]) == tuple(maze.entry)
        led.append(held[cell])
    return False


@true("story_was_whole")
def _was_whole(said: Said, record: SecondRecord, about: About) -> bool:
    name, maze = said.values["name"], maze_of(about)
    found = (each.variables.get(name) for moments in _moments(said, record) for each in moments[1:])
    return any(
        each.text == said.values["value"] and _end(maze, _moves(each.held)) == cell_of(said.values["exit"])
        for each in found
        if each
    )


def _in_entries(held: Any, number: int) -> int:
    """Tell how often an object stands in a collection, or in tuples in it."""
    parts = held.parts if isinstance(held, Held) else held if type(held) is tuple else ()
    return sum(
        each.id == number if isinstance(each, Held) else _in_entries(each, number)
        for each in parts
        if isinstance(each, (Held, tuple))
    )


@true("story_two_names", "story_one_with_entry", "story_one_with_entries")
def _is_one(said: Said, record: SecondRecord, _: About) -> bool:
    """After the line the variable was the same object as the other, or as so many entries."""
    name, other, holder = (said.values.get(each, "") for each in ("name", "other", "holder"))
    for moments in _moments(said, record):
        for each in moments[1:]:
            held = each.variables[name].held if name in each.variables else None
            if not isinstance(held, Held) or each.variables[name].text not in said.shown.values():
                continue
            if said.key == "story_two_names":
                second = each.variables[other].held if other in each.variables else None
                is_one = isinstance(second, Held) and second.id == held.id and name != other
            else:
                whole = each.variables[holder].held if holder in each.variables else None
                is_one = _in_entries(whole, held.id) == int(said.values["count"])
            if is_one:
                return True
    return False


@true("story_one_of_entries")
def _entries_are_one(said: Said, record: SecondRecord, _: About) -> bool:
    holder, count = said.values["holder"], int(said.values["count"])
    for moments in _moments(said, record):
        for each in moments[1:]:
            whole = each.variables[holder].held if holder in each.variables else None
            numbers = {part.id for part in parts_of(whole) if isinstance(part, Held)}
            if any(_in_entries(whole, number) >= count >= _SEVERAL for number in numbers):
                return True
    return False


@true("story_overwritten")
def _overwritten(said: Said, record: SecondRecord, _: About) -> bool:
    name, old, new = (said.values[each] for each in ("name", "old", "new"))
    return old != new and any(
        (entry_of(run.before, name), entry_of(run.after, name)) == (old, new) for run in runs(said, record)
    )


@true("story_emptied")
def _emptied(said: Said, record: SecondRecord, _: About) -> bool:
    name = said.values["name"]
    for run in runs(said._replace(shown={}), record):
        before, after = run.before.get(name), run.after.get(name)
        if before and after and after.text.endswith(_USED_UP) and not before.text.endswith(_USED_UP):
            return bool(before.held.id == after.held.id)
    return False


@true("story_used_up")
def _used_up(said: Said, record: SecondRecord, _: About) -> bool:
    """The line read the variable, and nothing was left in it."""
    name = said.values["name"]
    return any(
        name in run.before
        and run.before[name].text.endswith(_USED_UP)
        and any(isinstance(each.node, ast.Name) and each.node.id == name for each in run.values)
        for run in runs(said, record)
    )


@true("story_kept")
def _kept(said: Said, record: SecondRecord, _: About) -> bool:
    """What a call from outside began with held that since a call before."""
    name, value = said.values["name"], said.values["value"]
    moments = record.moments
    begins = [at for at, each in enumerate(moments) if each.kind == "call" and not each.held[0]]
    for begin in begins[1:]:
        found = (each.variables[name].held for each in moments[begin:] if name in each.variables)
        now = next((each for each in found if isinstance(each, Held) and each.parts), None)
        before = (
            variable
            for each in reversed(moments[:begin])
            for variable in each.variables.values()
            if now is not None and isinstance(variable.held, Held) and variable.held.id == now.id
        )
        if now is not None and (last := next(before, None)) and last.text == value:
            return bool(now == last.held)
    return False


@true("story_default_kept")
def _default_kept(said: Said, record: SecondRecord, about: About) -> bool:
    """The line has the default value of that parameter, and it was kept."""
    functions = (
        each for each in ast.walk(ast.parse(record.files[said.file])) if isinstance(each, ast.FunctionDef)
    )
    defaults = (each.args for each in functions)
    return _kept(said, record, about) and any(
        default.lineno == said.line and argument.arg == said.values["name"]
        for each in defaults
        for argument, default in [
            *zip(reversed([*each.posonlyargs, *each.args]), reversed(each.defaults), strict=False),
            *((one, other) for one, other in zip(each.kwonlyargs, each.kw_defaults, strict=True) if other),
        ]
    )


@true("story_class_kept")
def _class_kept(said: Said, record: SecondRecord, about: About) -> bool:
    """The line stands in a class, outside of its functions, and gives the attribute what was kept."""
    place = statement(record, said.file, said.line)
    classes = (
        each for each in ast.walk(ast.parse(record.files[said.file])) if isinstance(each, ast.ClassDef)
    )
    is_of_class = any(each.lineno == said.line for one in classes for each in one.body)
    targets = {each.id for each in ast.walk(place[0]) if isinstance(each, ast.Name)} if place else set()
    attribute = said.values["name"].rpartition(".")[2]
    return is_of_class and attribute in targets and _kept(said, record, about)


@true("story_tie_then")
def _tie_then(said: Said, record: SecondRecord, _: About) -> bool:
    """Two tuples of a collection begin alike and differ then, at the cells or before them."""
    rank, one, other = (said.values[each] for each in ("rank", "one", "other"))
    for run in runs(said, record):
        ranks = {name: [*_ranks(run.before, cell_of(said.values[name]))] for name in ("came", "due")}
        for came, due in product(ranks["came"], ranks["due"]):
            alike = next(n for n, pair in enumerate(zip(came, due, strict=False)) if pair[0] != pair[1])
            if ", ".join(came[:alike]) == rank and (came[alike], due[alike]) == (one, other):
                return alike > 0
    return False


def _ranks(variables: Any, cell: Cell) -> Iterator[list[str]]:
    for variable in variables.values():
        for part in parts_of(variable.held):
            if type(part) is tuple and cell in part[1:]:
                yield [*map(text_of, part[: part.index(cell) + 1])]
