"""Read YAML written by people, with the line and column of every value, and explain mistakes in its syntax.

Explain mistakes in YAML syntax in plain words: what is expected, and which line is wrong.

PyYAML reports where it gave up, in terms of its grammar. People need the line that they got wrong, often an
earlier one, so common mistakes are searched for around that place.

Read YAML written by people, with the line and column of every value.

PyYAML only builds the tree of nodes: no object is constructed from a tag, and anchors, aliases, deep nesting
and long files are refused, so that a small file cannot grow large in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

import yaml

from grader.course.yaml_values import Value, YamlText
from grader.errors import InputError
from grader.text import in_bytes

_SHOWN: Final = 76
"""The most characters of a line that are shown."""
_ENTRY: Final = re.compile(r"(?P<indent> *)(?P<key>[^\s:#\"'\[{][^:#]*):(?: (?P<value>.*))?$")
_NO_SPACE: Final = re.compile(r" *-? *(?P<key>[\w.-]+):(?=[^\s:])")
_OTHER_SPACE: Final = re.compile(
    r"^(?P<before> *-? *(?:[\w.-]+:)?)[\N{NO-BREAK SPACE}\u2000-\u200b\u202f\u3000]"
)
_DRAWING: Final = re.compile(r"maze: +\|[-+]? *(#.*)?")
_OPENING: Final = {"flow sequence": ("[", "]"), "flow mapping": ("{", "}")}


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is expected, and where; lines and columns count from 1."""

    message: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Where PyYAML gave up, and its message; lines and columns count from 0."""

    lines: list[str]
    problem: str
    context: str
    line: int
    column: int
    begun: int
    """The line in which the unfinished construct began."""
    begun_column: int

    @property
    def text(self) -> str:
        return self.lines[self.line] if self.line < len(self.lines) else ""

    def at(self, line: int, column: int, message: str) -> Mistake:
        return Mistake(message, line + 1, column + 1)

    def here(self, message: str) -> Mistake:
        return self.at(self.line, self.column, message)

    def before(self) -> int | None:
        """Return the last line before this one with more than a comment, or None."""
        earlier = range(self.line - 1, -1, -1)
        return next((at for at in earlier if self.lines[at].split("#")[0].strip()), None)


def explain(text: str, error: yaml.MarkedYAMLError) -> Mistake:
    """Explain what is wrong with a text that PyYAML could not read."""
    mark = error.problem_mark or error.context_mark
    begun = error.context_mark or mark
    places = [(mark.line, mark.column) if mark else (0, 0) for mark in (mark, begun)]
    lines = [line.rstrip("\r") for line in text.split("\n")]
    trouble = _Trouble(lines, error.problem or "", error.context or "", *places[0], *places[1])
    found = next(filter(None, (look(trouble) for look in _LOOKS)), None)
    return found or trouble.here(
        f"this is no YAML ({' '.join(filter(None, (trouble.problem, trouble.context)))}): "
        "expected 'key: value', a line each"
    )


# --- what people get wrong --------------------------------------------------------------------------


def _colon_in_text(trouble: _Trouble) -> Mistake | None:
    """Find an unquoted text with a colon: ``title: Mazes: an introduction``."""
    if "mapping values are not allowed" not in trouble.problem:
        return None
    entry = _ENTRY.match(trouble.text[: trouble.column])
    if entry is None or entry["value"] is None:
        return None
    value = entry.start("value") + len(entry["value"]) - len(entry["value"].lstrip())
    return trouble.at(
        trouble.line, value, 'a text with a colon in it: expected it in quotes, such as "one: two"'
    )


def _no_space(trouble: _Trouble) -> Mistake | None:
    """Find a missing space after a colon, as in ``seed:1``, at or before the line where reading ended."""
    before = trouble.before()
    for at in (trouble.begun, trouble.line, *([] if before is None else [before])):
        match = _NO_SPACE.match(trouble.lines[at]) if at < len(trouble.lines) else None
        if match is not None:
            key = match["key"]
            return trouble.at(at, match.end(), f"a space is missing after the colon: expected '{key}: …'")
    return None


def _other_space(trouble: _Trouble) -> Mistake | None:
    """Find a no-break space, as word processors insert them, before a key or after its colon."""
    before = trouble.before()
    for at in (trouble.begun, trouble.line, *([] if before is None else [before])):
        match = _OTHER_SPACE.match(trouble.lines[at]) if at < len(trouble.lines) else None
        if match is not None:
            return trouble.at(
                at, len(match["before"]), "a no-break space or one of its kind: expected a plain space"
            )
    return None


def _wall_outside(trouble: _Trouble) -> Mistake | None:
    """Find a line of a drawing with less indentation than the others, which ends the drawing."""
    for at in (trouble.begun, trouble.line):
        line = trouble.lines[at] if at < len(trouble.lines) else ""
        if line.lstrip()[:1] in ("+", "|"):
            lines = trouble.lines
            only_first_is_deeper = (
                1 < at < len(lines) - 1
                and _DRAWING.fullmatch(lines[at - 2]) is not None
                and _indent(line) == _indent(lines[at + 1])
            )
            return trouble.at(
                at - 1 if only_first_is_deeper else at,
                _indent(line),
                "the drawing of a maze stands below 'maze: |': expected all its lines indented alike, "
                "by two spaces at least",
            )
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _sign_first(trouble: _Trouble) -> Mistake | None:
    """Find an unquoted text that begins with a special character of YAML."""
    begun = ("scanning an alias", "scanning an anchor", "a tag", "scanning a block scalar")
    if any(thing in trouble.context for thing in begun):
        at = trouble.begun_column
    elif "cannot start any token" in trouble.problem or "tag handle" in trouble.problem:
        at = trouble.column
    else:
        return None
    sign = trouble.text[at : at + 1]
    return trouble.at(trouble.line, at, f"expected a text that begins with '{sign}' in quotes")


def _backslash(trouble: _Trouble) -> Mistake | None:
    if "escape" not in trouble.problem:
        return None
    return trouble.here(
        "a backslash in double quotes has a meaning of its own: expected single quotes around the text"
    )


def _quote(trouble: _Trouble) -> Mistake | None:
    """Find a quote that is never closed, or closed before the text ends."""
    if "quoted scalar" in trouble.context:
        return trouble.at(
            trouble.begun, trouble.begun_column, "expected a second quote at the end of the text"
        )
    if "<scalar>" not in trouble.problem:
        return None
    value = re.match(r" *[^:]+: +(?=['\"])", trouble.text)
    if value is None or value.end() >= trouble.column:
        return None
    quote = trouble.text[value.end()]
    other = "'" if quote == '"' else '"'
    return trouble.here(
        f"the text has ended before this, at the second {quote}: expected a text with {quote} in it "
        f"between two {other}"
    )


def _bracket(trouble: _Trouble) -> Mistake | None:
    """Find a bracket that is never closed, one that closes nothing, or a text that begins with one."""
    for name, (opening, closing) in _OPENING.items():
        if name in trouble.context:
            return trouble.at(
                trouble.begun, trouble.begun_column, f"expected a '{closing}' that closes this '{opening}'"
            )
        if f"'{closing}'" in trouble.problem:
            return trouble.here(f"this '{closing}' closes nothing: expected it to be taken out")
    value = re.match(r" *[^:]+: +(?=[\[{])", trouble.text)
    if "<scalar>" in trouble.problem and value is not None and value.end() < trouble.column:
        sign = trouble.text[value.end()]
        return trouble.at(trouble.line, value.end(), f"expected a text that begins with '{sign}' in quotes")
    return None


def _no_colon(trouble: _Trouble) -> Mistake | None:
    """Find a missing colon: ``visibility hidden``."""
    if "could not find expected ':'" not in trouble.problem:
        return None
    return trouble.at(
        trouble.begun, trouble.begun_column, "expected 'key: value', got a line without a colon"
    )


def _dash(trouble: _Trouble) -> Mistake | None:
    """Find lines with a dash among lines without one."""
    line = trouble.text.lstrip()
    if "block" not in trouble.context or not ("'-'" in trouble.problem or "'?'" in trouble.problem):
        return None
    if line.startswith("- "):
        return trouble.here("a list goes on here that has ended: expected its dashes one below the other")
    return trouble.here(
        "expected a dash here as well, or no dash before the first key: keys stand without one"
    )


def _indentation(trouble: _Trouble) -> Mistake | None:
    """Find a line that is indented more or less than the lines of its group."""
    before = trouble.before()
    is_deeper = "mapping values are not allowed" in trouble.problem
    begins = ("<block mapping start>", "<block sequence start>")
    if before is None or not (is_deeper or any(start in trouble.problem for start in begins)):
        return None
    line = trouble.text
    indent, wanted = _indent(line), _indent(trouble.lines[before])
    if indent == wanted:
        return None
    return trouble.at(
        trouble.line,
        indent,
        f"this line begins with {_spaces(indent)}: expected {_spaces(wanted)}, as in line {before + 1}, "
        "or as many as another line of its group has",
    )


def _spaces(count: int) -> str:
    return "no space" if count == 0 else "1 space" if count == 1 else f"{count} spaces"


_LOOKS: Final[tuple[Callable[[_Trouble], Mistake | None], ...]] = (
    _other_space,
    _colon_in_text,
    _backslash,
    _wall_outside,
    _sign_first,
    _bracket,
    _quote,
    _no_space,
    _no_colon,
    _dash,
    _indentation,
)
"""Tried in order: certain mistakes before likely ones."""


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
        _refuse(source, Mistake(message, line, column))
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
        _refuse(source, explain(source.text, error))
    except (
        ValueError,
        OverflowError,
    ):  # from PyYAML, which accepts any number as a character code or version
        message = "a number that is too large, in an escape or a directive: write out what is meant"
        _refuse(source, Mistake(message, loader.line + 1, loader.column + 1))
    finally:
        loader.dispose()
    if node is None:
        source.refuse("the file is empty", 1, 1)
    return node


def _refuse(source: YamlText, mistake: Mistake) -> NoReturn:
    lines = source.text.split("\n")
    line = lines[mistake.line - 1].rstrip("\r").replace("\t", "→") if mistake.line <= len(lines) else ""
    start = max(0, mistake.column - 1 - _SHOWN // 2) if len(line) > _SHOWN else 0
    picture = f"  {line[start : start + _SHOWN]}\n  {' ' * (mistake.column - 1 - start)}^"
    source.refuse(f"{mistake.message}\n{picture}", mistake.line, mistake.column)
