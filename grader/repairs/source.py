"""The text of a file with its tree, and a small edit of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate
from typing import Final

from grader.intake.names import decode_source, parse_source

Kind = str
"""What is asked about the place: ``said.look_<kind>`` in the catalogues."""
Sort = str
"""A kind, or one sort of it after a dot."""

_BY_WEIGHT: Final = {
    9.0: "lives_on luck order.call",
    8.0: "order",
    7.0: "answer nothing.empty order.slice part walls.method what_returned",
    6.0: "end equal known.replaced nothing.error same",
    5.0: (
        "all_or_any both bound.range entry_or_exit most_or_least row_or_column truth "
        "turned walls.built wrapped"
    ),
    4.5: "changing",
    4.0: (
        "by_one comparison condition counted direction each_turn empty end.index leaves luck.place "
        "needed negation no_exit order.loop under_condition way_order"
    ),
    3.0: (
        "arguments condition.always each_turn.first leaves.turn method "
        "needed.part nothing number.large sequence taken_back turned.move"
    ),
    2.5: "has_been known marks",
    2.0: (
        "bound condition.never leaves.loop method.drawn needed.last number "
        "taken_back.instead what_returned.copy wrapped.item"
    ),
    1.5: "copied luck.choice name needed.aside no_exit.bare turned.name",
    1.0: "answer.call nothing.answer",
}
WEIGHTS: Final[Mapping[Sort, float]] = {
    sort: weight for weight, sorts in _BY_WEIGHT.items() for sort in sorts.split()
}
"""How often edits of each sort are what is needed, against others."""
KINDS: Final = frozenset({"closely", *(sort.partition(".")[0] for sort in WEIGHTS)})
"""All kinds, and what is asked where edits of several kinds agree on the place."""

Splice = tuple[int, int, str]
"""What stands from one offset to another, and what takes its place."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a file: no two of its splices touch."""

    splices: tuple[Splice, ...]
    sort: Sort
    line: int
    """The line that is pointed at, or after which something is missing."""
    after: bool = False
    """Whether something is missing after the line."""
    loading: bool = False
    """The line is run when the file is loaded, so that no call can tell whether it is to blame."""

    @property
    def kind(self) -> Kind:
        """What is asked about the place."""
        return self.sort.partition(".")[0]

    @property
    def weight(self) -> float:
        """How often edits of this sort are what is needed."""
        return WEIGHTS[self.sort]

    @property
    def growth(self) -> int:
        """By how many characters the text grows."""
        return sum(len(new) - (end - start) for start, end, new in self.splices)

    def only_leaves_out(self, text: str) -> bool:
        """Tell whether the edit puts nothing in the place of what it takes away."""
        return all(new == "pass" or _is_part(new, text[start:end]) for start, end, new in self.splices)

    def lines(self, text: str) -> range:
        """Return the lines in which it changes the text."""
        first, last = min(each[0] for each in self.splices), max(each[1] for each in self.splices)
        return range(text.count("\n", 0, first) + 1, text.count("\n", 0, last) + 2)

    def parts(self, text: str) -> list[Edit]:
        """Return the edits that each do one of the things that this one does; none if it does one thing."""
        found = [part for each in self.splices for part in _parted(each, text)]
        lines = [text.count("\n", 0, start) + 1 for start, _, _ in found]
        return [
            Edit((each,), "closely", line, loading=self.loading)
            for each, line in zip(found, lines, strict=True)
            if 1 < len(found) <= MOST_PARTS
        ]

    def apply(self, text: str) -> str:
        """Return the text as it is after the edit."""
        for start, end, new in sorted(self.splices, reverse=True):
            text = text[:start] + new + text[end:]
        return text


MOST_PARTS, _MOST_WORDS = 4, 200
"""An edit is taken apart into at most 4 others, if it changes no more than 200 words and signs."""
_WORD: Final = re.compile(r"\w+|\s+|.", re.DOTALL)


def _is_part(new: str, old: str) -> bool:
    """Tell whether a text is the other one with one piece left out, in brackets or not."""
    for text in (new, new.removeprefix("(").removesuffix(")")):
        before = next((n for n, (a, b) in enumerate(zip(old, text, strict=False)) if a != b), len(text))
        if old[before:].endswith(text[before:]) or text in old:
            return True
    return False


def _parted(splice: Splice, text: str) -> Iterator[Splice]:
    """Yield the changes by which a text comes of the other, from place to place."""
    start, end, new = splice
    old_words, new_words = _WORD.findall(text[start:end]), _WORD.findall(new)
    if len(old_words) + len(new_words) > _MOST_WORDS:
        yield splice
        return
    at = [*accumulate(map(len, old_words), initial=start)]
    for kind, i, j, k, m in SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes():
        if kind != "equal" and "".join((*old_words[i:j], *new_words[k:m])).strip():
            yield at[i], at[j], "".join(new_words[k:m])


