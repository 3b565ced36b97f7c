"""The texts of the feedback, one file a language; adding a language is adding a file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

DEFAULT = "en"


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language by key: ``catalogue("page.title", submission="ada")``."""

    code: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return the text with the values filled in."""
        return self.texts[key].format(**values)

    def get(self, key: str) -> str:
        """Return the text as it stands; empty where there is none."""
        return self.texts.get(key, "")

    def number(self, value: float) -> str:
        """Write a number as the language does, without needless decimals."""
        return f"{value:.2f}".rstrip("0").rstrip(".").replace(".", self.texts["decimal"])


def languages() -> tuple[str, ...]:
    """The codes of the languages that there are."""
    names = (entry.name for entry in files(__package__).joinpath("catalogues").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def catalogue(code: str) -> Catalogue:
    """Return the catalogue of a language, the English one for a language that has none."""
    known = code if code in languages() else DEFAULT
    text = files(__package__).joinpath("catalogues", f"{known}.toml").read_text(encoding="utf-8")
    return Catalogue(known, dict(_flat("", tomllib.loads(text))))


def _flat(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Nested tables as dotted keys."""
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        found += _flat(f"{name}.", value) if isinstance(value, dict) else [(name, value)]
    return found
