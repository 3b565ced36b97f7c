"""The file that students start from, made of exercise.yaml where a folder has no skeleton.py."""

from __future__ import annotations

import re
from typing import Final

from grader.exercises.kit.folders.code import OwnExercise, Signature


def skeleton_of(own: OwnExercise) -> str:
    """Generate the file that students start from out of exercise.yaml."""
    if own.is_text:
        return f"# {own.title}\n"
    if own.literals:
        return f'"""{_quoted(own.title)}."""\n\n' + "".join(f'{name} = ""\n' for name in own.literals)
    used = {name for signature in own.calls.values() for name in signature.arguments}
    named = {_TYPES[name] for name in used & set(_TYPES)}
    for signature in own.calls.values():
        named.update(re.findall(r"Maze|Vector", _RETURNED[signature.returns]))
    of_lab = sorted(named - {"Search", "Random"})
    imports = ["from random import Random"] if "rng" in used else []
    imports += ["from solvers.search import Search"] if "search" in used else []
    imports += [f"from lab import {', '.join(of_lab)}"] if of_lab else []
    head = [
        f'"""{_quoted(own.title)}."""',
        "",
        "from __future__ import annotations",
        *(["", *imports] if imports else []),
        "",
        "",
    ]
    if "" in own.calls:
        return "\n".join([*head, *_stub(own.name, own.calls[""], own, indent="")]) + "\n"
    body: list[str] = []
    for method, signature in own.calls.items():
        body += ["", *_stub(method, signature, own, indent="    ")]
    return "\n".join([*head, f"class {own.name}:", f'    """{_quoted(own.title)}."""', *body]) + "\n"


_TYPES: Final = {
    "maze": "Maze",
    "search": "Search",
    "factory": "Factory",
    "dimension": "Dimension",
    "rng": "Random",
}
_RETURNED: Final = {
    "true-or-false": "bool",
    "number": "float",
    "text": "str",
    "moves": "list[Vector] | None",
    "cells": "list[Vector]",
    "cells-in-any-order": "list[Vector]",
    "maze": "Maze",
    "list": "list",
    "mapping": "dict",
    "anything": "object",
}


def _stub(name: str, signature: Signature, own: OwnExercise, *, indent: str) -> list[str]:
    """Return the lines of a function that students are to write."""
    typed = [f"{each}: {_TYPES[each]}" if each in _TYPES else each for each in signature.arguments]
    arguments = ", ".join(["self", *typed] if indent else typed)
    return [
        f"{indent}def {name}({arguments}) -> {_RETURNED[signature.returns]}:",
        f'{indent}    """{_quoted(own.text(f"returns.{name}") or own.text("row") or own.title)}."""',
        f"{indent}    raise NotImplementedError",
    ]


def _quoted(text: str) -> str:
    """Return a text on one line, without characters that would end or escape a docstring."""
    return " ".join(text.replace("\\", "/").replace('"', "'").split())
