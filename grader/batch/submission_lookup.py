"""Find the submission that a person means by a folder, a name or a number."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Final

from grader.intake.class_listing import HandIn
from grader.intake.names import clean_part
from grader.text import visible

_NEAR: Final = 3
"""How many similar names are proposed for an unknown name."""
_PART: Final = 3
"""The least number of letters by which part of a name is matched."""


class SubmissionLookup:
    """The submissions of a class, by every name that people use: folder, student's name and number."""

    def __init__(self, hand_ins: Mapping[str, HandIn], called: Callable[[str], str] = str) -> None:
        """Take the submissions by the names to return, which may be pseudonyms, and how pages call them."""
        self._exact: dict[str, set[str]] = defaultdict(set)
        self._alike: dict[str, set[str]] = defaultdict(set)
        self._plain: dict[str, set[str]] = defaultdict(set)
        self._called = {name: each.student or each.name for name, each in hand_ins.items()}
        for name, each in hand_ins.items():
            for word in filter(None, (name, each.name, each.id, each.student, called(name))):
                self._exact[word].add(name)
                self._alike[_as_typed(word)].add(name)
                self._plain[_without_accents(word)].add(name)

    def find(self, who: str) -> list[str]:
        """Return the submissions of that name; exact matches, or else without regard to case and spaces."""
        spelt = visible(who, one_line=True)
        keys = (_as_typed(who), _as_typed(spelt))
        return sorted(self._exact.get(who) or next(filter(None, map(self._alike.get, keys)), ()))

    def propose(self, who: str) -> str:
        """Return the end of a message that proposes similar names; empty if there are none."""
        plain = _without_accents(who)
        parts = [key for key in self._plain if len(plain) >= _PART and plain in key]
        keys = parts or get_close_matches(plain[:80], self._plain, _NEAR, 0.8)
        near = list(dict.fromkeys(name for key in keys for name in sorted(self._plain[key])))[:_NEAR]
        return f"did you mean {' or '.join(map(self._told, near))}?" if near else ""

    def _told(self, name: str) -> str:
        called = self._called[name]
        return visible(name) + (f" ({visible(called)})" if called not in ("", name) else "")


def _as_typed(name: str) -> str:
    """Normalise a name: lower case, single plain spaces, one Unicode form."""
    return " ".join(unicodedata.normalize("NFKC", clean_part(name)).casefold().split())


def _without_accents(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(each for each in parts if not unicodedata.combining(each)).split())
