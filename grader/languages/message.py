"""A sentence before it is translated: the key of its text in the catalogues, and its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

PREFIXES = ("said.", "move.", "own.")
"""Keys of messages begin with one of these; other texts of a catalogue are not about submissions."""


@dataclass(frozen=True, slots=True)
class Message:
    """A key with the values that its text names; a value may be a message itself."""

    key: str
    values: tuple[tuple[str, Value], ...] = ()


Text: TypeAlias = str | Message
"""A message, or a text that is the same in every language: a value, an exception, a name."""
Value: TypeAlias = Text | int


def said(key: str, /, **values: Value) -> Message:
    """Return the message ``said.<key>`` with these values."""
    return Message(f"said.{key}", tuple(values.items()))
