"""A class under pseudonyms: no name or number of a student appears in its results."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from grader.disk import write_whole
from grader.errors import InputError
from grader.exports.grades_csv import UNNAMED
from grader.exports.pseudonym_key import Identity, encode_key, read_key
from grader.intake.class_listing import UNCLEAR, ClassListing, HandIn
from grader.platforms.registry import PLATFORMS


def assign_pseudonyms(found: ClassListing, key: Path, out: Path, graded: Collection[str]) -> dict[str, str]:
    """Give each submission a permanent pseudonym, stored in the key file; return them by own name.

    ``graded`` names the submissions that have results. Raises InputError if real names appear in these, or
    would.
    """
    if key.resolve().is_relative_to(out.resolve()):
        raise InputError(
            "expected a key file outside of the results: name a file in another folder", path=key
        )
    known = read_key(key) if key.exists() else {}
    if not set(graded) <= known.keys():
        raise InputError(
            "the key lacks names of results that are here: name the key of this folder, or another folder",
            path=out,
        )
    by_name = {identity.submission: identity for identity in known.values()}
    for hand_in in found.hand_ins:
        before = by_name.get(hand_in.name)
        by_name[hand_in.name] = _identity(hand_in, before.pseudonym if before else _new(known))
    write_whole(key, encode_key(by_name.values()))
    return {name: identity.pseudonym for name, identity in by_name.items()}


def _new(taken: Collection[str]) -> str:
    while (name := f"student-{secrets.token_hex(4)}") in taken:
        pass
    return name


def _identity(hand_in: HandIn, pseudonym: str) -> Identity:
    source = hand_in.sources[0] if hand_in.sources else Path()
    name = PLATFORMS[hand_in.platform].source(source) if hand_in.platform else source.name
    return Identity(pseudonym, hand_in.name, hand_in.student, hand_in.id, hand_in.platform, name)


def with_pseudonyms(found: ClassListing, names: Mapping[str, str]) -> ClassListing:
    """Return the class under its pseudonyms, without skipped files, which may be named after students."""
    hand_ins = (
        replace(
            each,
            name=names[each.name],
            student="",
            id="",
            platform=UNNAMED,
            unclear=each.unclear and UNCLEAR,
        )
        for each in found.hand_ins
    )
    return replace(found, hand_ins=tuple(sorted(hand_ins, key=lambda each: each.name)), passed_over=())


def without_paths(found: ClassListing) -> ClassListing:
    """Remove file names from the class, which is then stored with the results."""
    return replace(found, hand_ins=tuple(replace(each, sources=(), labels=()) for each in found.hand_ins))


def with_real_names(hand_ins: Iterable[HandIn], key: Path | str | None) -> dict[str, HandIn]:
    """Give submissions their own names back; return them by the names in the results. Raises InputError."""
    known = read_key(Path(key)) if key else {}
    return {each.name: _with_real_name(each, known.get(each.name)) for each in hand_ins}


def _with_real_name(hand_in: HandIn, who: Identity | None) -> HandIn:
    return replace(hand_in, name=who.submission, student=who.student, id=who.id) if who else hand_in
