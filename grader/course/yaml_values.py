"""The values of a YAML file, read by the types of a dataclass; a refusal says where, and what was expected.

A field says with ``Meta`` what its value may be, and what it is for. What no type can say has a reader of its
own, and is ``Any`` here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Final, Literal, NoReturn, TypeVar, get_args, get_origin, get_type_hints

import yaml
from msgspec import Meta

from grader.errors import InputError
from grader.text import UNITS, in_bytes, in_full

Item = TypeVar("Item")
N = TypeVar("N", int, float)
_DIGITS: Final = "[+-]?(0|[1-9][0-9]{0,18})"
"""A whole number without leading zeros: YAML may read 010 as 8, and 08 as a text."""
_WHOLE: Final = re.compile(_DIGITS)
_NUMBER: Final = re.compile(rf"{_DIGITS}(\.[0-9]{{1,15}})?")
_ZERO_FIRST: Final = re.compile(r"([+-]?)0+([0-9].*)")
_COMMA: Final = re.compile(r"[+-]?[0-9]+,[0-9]+")
_SIZE: Final = re.compile(r"([0-9]{1,15})(?: ?(KiB|MiB|GiB))?")
_UNSEEN: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ud800-\udfff\ufeff]"
)
"""Characters that are invisible in a text, such as a zero-width space."""
_TEXT_TAG: Final = "tag:yaml.org,2002:str"


@dataclass(frozen=True, slots=True)
class YamlText:
    """The text of a file, and the class of errors to raise about it."""

    path: Path
    text: str
    error: type[InputError]
    mistakes: list[InputError] | None = field(default=None, compare=False, repr=False)
    """What is wrong with the file, where its reader tells all of it at once."""

    def reading(self, read: Callable[[], Item], otherwise: Item) -> Item:
        """Return what ``read`` returns, or ``otherwise`` where that is wrong and is told with the rest."""
        if self.mistakes is None:
            return read()
        try:
            return read()
        except self.error as mistake:
            self.mistakes.append(mistake)
            return otherwise

    def refuse_mistakes(self) -> None:
        """Raise all that was found wrong, a line each, as an error about the first of it in the file."""
        if self.mistakes:
            found = sorted(self.mistakes, key=lambda each: (each.line or 0, each.column or 0))
            found[0].args = ("\n".join(map(str, found)),)
            raise found[0]

    def refuse(self, message: str, line: int | None = None, column: int | None = None) -> NoReturn:
        """Raise this kind of file's error with the place."""
        raise self.error(message, path=self.path, line=line, column=column) from None


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a file; ``label`` is the path of keys to it: "limits.processes"."""

    source: YamlText
    node: yaml.Node
    label: str = ""

    @property
    def line(self) -> int:
        """The line in which it starts, from 1."""
        return int(self.node.start_mark.line) + 1

    @property
    def column(self) -> int:
        """The column in which it starts, from 1."""
        return int(self.node.start_mark.column) + 1

    def refuse(self, message: str) -> NoReturn:
        """Raise an error at this value."""
        self.source.refuse(f"{self.label}: {message}" if self.label else message, self.line, self.column)

    def expected(self, what: str, found: str | None = None) -> NoReturn:
        """Raise an error that says what is expected here, and what was found."""
        self.refuse(f"expected {what}, got {self.shown if found is None else found}")

    @property
    def shown(self) -> str:
        """The value as people see it."""
        if isinstance(self.node, yaml.MappingNode):
            return "keys with values"
        if isinstance(self.node, yaml.SequenceNode):
            return "a list"
        return quoted(self.node.value) if self.node.value else "nothing"

    # --- typed readers --------------------------------------------------------------------------

    def is_mapping(self) -> bool:
        """Tell whether the value is a mapping."""
        return isinstance(self.node, yaml.MappingNode)

    def entries(self) -> list[tuple[Value, Value]]:
        """Return the keys and values of a mapping; each key must be a text that occurs once."""
        if not isinstance(self.node, yaml.MappingNode):
            self.expected("keys with values ('key: value', a line each)")
        seen: dict[str, int] = {}
        pairs = []
        for key_node, value_node in self.node.value:
            key = Value(self.source, key_node, self.label)
            if not isinstance(key_node, yaml.ScalarNode):
                key.refuse(f"expected a key, got {key.shown}")
            name = key_node.value
            if name in seen:
                key.refuse(f"the key {quoted(name)} stands here again, first in line {seen[name]}: keep one")
            seen[name] = key.line
            pairs.append((key, Value(self.source, value_node, self._below(name))))
        return pairs

    def fields(self, *, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Value]:
        """Return the values by key, refusing unknown and missing keys."""
        found, known = {}, (*required, *optional)
        for key, value in self.entries():
            name = key.node.value
            if name in known:
                found[name] = value
            elif (meant := name.partition(":")[0]) != name and meant in known:
                key.refuse(f"a space is missing after the colon: expected '{meant}: …'")
            else:
                self.source.reading(partial(key.refuse_unknown, known), None)
                found.setdefault(nearest(name, known) or "", value)  # reads on as if it was meant
        told = [
            f"the key '{name}' is missing: add a line '{name}: …'" for name in required if name not in found
        ]
        for each in told[:-1]:
            self.source.reading(partial(self.refuse, each), None)
        if told:
            self.refuse(told[-1])
        return {name: value for name, value in found.items() if name in known}

    def refuse_unknown(self, known: Collection[str]) -> NoReturn:
        """Raise an error about a key that is none of those that are known."""
        self.refuse(f"unknown key {quoted(self.node.value)}; {hint(self.node.value, known)}")

    def items(self) -> list[Value]:
        """Return the values of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.expected("a list ([…, …])")
        return [Value(self.source, node, self.label) for node in self.node.value]

    def distinct(
        self, read: Callable[[Value], Item], what: str, shown: Callable[[Item], str] = repr
    ) -> tuple[Item, ...]:
        """Return what the values of a list are, each once; an empty list is refused."""
        listed: list[Item] = []
        for item in self.items():
            if (each := read(item)) in listed:
                item.refuse(f"{shown(each)} is listed twice")
            listed.append(each)
        return tuple(listed) or self.expected(what, "an empty list")

    def text(self, *, most: int) -> str:
        """Return a non-empty text of one line with at most ``most`` characters."""
        if not isinstance(self.node, yaml.ScalarNode) or self.node.tag != _TEXT_TAG:
            quotes = " (put it in quotes)" if isinstance(self.node, yaml.ScalarNode) else ""
            self.expected(f"a text{quotes}")
        text = " ".join(self.node.value.split())
        if not text:
            self.expected("a text", "an empty one")
        if _UNSEEN.search(text):
            self.expected("a text without characters that cannot be seen")
        if len(text) > most:
            self.expected(f"a text of {most} characters at the most", f"{len(text)}")
        return text

    def choice(self, options: Collection[str]) -> str:
        """Return a text that is one of the options."""
        word = self._plain()
        if word not in options:
            found = f"{self.shown}; {hint(word, options)}" if nearest(word, options) else self.shown
            self.expected(one_of(options), found)
        return word

    def whole(self, *, least: int, most: int, note: str = "") -> int:
        """Return a whole number between the bounds, both inclusive; ``note`` explains them in a refusal."""
        return self._bounded(int, _WHOLE, "a whole number", (least, most), note)

    def number(self, *, least: float, most: float) -> float:
        """Return a number between the bounds, both inclusive."""
        return self._bounded(float, _NUMBER, "a number", (least, most))

    def size(self, *, least: int, most: int) -> int:
        """Return a number of bytes, plain or with a unit: "512 MiB"."""
        what = f"a size from {in_bytes(least)} to {in_bytes(most)}, such as '{in_bytes(least * 2)}'"
        match = _SIZE.fullmatch(self._plain())
        if match is None:
            self.expected(what)
        count = int(match[1]) * UNITS.get(match[2], 1)
        if not least <= count <= most:
            self.expected(what)
        return count

    # --- inside ---------------------------------------------------------------------------------

    def _plain(self) -> str:
        return self.node.value if isinstance(self.node, yaml.ScalarNode) else ""

    def _bounded(
        self, read: Callable[[str], N], pattern: re.Pattern[str], what: str, ends: tuple[N, N], note: str = ""
    ) -> N:
        text, (least, most) = self._plain(), ends
        is_number = pattern.fullmatch(text) and self.node.tag != _TEXT_TAG
        if not is_number or not least <= read(text) <= most:
            advice = self._advice(pattern) or note
            found = f"{self.shown}; {advice}" if advice else None
            self.expected(f"{what} from {least:g} to {in_full(most)}", found)
        return read(text)

    def _advice(self, pattern: re.Pattern[str]) -> str:
        """Say how to turn a text that looks like a number into one; "" if it does not look like one."""
        text = self._plain()
        if pattern.fullmatch(text) and self.node.tag == _TEXT_TAG:
            quotes = getattr(self.node, "style", None) in ("'", '"')
            mark = "stands in quotes, which make" if quotes else "has a mark before it, which makes"
            return f"it {mark} it a text: take {'them' if quotes else 'that'} off"
        zero = _ZERO_FIRST.fullmatch(text)
        if zero and pattern.fullmatch(zero[1] + zero[2]):
            return f"write {zero[1]}{zero[2]}, without a zero before it"
        if _COMMA.fullmatch(text):
            return f"write {text.replace(',', '.')}, with a point"
        if text.endswith("%") and pattern.fullmatch(text[:-1].strip()):
            return f"write {text[:-1].strip()}, without the sign"
        return ""

    def _below(self, name: str) -> str:
        return f"{self.label}.{name}" if self.label else name


