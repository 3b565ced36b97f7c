"""Code in a layout of our own, by its tokens, so that no layout hides what it shares with other code."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence
from typing import Final

_LINE: Final = 1000
"""Lines have at most 1,000 characters, since the lexer takes time that grows with the square of some lines:
longer ones go on in the next, between two tokens; a longer token is data, and is cut."""

_LAYOUT: Final = (tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER)
"""Tokens that say nothing but how the others are laid out."""


def as_text(code: bytes) -> str:
    """Return the code of a file as it is compared and shown: its tokens in a layout of our own, without
    repeated blank lines."""
    text = code.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = [line.rstrip() for line in _laid_out(text.splitlines())]
    kept = (line for number, line in enumerate(lines) if line or (number and lines[number - 1]))
    return "".join(f"{line}\n" for line in kept)


def _laid_out(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a program, each indented by its level; from where it is no Python, and does not run,
    lines are cut."""
    depth, row, end, line = 0, 1, 0, ""
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
            depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
            if token.type == tokenize.ERRORTOKEN:
                break
            if token.type in _LAYOUT:
                continue
            for _ in range(row, token.start[0]):
                yield line
                line = ""
            space = " " if line and token.start[1] > end else ""
            first, *more = map(_without_middle, token.string.split("\n"))
            if len(line) + len(space) + len(first) > _LINE:
                yield line
                line = ""
            *above, line = f"{line or ' ' * min(4 * depth, _LINE // 2)}{space}{first}", *more
            yield from above
            row, end = token.end
        else:
            row = len(lines)
    except (tokenize.TokenError, SyntaxError):
        pass
    yield line
    yield from (left[:_LINE] for left in lines[row:])


def _without_middle(word: str) -> str:
    """Return a line of a token, without the middle of a long one: the quotes of a text stay."""
    return word if len(word) <= _LINE // 2 else word[: _LINE // 2 - 3] + word[-3:]
