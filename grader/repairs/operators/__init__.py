"""The edits that are tried: what students' mistakes are undone by, one small change at a time."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Final

from grader.repairs.operators import names, statements, values
from grader.repairs.source import Edit, ParsedFile, Sort

_ORDERING: Final = ("sorted", "reversed")
_MOST_ARGUMENTS: Final = 3
"""A call gives way to one of its first 3 arguments."""


def unwrapped(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that replace a call, slice, comprehension or operation with what it is made from."""
    for node in source.nodes:
        if not isinstance(node, ast.expr) or isinstance(source.parents.get(node), ast.Expr):
            continue
        for inner, sort in () if _is_step(source, node) else _inner(node):
            text = source.operand(inner)
            if isinstance(node, ast.GeneratorExp):
                text = f"({text})"
            if isinstance(node, ast.BinOp) and inner is node.left and _is_priority(source, node):
                # only the term goes, so that it can be seen that no more does
                yield Edit(((source.end(inner), source.end(node), ""),), sort, node.lineno)
                continue
            yield source.replaced(node, text, sort)


def without_one(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that leave out one of several conditions, or keep only one of several values."""
    for node in source.nodes:
        match node:
            case ast.BoolOp(op=op, values=values):
                texts = [source.operand(value) for value in values]
                for number in range(len(texts)):
                    left = (" and " if isinstance(op, ast.And) else " or ").join(
                        texts[:number] + texts[number + 1 :]
                    )
                    yield source.replaced(node, f"({left})" if len(texts) > 2 else left, "condition")
            case ast.Return(value=ast.Tuple(elts=parts) as whole):
                yield from (source.replaced(whole, source.of(part), "what_returned") for part in parts)
            case ast.Assign(targets=[ast.Name() | ast.Subscript()], value=ast.Tuple(elts=parts) as whole):
                yield from (source.replaced(whole, source.of(part), "wrapped") for part in parts)


def _inner(node: ast.expr) -> Iterator[tuple[ast.expr, Sort]]:
    """Yield what an expression is made from, with the sort of the edit."""
    match node:
        case ast.Call():
            yield from _inner_of_call(node)
        case ast.Subscript(value=value, slice=ast.Slice(step=step)):
            yield value, "part" if step is None else "order.slice"
        case ast.Subscript(value=value):
            yield value, "wrapped.item"
        case (
            ast.ListComp(generators=[one])
            | ast.SetComp(generators=[one])
            | ast.GeneratorExp(generators=[one])
        ):
            yield one.iter, "wrapped"
        # a value scaled by another is the number of a cell, and half of it is none
        case ast.BinOp() if not (
            isinstance(node.op, ast.Mult)
            and not any(isinstance(part, ast.Constant) for part in (node.left, node.right))
        ):
            yield from ((node.left, "needed"), (node.right, "needed.last"))
            yield from _first_parts(node.left)
        case ast.IfExp(body=body, orelse=other):  # what is worked out is not done without
            yield from ((part, "condition") for part in (body, other) if not isinstance(part, ast.Constant))
        case ast.UnaryOp(op=ast.Not() | ast.USub() as sign, operand=operand):
            yield operand, "negation" if isinstance(sign, ast.Not) else "counted"


def _is_priority(source: ParsedFile, node: ast.BinOp) -> bool:
    """Tell whether a sum is that by which a heap orders its entries."""
    entry = source.parents.get(node)
    call = source.parents.get(entry) if isinstance(entry, ast.Tuple) else None
    return isinstance(node.op, ast.Add) and isinstance(call, ast.Call) and "heappush" in source.of(call.func)


def _is_step(source: ParsedFile, node: ast.expr) -> bool:
    """Tell whether an operation counts one step of a way.

    A search whose steps cost nothing is another one, and may find the same.
    """
    match node:
        case ast.BinOp(op=ast.Add(), left=ast.Attribute(attr="row" | "column")):
            return False
        case ast.BinOp(op=ast.Add(), right=ast.Constant(value=1)):
            return source.method == "solve"
    return False


def _first_parts(node: ast.expr) -> Iterator[tuple[ast.expr, Sort]]:
    """Yield what comes first in a sum of several parts."""
    while isinstance(node, ast.BinOp):
        node = node.left
        yield node, "needed.part"


_DRAWS: Final = {
    *("choice", "choices", "randint", "random", "random_position", "randrange", "sample", "shuffle"),
    "uniform",
}
"""A door that is always in the same place may put right by accident what is wrong elsewhere."""


def _inner_of_call(call: ast.Call) -> Iterator[tuple[ast.expr, Sort]]:
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in _DRAWS:
        return
    orders = isinstance(function, ast.Name) and function.id in _ORDERING
    for argument in call.args[:_MOST_ARGUMENTS]:
        if not isinstance(argument, ast.Starred):
            yield argument, "order.call" if orders else "wrapped"
    if isinstance(function, ast.Attribute):
        yield function.value, "turned" if function.attr == "opposite" else "wrapped"


def turned_round(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that reverse the order of what is gone through or returned."""
    for node in source.nodes:
        if isinstance(node, ast.For | ast.comprehension):
            text = source.of(node.iter)
            yield source.replaced(node.iter, f"reversed(list({text}))", "order.loop")
            if isinstance(node, ast.For) and _may_change(node):
                yield source.replaced(node.iter, f"list({text})", "changing")
        if isinstance(node, ast.Return) and node.value and _may_be_turned(source, node.value):
            yield source.replaced(node.value, f"{source.of(node.value)}[::-1]", "way_order")
            yield source.replaced(node.value, f"list({source.of(node.value)})", "what_returned.copy")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if any(part in node.id.lower() for part in ("mov", "dir", "step")):
                yield source.replaced(node, f"{node.id}.opposite()", "turned.name")
            if _is_put_away(source, node):
                yield source.replaced(node, f"list({node.id})", "copied")


def turned_back(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that go back by a move that is kept, instead of once more along it."""
    for node in source.nodes if source.method == "solve" else ():
        match node:
            case ast.BinOp(op=ast.Add(), right=ast.Subscript(slice=key) as move) if not isinstance(
                key, ast.Slice
            ):
                yield source.replaced(move, f"{source.of(move)}.opposite()", "turned.move")


def _may_be_turned(source: ParsedFile, value: ast.expr) -> bool:
    """Tell whether a value may be reversed here: what a function of the file returns is reversed there."""
    return isinstance(value, ast.Name | ast.Call | ast.Attribute) and source.called(value) is None


def _may_change(loop: ast.For) -> bool:
    """Tell whether a loop uses what it goes through."""
    names = {node.id for node in ast.walk(loop.iter) if isinstance(node, ast.Name)}
    return any(isinstance(n, ast.Name) and n.id in names for part in loop.body for n in ast.walk(part))


def _is_put_away(source: ParsedFile, node: ast.Name) -> bool:
    """Tell whether the value of a name is put into something as it is."""
    above = source.parents.get(node)
    if isinstance(above, ast.Call) and isinstance(above.func, ast.Attribute):
        return node in above.args and above.func.attr in ("append", "add", "appendleft", "insert")
    return isinstance(above, ast.Tuple | ast.Assign)


OPERATORS: Final[tuple[Callable[[ParsedFile], Iterator[Edit]], ...]] = (
    unwrapped,
    without_one,
    turned_round,
    turned_back,
    statements.deleted,
    statements.without_condition,
    statements.swapped,
    names.siblings,
    names.ends,
    names.other_names,
    names.directions,
    values.compared,
    values.joined,
    values.counted,
    values.by_one,
    values.negated,
    values.arguments_swapped,
    values.moved,
    statements.guarded,
    statements.marked,
    statements.defaults,
    statements.kept,
    values.written_down,
    values.own_luck,
    names.taken_back,
    names.returned,
    names.without_an_exit,
    statements.nothing_found,
    statements.handed_on,
    statements.endings,
)


_LUCK: Final = re.compile(rf"\b(?:{'|'.join(sorted(_DRAWS))})\(")
"""Where luck is drawn."""
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
    """Tell whether an edit takes out a solver's test for the exit, or draws luck more or less often.

    What is right afterwards is so by chance, or because the work is not done any more.
    """
    if edit.kind != "luck" and len(_LUCK.findall(source.text)) != len(_LUCK.findall(text)):
        return True
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
