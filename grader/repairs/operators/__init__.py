"""The edits that are tried: what students' mistakes are undone by, one small change at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from grader.repairs.edits import Edit
from grader.repairs.operators import marks, names, places, returns, signs, state, statements, wrappings
from grader.repairs.source import Source, names_in

OPERATORS: Final[tuple[Callable[[Source], Iterator[Edit]], ...]] = (
    wrappings.unwrapped,
    wrappings.turned_round,
    statements.deleted,
    statements.without_condition,
    statements.swapped,
    names.siblings,
    names.ends,
    names.other_names,
    signs.compared,
    signs.joined,
    signs.counted,
    signs.by_one,
    signs.negated,
    signs.arguments_swapped,
    places.moved,
    marks.guarded,
    marks.marked,
    state.defaults,
    state.kept,
    returns.nothing_found,
    returns.handed_on,
    returns.endings,
)


def edits_of(source: Source) -> list[Edit]:
    """All edits of a file that lead to different texts, and leave no part of it unused."""
    called = _own_names_used(source)
    known = {source.text}
    edits = []
    for operator in OPERATORS:
        for edit in operator(source):
            text = edit.apply(source.text)
            if text not in known and not _goes_around(edit, text, source, called):
                known.add(text)
                edits.append(edit)
    return edits


def _own_names_used(source: Source) -> set[str]:
    """The functions of the file that something in it uses."""
    return {function.name for function in source.functions} & names_in([source.tree])


def _goes_around(edit: Edit, text: str, source: Source, called: set[str]) -> bool:
    """Whether an edit leaves a function of the file to nobody: it would not put right what stands there."""
    removed = "".join(source.text[start:end] for start, end, _ in edit.splices)
    return any(name in removed and text.count(name) < 2 for name in called)