MOST_LINES: Final = 400
MOST_CHARACTERS: Final = 40_000
"""A file that is longer is not looked into."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Block = list[ast.stmt]


@dataclass(frozen=True)
class ParsedFile:
    """A file that loads."""

    text: str
    tree: ast.Module
    method: str
    """The method that is called from outside."""

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins."""
        starts = [0]
        for line in self.text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        return starts

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes, in the order of the text as far as they have one."""
        return sorted(
            ast.walk(self.tree), key=lambda n: (getattr(n, "lineno", 0), getattr(n, "col_offset", 0))
        )

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each node stands in."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def functions(self) -> list[Function]:
        """All functions and methods."""
        return [node for node in self.nodes if isinstance(node, Function)]

    def at(self, line: int, column: int) -> int:
        """Return the offset of a place that is given by its line and its column in bytes."""
        text = self.lines[line - 1]
        before = column if text.isascii() else len(text.encode()[:column].decode("utf-8", "ignore"))
        return self._starts[line - 1] + before

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Return the offset where a node begins."""
        return self.at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Return the offset where a node ends."""
        return self.at(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def of(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def operand(self, node: ast.expr) -> str:
        """Return the text of an expression, in a form that can stand anywhere."""
        text = self.of(node)
        bare = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.UnaryOp, ast.NamedExpr)
        return f"({text})" if isinstance(node, (*bare, ast.Yield, ast.Await)) or "\n" in text else text

    def begin_of_line(self, line: int) -> int:
        """Return the offset of a line."""
        return self._starts[line - 1]

    def indent(self, statement: ast.stmt) -> str:
        """Return what precedes a statement on its line; more than spaces where another statement does."""
        begin = self.begin_of_line(statement.lineno)
        return self.text[begin : self.start(statement)]

    def is_alone(self, statement: ast.stmt) -> bool:
        """Tell whether a statement has its lines to itself, and is not a branch of another one."""
        if self.text.startswith("elif", self.start(statement)):
            return False
        last = self.lines[(statement.end_lineno or statement.lineno) - 1]
        rest = last[
            self.end(statement) - self.begin_of_line(statement.end_lineno or statement.lineno) :
        ].strip()
        return not self.indent(statement).strip() and (not rest or rest.startswith("#"))

    def function_of(self, node: ast.AST) -> Function | None:
        """Return the function that a node stands in."""
        while (above := self.parents.get(node)) is not None:
            if isinstance(above, Function):
                return above
            node = above
        return None

    def called(self, node: ast.AST | None) -> Function | None:
        """Return the function of the file that a call calls."""
        if not isinstance(node, ast.Call):
            return None
        name = name_of(node)
        return next((function for function in self.functions if function.name == name), None)

    def loop_of(self, node: ast.AST) -> ast.For | ast.While | None:
        """Return the loop that a node stands in, within its function."""
        while (above := self.parents.get(node)) is not None and not isinstance(above, Function):
            if isinstance(above, ast.For | ast.While):
                return above
            node = above
        return None

    def blocks(self) -> Iterator[tuple[ast.AST, Block]]:
        """Yield all blocks of statements within functions, each with the node that it belongs to."""
        for node in self.nodes:
            if isinstance(node, Function) or self.function_of(node) is not None:
                for name in ("body", "orelse", "finalbody"):
                    block = getattr(node, name, None)
                    if isinstance(block, list) and block:
                        yield node, block

    def bound_in(self, function: Function) -> list[str]:
        """Return the names that a function defines, its parameters first."""
        arguments = function.args
        taken = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        stored = sorted(
            (n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)),
            key=lambda n: (n.lineno, n.col_offset),
        )
        return [
            name for name in dict.fromkeys([*taken, *(n.id for n in stored)]) if name not in ("self", "_")
        ]

    # --- edits --------------------------------------------------------------------------------------

    def replaced(self, node: ast.expr | ast.stmt, text: str, sort: Sort) -> Edit:
        """Return the edit that replaces a node with a text."""
        return Edit(((self.start(node), self.end(node), text),), sort, node.lineno)

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str, sort: Sort) -> Iterator[Edit]:
        """Yield the edit that changes the sign between two expressions."""
        start, end = self.end(left), self.start(right)
        gap = self.text[start:end]
        if gap.count(old) == 1 and "#" not in gap:
            at = start + gap.index(old)
            line = self.text.count("\n", 0, at) + 1
            yield Edit(((at, at + len(old), new),), sort, line)

    def inserted_before(self, statement: ast.stmt, text: str, sort: Sort) -> Edit:
        """Return the edit that puts a statement of one line before another one."""
        indent = self.indent(statement)
        at = self.begin_of_line(statement.lineno)
        return Edit(((at, at, f"{indent}{text}\n"),), sort, max(1, statement.lineno - 1), after=True)

    def shifted(self, statement: ast.stmt, width: int) -> tuple[tuple[int, int, str], ...]:
        """Return the splices that indent all lines of a statement by ``width`` columns.

        A negative width takes away as many.
        """
        splices = []
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            at = self.begin_of_line(line)
            if not self.lines[line - 1].strip():
                continue
            splices.append((at, at, " " * width) if width > 0 else (at, at - width, ""))
        return tuple(splices)


def name_of(call: ast.Call) -> str:
    """Return the name of what is called, a method or not; empty where it has none."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def source_of(content: bytes, method: str) -> ParsedFile | None:
    """Read a student's file.

    None where it is too long, is not Python, or is in another encoding than UTF-8.
    """
    text = decode_source(content)
    if text is None or len(text) > MOST_CHARACTERS:
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").expandtabs(8)
    if text.count("\n") > MOST_LINES or _is_declared(text) or "\f" in text:
        return None
    tree = parse_source(text)
    return None if tree is None else ParsedFile(text, tree, method)


def _is_declared(text: str) -> bool:
    return any("coding" in line for line in text.split("\n", 2)[:2])
