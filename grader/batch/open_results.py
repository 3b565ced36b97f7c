"""Open a folder of results for a change, and find the submission that a person names."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from grader.batch.journal import FILE, Journal, JournalRow
from grader.batch.lock import hold
from grader.batch.marks.ledger import Decision, is_last
from grader.batch.pseudonyms import with_real_names
from grader.batch.report.class_facts import load
from grader.errors import InputError
from grader.exports.result_files import UNFINISHED
from grader.intake.class_listing import HandIn
from grader.intake.names import clean_part
from grader.text import visible

# --- submission lookup ------------------------------------------------------------------------------
# Find the submission that a person means by a folder, a name or a number.


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


_NAMED: Final = 5
"""An error names at most 5 of the submissions that there are."""


@contextmanager
def open_results(out: Path) -> Iterator[Journal]:
    """Lock a folder of results and open its journal. Raises InputError."""
    if not (out / FILE).is_file():
        raise InputError("expected a folder of results that grader batch wrote", path=out)
    with hold(out), Journal(out) as journal:
        yield journal


def was_interrupted(out: Path, decision: Decision) -> bool:
    """Return whether the decision is the last one in the ledger, and was only applied in part."""
    return (out / UNFINISHED).exists() and is_last(out, decision)


def find_submission(
    out: Path, who: str, entries: Mapping[str, JournalRow], key: Path | str | None = None
) -> str:
    """Find a submission by its folder, a file in it, or its student's number or name; return its name.

    ``key`` names the students of results under pseudonyms. Raises InputError if none or several match.
    """
    who = _folder_in(out, who)
    if who in entries:
        return who
    facts = load(out)
    own = with_real_names(facts.found.hand_ins, key)
    lookup = SubmissionLookup({name: each for name, each in own.items() if name in entries}, facts.called)
    found = lookup.find(who)
    if len(found) != 1:
        told = ", ".join(map(visible, found or sorted(entries)[:_NAMED]))
        if not found and len(entries) > _NAMED:
            told += f" and {len(entries) - _NAMED} more"
        what = "may be any of" if found else "is none of"
        more = "" if found else lookup.propose(who)
        if not (found or more or key) and facts.asked.get("pseudonyms"):
            more = "these results are under pseudonyms: give the key that names them (--key)"
        raise InputError(
            f"{visible(who)} {what} the submissions here ({told})" + (f"; {more}" if more else ""), path=out
        )
    return found[0]


def _folder_in(out: Path, who: str) -> str:
    """Return the results folder that a path leads into, or the text itself if it is no such path."""
    name = who.rstrip("/") or who
    with suppress(ValueError, IndexError, OSError, RuntimeError):
        if "/" in name:
            return Path(name).resolve().relative_to(out.resolve()).parts[0]
    return name
