"""The code of a submission as one text, which is kept and compared with others'."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from grader import shipped
from grader.model import Submission
from grader.reader import Reader
from lab.exercises import FILES

CODE_BYTES: Final = 64 * 1024
"""At most 64 KiB of a student's code are stored for the comparison with others'."""

_FILE: Final = b"# ====== "
"""A line that names the file below it begins with this; a student's line like it gets one more sign."""

_CUT: Final = b"\t"
"""Such a line ends with this where the file below is not whole; no path does."""
_LINE: Final = 1000
"""Lines have at most 1,000 characters, since the lexer takes time that grows with the square of some lines:
longer ones go on in the next, between two tokens; a longer token is data, and is cut."""

_LAYOUT: Final = (tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER)
"""Tokens that say nothing but how the others are laid out."""


def as_text(code: bytes) -> str:
    """Return code as it is compared and shown: its tokens in our own layout, without repeated blank lines."""
    text = code.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = [line.rstrip() for line in _laid_out(text.splitlines())]
    kept = (line for number, line in enumerate(lines) if line or (number and lines[number - 1]))
    return "".join(f"{line}\n" for line in kept)


def _laid_out(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a program, indented by their level; from where it is no Python, lines are cut."""
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
            first, *more = (
                word if len(word) <= _LINE // 2 else word[: _LINE // 2 - 3] + word[-3:]
                for word in token.string.split("\n")
            )
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


def code_within(submission: Submission, reader: Reader) -> bytes:
    """Return the code of a submission; only that it is cut if to lay it out takes too much."""
    is_short = sum(map(len, submission.files.values())) <= CODE_BYTES
    return (
        code_of(submission) if is_short else reader.decide(lambda: code_of(submission), bytes) or _FILE + _CUT
    )


def code_of(submission: Submission) -> bytes:
    """Join a submission's code into a text of some CODE_BYTES: exercises first, each file below its name.

    Longer code is laid out anew first, without the files that students get. What is still too long is cut
    file by file, the longest first: no file takes the place of another, and what those of the exercises do
    not need is left to the others.
    """
    own = [path for path in submission.files if path.endswith(".py") and path not in FILES]
    files = {path: submission.files[path] for path in (*FILES, *sorted(own)) if path in submission.files}
    if sum(map(len, files.values())) > CODE_BYTES:
        given = _given_files()
        own = [path for path in files if path in FILES or _in_one_line(files[path]) not in given]
        files = {path: as_text(files[path]).encode() for path in own}
    others = {path: files.pop(path) for path in [*files] if path not in FILES}
    kept = _joined(files, CODE_BYTES)
    return b"\n".join(filter(None, (kept, _joined(others, CODE_BYTES - len(kept)))))[:CODE_BYTES]


@cache
def _given_files() -> frozenset[bytes]:
    """Return the content of the files that students get, with all white space as one space."""
    paths = (path for root in (shipped.folder("lab"), shipped.template_root()) for path in root.rglob("*.py"))
    return frozenset(_in_one_line(path.read_bytes()) for path in paths)


def _in_one_line(content: bytes) -> bytes:
    return b" ".join(content.split())


def _fair_share(sizes: Sequence[int], room: int) -> int:
    """Return the most that each of these may have, so that all together have no more than there is room."""
    for number, size in enumerate(sorted(sizes)):
        share = room // (len(sizes) - number)
        if size > share:
            return share
        room -= size
    return max(sizes, default=0)


def code_with(files: Mapping[str, bytes]) -> bytes:
    """Join files into one text, each below a line that names it."""
    return _joined(files, 2**63)


def _joined(files: Mapping[str, bytes], room: int) -> bytes:
    """Join files, each below a line that names it; the longest are cut to what there is room for."""
    plain = {path: re.sub(rb"(?m)^(# ={6,})", rb"\1=", text) for path, text in files.items()}
    names = {path: _FILE + path.encode("utf-8", "replace") for path in plain}
    heads = sum(len(name) + 3 for name in names.values())
    most = _fair_share([*map(len, plain.values())], max(0, room - heads))
    return b"\n".join(
        names[path] + (_CUT if len(text) > most else b"") + b"\n" + text[:most]
        for path, text in plain.items()
    )


def is_cut(code: bytes) -> bool:
    """Tell whether a part of what ``code_of`` joined was left out."""
    return re.search(rb"(?m)^# ={6} .*\t$", code) is not None


def files_in(code: bytes) -> dict[str, bytes]:
    """Split what ``code_of`` joined into files by path; what precedes the first has the empty path."""
    first, *parts = (b"\n" + code).split(b"\n" + _FILE)
    found = {"": first} if first.strip() else {}
    for part in parts:
        path, _, content = part.partition(b"\n")
        found[path.removesuffix(_CUT).decode("utf-8", "replace")] = re.sub(
            rb"(?m)^(# ={6,})=", rb"\1", content
        )
    return found
