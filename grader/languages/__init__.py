"""The texts that people read: a folder of catalogues for each language; a new folder adds a language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Any, Final, TypeAlias

from grader.points import round_points
from lab.exercises import LAB_EXERCISES
from lab.slip_sentences import SENTENCES as OF_SLIPS
from lab.story_sentences import SENTENCES as OF_STORIES

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


__all__ = [
    "AND",
    "DEFAULT",
    "PREFIXES",
    "Catalogue",
    "Message",
    "Text",
    "Value",
    "catalogue",
    "languages",
    "missing_texts",
    "said",
    "titles_of",
]

DEFAULT = "en"
AND: Final = "+"
"""Stands in an id between the names of what wrong answers share, where it is more than one."""

TextsByLanguage = Mapping[str, Mapping[str, str]]

_KEY_PATTERNS: Final = {
    "title": "title.exercise.{exercise}",
    "checks": "title.{exercise}.{name}",
    "why": "why.{exercise}.{name}",
    "said": "said.{name}",
    "hint": "hint.{exercise}.{name}",
    "idea": "idea.{name}",
    "mistakes": "mistake.{exercise}.{name}",
}
"""The keys in a catalogue of the texts of the lab's own exercises, by the tables of their files."""

_own_exercise_texts: dict[str, TextsByLanguage] = {}


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language by key: ``catalogue("page.title", submission="ada")``."""

    code: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key with the values filled in."""
        return self.texts[key].format(**values)

    def say(self, value: Value) -> str:
        """Translate a message into the language; convert other values to text. Raises KeyError."""
        if not isinstance(value, Message):
            return str(value)
        return self.texts[value.key].format_map({name: self.say(part) for name, part in value.values})

    def get(self, key: str) -> str:
        """Return the text of a key without values filled in; "" if there is none."""
        return self.texts.get(key, "")

    def hint(self, shared: str) -> str:
        """Return what is told of what wrong answers share, by its id; "" if it is unknown."""
        name = shared.partition(".")[2]
        told = self.get(f"hint.{shared}") or self.get(f"hint.{name}")
        return told or " ".join(self("shared.as", does=does) for does in self.shared(shared))

    def shared(self, id_: str) -> list[str]:
        """Return in words what wrong answers share, by its id: "explores East first"."""
        does = (self.get(f"shared.{name}") for name in id_.partition(".")[2].split(AND))
        return [each for each in does if each]

    def number(self, value: float) -> str:
        """Format a number as the language does, without needless decimals."""
        return f"{round_points(value):.2f}".rstrip("0").rstrip(".").replace(".", self.texts["decimal"])


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages, English first."""
    found = {entry.name for entry in _folder().iterdir() if entry.joinpath("page.toml").is_file()}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def catalogue(code: str) -> Catalogue:
    """Return the catalogue of a language, or the English one if there is none.

    English stands in for texts that the language lacks, or that name other values than the English ones.
    """
    known = code if code in languages() else DEFAULT
    texts = {**_texts(DEFAULT), **(_usable_texts(_texts(known)) if known != DEFAULT else {})}
    for exercise, languages_of in {**_shipped_exercise_texts(), **_own_exercise_texts}.items():
        own = {**languages_of[DEFAULT], **languages_of.get(known, {})}
        texts.update({f"own.{exercise}.{key}": text for key, text in own.items()})
    return Catalogue(known, texts)


def titles_in(group: str, *, prefix: str = "") -> dict[str, str]:
    """Return English titles of an exercise's or kind's checks, or of exercises, by name after a prefix."""
    start = f"title.{group}."
    found = {key.removeprefix(start): text for key, text in _texts(DEFAULT).items() if key.startswith(start)}
    return {f"{prefix}{name}": title for name, title in found.items()}


def missing_texts(code: str) -> tuple[int, int]:
    """Return the number of texts for which a language has to use English, and the number of all texts."""
    english = _texts(DEFAULT)
    return len(english) - len(_usable_texts(_texts(code))), len(english)


@cache
def _texts(code: str) -> Mapping[str, str]:
    """Return the texts of a language's files, with those of the lab's own exercises."""
    files_of = sorted(_folder().joinpath(code).iterdir(), key=lambda entry: entry.name)
    shared = (read_texts(entry) for entry in files_of if entry.name.endswith(".toml"))
    own = (_lab_exercise_texts(exercise.id, code) for exercise in LAB_EXERCISES)
    of_lab = {**OF_SLIPS, **{f"story_{key}": text for key, text in OF_STORIES.items()}}
    of_kit = {f"said.{key}": text for key, text in of_lab.items()} if code == DEFAULT else {}
    return {key: text for texts in (of_kit, *shared, *own) for key, text in texts.items()}


def _lab_exercise_texts(exercise: str, code: str) -> dict[str, str]:
    """Return the texts of one of the lab's own exercises, by their keys in the catalogue."""
    entry = files("grader").joinpath("exercises", exercise, "texts", f"{code}.toml")
    texts = read_texts(entry) if entry.is_file() else {}
    found = {}
    for key, text in texts.items():
        table, _, name = key.partition(".")
        found[_KEY_PATTERNS[table].format(exercise=exercise, name=name)] = text
    return found


def _usable_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts that name the same values as the English ones, and can replace them."""
    english = _texts(DEFAULT)
    return {
        key: text
        for key, text in texts.items()
        if key in english and _value_names(text) == _value_names(english[key])
    }


def _value_names(text: str) -> set[str] | None:
    """Return the names of the values in a text; None if it is malformed."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        return None


def add_texts(of_exercises: Mapping[str, TextsByLanguage]) -> None:
    """Add the texts of a course's own exercises, by their ids, and remove those of any other course."""
    _own_exercise_texts.clear()
    _own_exercise_texts.update(of_exercises)
    catalogue.cache_clear()


def read_exercise_texts(folder: Traversable) -> TextsByLanguage:
    """Return the texts of an exercise by language, from files such as ``en.toml``; English must be among
    them."""
    named = {entry.name.removesuffix(".toml"): entry for entry in folder.iterdir()}
    return {code: read_texts(named[code]) for code in languages() if code in named}


def read_texts(entry: Traversable) -> dict[str, str]:
    """Read the texts of a file by key, nested keys joined with dots."""
    return dict(_flatten("", tomllib.loads(entry.read_text(encoding="utf-8"))))


@cache
def _shipped_exercise_texts() -> Mapping[str, TextsByLanguage]:
    """Return the texts of exercises that ship with the grader, for results that are shown without a
    rubric."""
    folder = files("grader").joinpath("exercises")
    with_texts = ((entry.name, entry.joinpath("texts")) for entry in folder.iterdir())
    own = {exercise.id for exercise in LAB_EXERCISES}
    return {
        name: read_exercise_texts(texts) for name, texts in with_texts if texts.is_dir() and name not in own
    }


def _folder() -> Traversable:
    return files(__package__)


def _flatten(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return nested tables as pairs of a dotted key and its text."""
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        found += _flatten(f"{name}.", value) if isinstance(value, dict) else [(name, value)]
    return found