def quoted(text: str) -> str:
    """Quote a text from a file, shortened and on one line."""
    return repr(text if len(text) <= 60 else text[:59] + "…")


def nearest(word: str, options: Iterable[str]) -> str | None:
    """Return the option that was probably meant; None if none is similar."""
    return next(iter(get_close_matches(word[:60], list(options), n=1, cutoff=0.6)), None)


def hint(word: str, options: Collection[str]) -> str:
    """Suggest the option that was probably meant, or list all options."""
    close = nearest(word, options)
    return f"did you mean '{close}'?" if close else f"expected {one_of(options)}"


def one_of(options: Collection[str]) -> str:
    """List all options, for people."""
    return ("one of " if len(options) > 1 else "") + ", ".join(options)


Record = TypeVar("Record")
Reader = Callable[[Value], Any]
_LONGEST: Final = 1000
"""The most characters of a text whose type sets no bound."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a file: its type, its default, and what a value may be."""

    name: str
    kind: Any
    meta: Meta
    default: Any
    """MISSING for a key that has to be there."""

    @property
    def is_required(self) -> bool:
        """Whether a file without this key is refused."""
        return self.default is MISSING

    @property
    def is_size(self) -> bool:
        """Whether it is a number of bytes, which may have a unit."""
        return self.name.endswith("_bytes")


