"""What is meant by a name or a number: a cell of the maze, a direction among all, a name that is misspelt."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from grader.repairs.edits import Edit
from grader.repairs.source import ParsedFile

_IN_ORDER: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
_NAMES: Final = ("north", "east", "south", "west")
_LONGEST: Final = 60
_MOST_NAMES, _MOST_UNKNOWN = 500, 20
"""At most 20 unknown names are compared with 500 that the file defines, of at most 60 characters each."""


def directions(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that put directions that are all written out in the required order, or its opposite."""
    for node in source.nodes:
        if isinstance(node, ast.List | ast.Tuple | ast.Dict) and isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        ):
            parts = node.keys if isinstance(node, ast.Dict) else node.elts
            ranks = [_rank(part) for part in parts]
            if sorted(ranks) != [0, 1, 2, 3]:
                continue
            for order in (sorted(range(4), key=ranks.__getitem__), sorted(range(4), key=lambda n: -ranks[n])):
                spots = _parts(source, node)
                splices = tuple(
                    (*spot, source.text[slice(*spots[number])])
                    for spot, number in zip(spots, order, strict=True)
                    if spot != spots[number]
                )
                if splices:
                    yield Edit(splices, "order", node.lineno)


def _parts(source: ParsedFile, node: ast.List | ast.Tuple | ast.Dict) -> list[tuple[int, int]]:
    """Return where each element begins and ends; of a dict, each key with its value."""
    if isinstance(node, ast.Dict):
        return [
            (source.start(key), source.end(value))
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        ]
    return [(source.start(part), source.end(part)) for part in node.elts]


def _rank(node: ast.expr | None) -> int:
    """Return which direction a node is, as its place in the order; -1 for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return _NAMES.index(name.lower()) if name.lower() in _NAMES else -1
        case ast.Tuple(elts=[one, other]) | ast.List(elts=[one, other]) | ast.Call(args=[one, other]):
            values = (_number(one), _number(other))
            return _IN_ORDER.index(values) if values in _IN_ORDER else -1
    return -1


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return None


def corners(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that replace a corner of the grid, wherever it is written, with the entry or the exit."""
    method = next((function for function in source.functions if function.name == source.method), None)
    if source.method != "solve" or method is None or len(method.args.args) < 2:
        return
    maze = method.args.args[1].arg
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(method):
        match node:
            case ast.Tuple(elts=[_, _]) | ast.Call(func=ast.Name(id="Vector"), args=[_, _]):
                found.setdefault(_corner(source, node), []).append(node)
    for which in ("entry", "exit"):
        nodes = [node for node in found.get(which, []) if source.parents[node] not in found[which]]
        if nodes:
            puts = tuple((source.start(node), source.end(node), f"{maze}.{which}") for node in nodes)
            yield Edit(puts, "name.corner", min(node.lineno for node in nodes))


def _corner(source: ParsedFile, node: ast.Tuple | ast.Call) -> str:
    parts = node.elts if isinstance(node, ast.Tuple) else node.args
    texts = [source.of(part) for part in parts]
    if texts == ["1", "1"]:
        return "entry"
    ends = [text.rpartition(".")[2] for text in texts]
    return "exit" if ends in (["row_count", "column_count"], ["rows", "columns"], ["rows", "cols"]) else ""


def misspelt(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that replace a name that nothing in the file defines with one that is much like it."""
    known = {n.id for n in source.nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    known |= {n.arg for n in source.nodes if isinstance(n, ast.arg)}
    known |= {n.name for n in source.nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    for node in source.nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            known.add(node.name)
    candidates = sorted(name for name in known if len(name) <= _LONGEST)[:_MOST_NAMES]
    close: dict[str, list[str]] = {}
    for node in source.nodes:
        if isinstance(node, ast.Name) and node.id not in known and not hasattr(builtins, node.id):
            if node.id not in close:
                is_one = len(node.id) <= _LONGEST and len(close) < _MOST_UNKNOWN
                close[node.id] = get_close_matches(node.id, candidates, 2) if is_one else []
            for name in close[node.id]:
                yield source.replaced(node, name, "name.misspelt")
