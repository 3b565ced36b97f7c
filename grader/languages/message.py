"""A sentence before it is put into a language: the key of its text in the catalogues, and its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

PREFIXES = ("said.", "move.", "own.")
"""What the keys of messages begin with: the other texts of a catalogue say nothing of a submission."""


@dataclass(frozen=True, slots=True)
class Message:
    """A key with the values that its text names; each may be a message itself."""

    key: str
    values: tuple[tuple[str, Value], ...] = ()


Text: TypeAlias = str | Message
"""Words of the grader's, or a text that is the same in every language: a value, an exception, a name."""
Value: TypeAlias = Text | int


def said(key: str, /, **values: Value) -> Message:
    """The sentence ``said.<key>`` with these values."""
    return Message(f"said.{key}", tuple(values.items()))
