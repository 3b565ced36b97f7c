"""Read YAML written by people, with the line and column of every value.

PyYAML only builds the tree of nodes: no object is constructed from a tag, and anchors, aliases, deep nesting
and long files are refused, so that a small file cannot grow large in memory.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, NoReturn

import yaml

from grader.course.yaml import mistakes
from grader.course.yaml.value import Value, YamlText
from grader.errors import InputError
from grader.text import in_bytes

MAX_BYTES: Final = 256 * 1024
"""The largest file."""
MAX_DEPTH: Final = 10
"""The deepest nesting of values."""

_FORBIDDEN: Final = re.compile(
    r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]|\r(?!\n)"
)


def read_yaml(path: Path, *, error: type[InputError], content: bytes | None = None) -> Value:
    """Read a file with one YAML document, or the content to be written to it.

    Raises ``error`` with line and column.
    """
    source = YamlText(path, "", error)
    source = YamlText(path, _decoded(source, _content(source) if content is None else content), error)
    _check_characters(source)
    return Value(source, _compose(source))


def _content(source: YamlText) -> bytes:
    if source.path.exists() and not source.path.is_file():
        source.refuse("expected a file, got a folder, a pipe or a device")
    try:
        with source.path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        source.refuse(f"the file cannot be read: {error.strerror}")
    return content


def _decoded(source: YamlText, content: bytes) -> str:
    if len(content) > MAX_BYTES:
        source.refuse(f"expected a file of {in_bytes(MAX_BYTES)} at the most")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The codec counts from after the byte-order mark.
        body = content.removeprefix(b"\xef\xbb\xbf")
        line = body.count(b"\n", 0, error.start) + 1
        start = body.rfind(b"\n", 0, error.start) + 1
        column = len(body[start : error.start].decode("utf-8")) + 1
        source.refuse(
            f"expected text in UTF-8, got the byte 0x{body[error.start]:02x}: save the file as UTF-8",
            line,
            column,
        )


def _check_characters(source: YamlText) -> None:
    if not source.text.strip():
        source.refuse("the file is empty", 1, 1)
    match = _FORBIDDEN.search(source.text)
    if match is None:
        return
    line = source.text.count("\n", 0, match.start()) + 1
    column = match.start() - source.text.rfind("\n", 0, match.start())
    if match[0] == "\t":
        message = "a tab: expected spaces, as YAML indents with spaces only"
        _refuse(source, mistakes.Mistake(message, line, column))
    source.refuse(f"the control character {match[0]!a}: take it out", line, column)


class _RefusedYaml(yaml.MarkedYAMLError):
    """Valid YAML that is not allowed here; the message is the grader's own."""


class _Loader(yaml.SafeLoader):
    """Compose nodes, refusing constructs that make a small file large."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _RefusedYaml(
                problem="anchors (&) and aliases (*) are not used here: write the value out",
                problem_mark=event.start_mark,
            )
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _RefusedYaml(
                problem=f"nested more than {MAX_DEPTH} levels deep", problem_mark=event.start_mark
            )
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def _compose(source: YamlText) -> yaml.Node:
    loader = _Loader(source.text)
    try:
        node = loader.get_node() if loader.check_node() else None
        if loader.check_node():
            mark = loader.peek_event().start_mark  # type: ignore[no-untyped-call]
            source.refuse(
                "a second document starts here ('---'): expected one document a file",
                mark.line + 1,
                mark.column + 1,
            )
    except _RefusedYaml as error:
        mark = error.problem_mark
        where = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
        source.refuse(str(error.problem), *where)
    except yaml.MarkedYAMLError as error:
        _translate(source, error)
    except (
        ValueError,
        OverflowError,
    ):  # from PyYAML, which accepts any number as a character code or version
        message = "a number that is too large, in an escape or a directive: write out what is meant"
        _refuse(source, mistakes.Mistake(message, loader.line + 1, loader.column + 1))
    finally:
        loader.dispose()
    if node is None:
        source.refuse("the file is empty", 1, 1)
    return node


def _translate(source: YamlText, error: yaml.MarkedYAMLError) -> NoReturn:
    _refuse(source, mistakes.explain(source.text, error))


def _refuse(source: YamlText, mistake: mistakes.Mistake) -> NoReturn:
    picture = mistakes.show_line(source.text, mistake)
    source.refuse(f"{mistake.message}\n{picture}", mistake.line, mistake.column)
