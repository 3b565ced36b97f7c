"""The edits that are tried: what students' mistakes are undone by, one small change at a time."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Final

from grader.repairs.edits import Edit
from grader.repairs.operators import (
    marks,
    meant,
    missing,
    names,
    places,
    returns,
    signs,
    state,
    statements,
    values,
    wrappings,
)
from grader.repairs.source import ParsedFile

OPERATORS: Final[tuple[Callable[[ParsedFile], Iterator[Edit]], ...]] = (
    wrappings.unwrapped,
    wrappings.turned_round,
    wrappings.turned_back,
    wrappings.on_both_sides,
    statements.deleted,
    statements.without_condition,
    statements.swapped,
    names.siblings,
    names.ends,
    names.other_names,
    names.as_elsewhere,
    meant.directions,
    meant.corners,
    meant.misspelt,
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
    values.written_down,
    values.one_of_several,
    values.twice_or_half,
    values.own_luck,
    missing.taken_back,
    missing.returned,
    missing.without_an_exit,
    missing.known,
    missing.opened,
    returns.nothing_found,
    returns.handed_on,
    returns.first_found,
    returns.another_answer,
    returns.endings,
    returns.for_ever,
)


_LUCK: Final = re.compile(r"\b(?:rng|random|shuffle|choices?|sample|randrange|randint)\b")
"""Where a generator draws."""
MOST_MADE: Final = 20_000
"""At most 20,000 edits of a file are made; if there are more, those of the last operators are left out."""


def edits_of(source: ParsedFile) -> list[Edit]:
    """Return all edits of a file that lead to different texts, and leave no function of it unused."""
    uses = _uses(source)
    known = {_digest(source.text)}
    edits = []
    for edit in islice((edit for operator in OPERATORS for edit in operator(source)), MOST_MADE):
        text = edit.apply(source.text)
        is_new = _digest(text) not in known
        if is_new and not _goes_around(edit, text, source, uses) and not _does_away(edit, text, source):
            known.add(_digest(text))
            edits.append(edit)
    return edits


def _does_away(edit: Edit, text: str, source: ParsedFile) -> bool:
    """Tell whether an edit takes out a solver's test for the exit, or all luck of a generator.

    What is right afterwards is so by chance, or because the work is not done any more.
    """
    if source.method == "generate":
        return _LUCK.search(source.text) is not None and not _LUCK.search(text)
    if source.method != "solve" or edit.kind not in ("needed", "condition"):
        return False
    removed = "".join(source.text[start:end] for start, end, _ in edit.splices)
    return "exit" in removed and not any("exit" in new for _, _, new in edit.splices)


def _digest(text: str) -> bytes:
    """Return a short stand-in for a text: keeping thousands of texts takes gigabytes."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


_Use = tuple[re.Pattern[str], str]
"""What a use of a function looks like, and the text of the function."""


def _uses(source: ParsedFile) -> list[_Use]:
    """Return the functions that are used outside of themselves: methods after a dot, others without one."""
    found = []
    for function in source.functions:
        before = r"\." if isinstance(source.parents[function], ast.ClassDef) else r"(?<!\.)(?<!def )\b"
        use, own = re.compile(before + re.escape(function.name) + r"\b"), source.of(function)
        if use.search(source.text.replace(own, "")):
            found.append((use, own))
    return found


def _goes_around(edit: Edit, text: str, source: ParsedFile, uses: Sequence[_Use]) -> bool:
    """Tell whether an edit leaves a function of the file unused: it would not repair what is there."""
    removed = "".join(source.text[start:end] for start, end, _ in edit.splices)
    if removed.lstrip().startswith("+"):
        return False  # what is added to a priority, such as an estimate, may be too much
    return any(use.search(removed) and not use.search(text.replace(own, "")) for use, own in uses)
