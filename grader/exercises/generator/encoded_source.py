"""Find Python source that a program contains as text, plain or in one of Python's own encodings.

Other encodings go unnoticed. A text is parsed, never run.
"""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

_SHORTEST, _LONGEST = 100, 8_000
"""Texts have at least 100 characters, as a walk needs, and at most 8,000, which are cheap to parse."""
_MOST_PARSED: Final = 20
"""The most such texts of a program that are parsed."""


def _inflated(data: bytes) -> bytes:
    return zlib.decompressobj(wbits=47).decompress(data, _LONGEST)  # 47: zlib or gzip


_DECODERS: Final[tuple[Callable[[bytes], bytes], ...]] = (
    base64.b64decode,
    base64.b85decode,
    base64.a85decode,
    base64.b32decode,
    binascii.unhexlify,
    _inflated,
    lambda data: data[::-1],
    lambda data: codecs.decode(data.decode(), "rot13").encode(),
)


def encoded_trees(trees: Iterable[ast.AST]) -> list[ast.Module]:
    """Return the syntax trees of those texts in programs that are Python themselves."""
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    values = (node.value for node in nodes if isinstance(node.value, str | bytes))
    data = (value.encode(errors="replace") if isinstance(value, str) else value for value in values)
    texts = (text for each in data if len(each) >= _SHORTEST for text in _texts(each))
    return [tree for text in islice(texts, _MOST_PARSED) for tree in _parsed(text)]


def _texts(data: bytes) -> Iterator[bytes]:
    """Yield a text, and what it decodes to once or twice, if that may contain a loop."""
    once = list(_decoded(data))
    for text in (data, *once, *(other for each in once for other in _decoded(each))):
        if _SHORTEST <= len(text) <= _LONGEST and (b"while" in text or b"for" in text):
            yield text


def _parsed(text: bytes) -> Iterator[ast.Module]:
    with warnings.catch_warnings(), suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        warnings.simplefilter("ignore")
        yield ast.parse(text)


def _decoded(data: bytes) -> Iterator[bytes]:
    for decoder in _DECODERS:
        with suppress(ValueError, zlib.error):
            yield decoder(data[: 4 * _LONGEST])
