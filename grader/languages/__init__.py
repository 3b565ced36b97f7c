"""The texts that people read, a folder of catalogues a language; adding a language is adding a folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Any, Final

from grader.languages.message import PREFIXES, Message, Text, Value, said
from lab.exercises import LAB_EXERCISES

__all__ = [
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

TextsByLanguage = Mapping[str, Mapping[str, str]]

_PLACES: Final = {
    "title": "title.exercise.{exercise}",
    "checks": "title.{exercise}.{name}",
    "why": "why.{exercise}.{name}",
    "said": "said.{name}",
    "misconceptions": "hint.{exercise}.{name}",
    "idea": "idea.{name}",
}
"""Where the texts of the lab's own exercises stand in a catalogue, by their tables."""

_added: dict[str, TextsByLanguage] = {}


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language by key: ``catalogue("page.title", submission="ada")``."""

    code: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return the text with the values filled in."""
        return self.texts[key].format(**values)

    def say(self, value: Value) -> str:
        """Put a message into the language; any other value stays as it is. Raises KeyError."""
        if not isinstance(value, Message):
            return str(value)
        return self.texts[value.key].format_map({name: self.say(part) for name, part in value.values})

    def get(self, key: str) -> str:
        """Return the text as it stands; empty where there is none."""
        return self.texts.get(key, "")

    def hint(self, misconception: str) -> str:
        """Return the words for whoever holds a misconception such as ``dfs.west-first``; none if unknown."""
        name = misconception.partition(".")[2]
        return self.get(f"hint.{misconception}") or self.get(f"hint.{name}")

    def number(self, value: float) -> str:
        """Write a number as the language does, without needless decimals."""
        return f"{value:.2f}".rstrip("0").rstrip(".").replace(".", self.texts["decimal"])


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that there are, English first."""
    found = {entry.name for entry in _folder().iterdir() if entry.joinpath("page.toml").is_file()}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def catalogue(code: str) -> Catalogue:
    """Return the catalogue of a language, the English one for a language that has none.

    A text that the language lacks, or that names other values than the English one, is the English one.
    """
    known = code if code in languages() else DEFAULT
    texts = {**_texts(DEFAULT), **(_whole(_texts(known)) if known != DEFAULT else {})}
    for exercise, languages_of in {**_shipped(), **_added}.items():
        own = {**languages_of[DEFAULT], **languages_of.get(known, {})}
        texts.update({f"own.{exercise}.{key}": text for key, text in own.items()})
    return Catalogue(known, texts)


def titles_of(group: str, *, prefix: str = "") -> dict[str, str]:
    """Return English titles by name after a prefix: of the checks of an exercise or kind, or of exercises."""
    start = f"title.{group}."
    found = {key.removeprefix(start): text for key, text in _texts(DEFAULT).items() if key.startswith(start)}
    return {f"{prefix}{name}": title for name, title in found.items()}


def missing_texts(code: str) -> tuple[int, int]:
    """Return how many texts of a language are English for want of its own, and how many there are."""
    english = _texts(DEFAULT)
    return len(english) - len(_whole(_texts(code))), len(english)


@cache
def _texts(code: str) -> Mapping[str, str]:
    """The texts of the files of a language, with those of the lab's own exercises."""
    files_of = sorted(_folder().joinpath(code).iterdir(), key=lambda entry: entry.name)
    shared = (read_texts(entry) for entry in files_of if entry.name.endswith(".toml"))
    own = (_of_lab(exercise.id, code) for exercise in LAB_EXERCISES)
    return {key: text for texts in (*shared, *own) for key, text in texts.items()}


def _of_lab(exercise: str, code: str) -> dict[str, str]:
    """The texts of one of the lab's own exercises, by the keys that they have among those of all."""
    entry = files("grader").joinpath("exercises", exercise, "texts", f"{code}.toml")
    texts = read_texts(entry) if entry.is_file() else {}
    found = {}
    for key, text in texts.items():
        table, _, name = key.partition(".")
        found[_PLACES[table].format(exercise=exercise, name=name)] = text
    return found


def _whole(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts that can stand for the English ones: those that name the same values."""
    english = _texts(DEFAULT)
    return {
        key: text for key, text in texts.items() if key in english and _names(text) == _names(english[key])
    }


def _names(text: str) -> set[str] | None:
    """The names of the values in a text; None where it is not well formed."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        return None


def add_texts(of_exercises: Mapping[str, TextsByLanguage]) -> None:
    """Let the catalogues hold the texts of a course's own exercises, by their ids, and of no other course."""
    _added.clear()
    _added.update(of_exercises)
    catalogue.cache_clear()


def texts_in(folder: Traversable) -> TextsByLanguage:
    """The texts of an exercise: of each language a file ``en.toml``, of which English has to be there."""
    named = {entry.name.removesuffix(".toml"): entry for entry in folder.iterdir()}
    return {code: read_texts(named[code]) for code in languages() if code in named}


def read_texts(entry: Traversable) -> dict[str, str]:
    """The texts of a file, by their keys, nested ones joined with dots."""
    return dict(_flat("", tomllib.loads(entry.read_text(encoding="utf-8"))))


@cache
def _shipped() -> Mapping[str, TextsByLanguage]:
    """The texts of the exercises that ship with the grader: results hold them where no rubric is at hand."""
    folder = files("grader").joinpath("exercises")
    with_texts = ((entry.name, entry.joinpath("texts")) for entry in folder.iterdir())
    own = {exercise.id for exercise in LAB_EXERCISES}
    return {name: texts_in(texts) for name, texts in with_texts if texts.is_dir() and name not in own}


def _folder() -> Traversable:
    return files(__package__)


def _flat(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Nested tables as dotted keys."""
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        found += _flat(f"{name}.", value) if isinstance(value, dict) else [(name, value)]
    return found
