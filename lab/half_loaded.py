"""How far a file came that was not run to its end: what it made, what is left, and what leans on that."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any


def has_made_something(module: ModuleType) -> bool:
    """Tell whether a file has made a class or a function of its own by now."""
    made = [value for value in vars(module).values() if isinstance(value, (type, FunctionType))]
    return any(value.__module__ == module.__name__ for value in made)


def statements_after(source: str, count: int) -> Any:
    """Return a file without its first statements, but for imports from the future."""
    from ast import ImportFrom, parse

    tree = parse(source)
    future = [
        each for each in tree.body[:count] if isinstance(each, ImportFrom) and each.module == "__future__"
    ]
    tree.body = [*future, *tree.body[count:]]
    return tree


def count_run(source: str, count: int, line: int) -> int:
    """Return how many statements of a file have run when a line raises, if so many had run before."""
    from ast import parse

    ends = [each.end_lineno or 0 for each in parse(source).body]
    return next((number for number in range(count + 1, len(ends)) if ends[number - 1] >= line), len(ends))


def leans(name: str, module: ModuleType, line: int) -> bool:
    """Tell whether what has the name refers, itself or by what it uses, to what comes after a line only."""
    from ast import parse
    from symtable import symtable

    loader: Any = module.__spec__ and module.__spec__.loader
    source = loader.get_source(module.__name__)
    lines, ended = source.splitlines(keepends=True), 0
    for statement in parse(source).body:
        if (end := statement.end_lineno or 0) < line:
            ended = end
    made, later = (symtable("".join(part), "", "exec") for part in (lines[:ended], lines[ended:]))
    missing = {
        each.get_name() for each in later.get_symbols() if each.is_assigned() or each.is_imported()
    } - vars(module).keys()
    tables = {each.get_name(): each for each in made.get_children()}
    waiting, seen = [name], {name}
    while waiting and not missing & seen:
        found = set(_names(tables.get(waiting.pop()))) - seen
        waiting += found
        seen |= found
    return bool(missing & seen)


def _names(table: Any) -> Iterator[str]:
    """Yield the names from outside that a class or a function refers to."""
    for part in [table] if table else []:
        yield from (each.get_name() for each in part.get_symbols() if each.is_global())
        for child in part.get_children():
            yield from _names(child)