@cache
def keys_of(record: type) -> Mapping[str, Key]:
    """Return the keys that a dataclass describes, in order."""
    hints = get_type_hints(record, include_extras=True)
    made = (_key(each, hints[each.name]) for each in fields(record))
    return {key.name: key for key in made}


def fields_of(value: Value, record: type) -> dict[str, Value]:
    """Return the values of a mapping by key, refusing unknown keys and missing ones."""
    keys = keys_of(record).values()
    return value.fields(required=_names(keys, True), optional=_names(keys, False))


def read_fields(
    given: Mapping[str, Value], record: type, readers: Mapping[type, Reader] = MappingProxyType({})
) -> dict[str, Any]:
    """Read the values that have types, by key; one that is not given gets its default.

    ``readers`` are for types that are no numbers, texts, choices or records.
    """
    return {
        name: given[name].source.reading(partial(_read, given[name], key, readers), key.default)
        if name in given
        else key.default
        for name, key in keys_of(record).items()
        if key.kind is not Any
    }


def _names(keys: Iterable[Key], is_required: bool) -> list[str]:
    return [key.name for key in keys if key.is_required is is_required]


def _key(field: Field[Any], hint: Any) -> Key:
    kind, meta = (hint.__origin__, hint.__metadata__[0]) if get_origin(hint) is Annotated else (hint, Meta())
    parts = [part for part in get_args(kind) if part is not NoneType]
    if NoneType in get_args(kind):  # a key that may be missing
        kind = parts[0]
        if get_origin(kind) is Annotated:
            kind, meta = kind.__origin__, kind.__metadata__[0]
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return Key(field.name.rstrip("_"), kind, meta, default)


def _read(value: Value, key: Key, readers: Mapping[type, Reader]) -> Any:
    kind, least, most = key.kind, key.meta.ge, key.meta.le
    if kind in readers:
        return readers[kind](value)
    if get_origin(kind) is Literal:
        return value.choice(get_args(kind))
    if is_dataclass(kind) and isinstance(kind, type):
        return kind(**read_fields(fields_of(value, kind), kind, readers))
    if kind is str:
        return value.text(most=key.meta.max_length or _LONGEST)
    if least is None or most is None:
        raise TypeError(f"{key.name}: expected bounds")
    if kind is float:
        return value.number(least=least, most=most)
    return (value.size if key.is_size else value.whole)(least=int(least), most=int(most))
