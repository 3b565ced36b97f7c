"""Reads values back from the words by which a recorded call keeps them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Final

from lab.vector import MOVES

_SHORT: Final = 30
"""A number or a pair of numbers has fewer characters."""
_NUMBERS: Final = re.compile(r"(-?\d+)|\((-?\d+), (-?\d+)\)")
"""A number, or a pair of them."""
MOVES_BY_NAME: Final = {move.name: tuple(move) for move in MOVES}


def value_of(node: ast.AST | None, known: Mapping[str, str]) -> object:
    """Return the number or the pair that an expression is, as far as its variables tell; else None."""
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.Name(id=name):
            return plain(known.get(name, ""))
        case ast.Attribute(value=ast.Name(id=name), attr=part):
            pair = plain(known.get(name, ""))
            if isinstance(pair, tuple) and part in ("row", "column"):
                return pair[part == "column"]
            return plain(known.get(f"{name}.{part}", ""))
        case ast.Subscript(value=inner, slice=ast.Constant(value=int() as place)) if place in (0, 1):
            pair = value_of(inner, known)
            return pair[place] if isinstance(pair, tuple) else None
        case ast.Tuple(elts=[one, other]) | ast.Call(func=ast.Name(id="Vector"), args=[one, other]):
            parts = value_of(one, known), value_of(other, known)
            return parts if all(isinstance(part, int) for part in parts) else None
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operation, right=right):
            sign = 1 if isinstance(operation, ast.Add) else -1
            return moved(value_of(left, known), value_of(right, known), sign)
    return None


def moved(one: object, other: object, sign: int) -> object:
    """Return the sum of two numbers, or of two pairs, or their difference; None for all else."""
    if isinstance(one, int) and isinstance(other, int):
        return one + sign * other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return tuple(a + sign * b for a, b in zip(one, other, strict=True))
    return None


def plain(text: str) -> object:
    """Return the number or the pair of numbers that a text says; None for any other."""
    if text in MOVES_BY_NAME:
        return MOVES_BY_NAME[text]
    found = _NUMBERS.fullmatch(text) if len(text) < _SHORT else None
    if found is None:
        return None
    return int(found[1]) if found[1] else (int(found[2]), int(found[3]))


def elements(text: str) -> list[str]:
    """Return the elements of a collection, as it is shown."""
    parts, depth = [""], 0
    for letter in text[1:-1]:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
