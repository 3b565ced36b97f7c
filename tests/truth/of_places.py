"""Of each place that is named, whether a change there puts right what was lost, as its question takes it."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from grader.languages import catalogue
from grader.session.replies import claim_of
from tests.truth.record import SecondRecord
from tests.truth.said import TRUE, About, Said, true

MOST_TRIED = 12
"""An edit is tried on so many cases of each check that it puts right."""
TAKES_FOR_GRANTED = {
    "all_or_any": r"\b(all|any)\(",
    "both": r"\b(and|or)\b",
    "bound": r"[<>]|\brange\b|\d",
    "by_one": r"\d",
    "comparison": r"[<>]|\bm(in|ax)\b",
    "direction": r"NORTH|EAST|SOUTH|WEST|opposite|north|east|south|west",
    "end": r"pop|\[-?\d\]|append|insert|_pending|-1|0",
    "entry_or_exit": r"entry|exit",
    "equal": r"[<>]",
    "luck": r"random|rng|shuffle|choice|sample|seed",
    "most_or_least": r"\bm(in|ax)\b|[<>-]|reverse",
    "negation": r"\bnot\b|!=|==|\bis\b",
    "no_exit": r"exit|None",
    "number": r"\d",
    "row_or_column": r"row|column|\[[01]\]",
    "truth": r"True|False",
    "walls": r"wall|moves|valid",
    "way_order": r"revers|::-1|insert|append|\+",
}
"""By the question, what stands in what the edit changes."""


@true("look", "look_at", "look_after", *(f"story_place{kind}" for kind in ("", "_gone", "_moved", "_after")))
def mends(said: Said, _: SecondRecord, about: About) -> bool:
    """With an edit in that line, cases of all checks that it is about are right."""
    place = about.look
    if place is None or about.edited is None:
        return False
    files = {**about.files, place.file: about.edited}
    tried = [
        (check, case) for check in about.exercise.checks if check.id in place.checks for case in check.cases
    ]
    for check in about.exercise.checks:
        for case in [each for one, each in tried if one is check][:: max(1, len(check.cases) // MOST_TRIED)]:
            other = About(about.name, about.exercise, files, case.call, about.asks)
            claims = {case.call.id: claim_of(other.made(), case.call)}
            if check.looks_one_by_one and check.judge((case,), claims) is not None:
                return False
    return said.line in {None, place.line} and place.line in changed(about)


def changed(about: About) -> set[int]:
    """Return the lines that an edit changes, those after which it puts something, and the same in a class."""
    assert about.look is not None
    assert about.edited is not None
    old, new = (text.decode().splitlines() for text in (about.files[about.look.file], about.edited))
    parts = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    put = {
        line.strip().removeprefix("self.")
        for kind, _, _, a, b in parts
        if kind != "equal"
        for line in new[a:b]
        if "self." in line
    }
    return {
        line for kind, a, b, *_ in parts if kind != "equal" for line in range(max(1, a), max(a + 1, b) + 1)
    } | {number for number, line in enumerate(old, 1) if line.strip() in put}


def edited_text(about: About) -> str:
    """Return what an edit takes away and puts in."""
    return "\n".join(line[1:] for line in about.look.edit) if about.look is not None else ""


def _asks(said: Said, record: SecondRecord, about: About) -> bool:
    wanted = TAKES_FOR_GRANTED.get(said.key.removeprefix("look_"), "")
    return re.search(wanted, edited_text(about)) is not None and mends(said, record, about)


TRUE.update(
    {
        key.removeprefix("said."): _asks
        for key in catalogue("en").texts
        if key.startswith("said.look_") and key.removeprefix("said.") not in TRUE
    }
)


@true("look_needed_part")
def _needed_part(said: Said, record: SecondRecord, about: About) -> bool:
    removed = [line[1:] for line in about.look.edit if line[0] == "-"] if about.look is not None else []
    return any(said.values["part"] in line for line in removed) and mends(said, record, about)
