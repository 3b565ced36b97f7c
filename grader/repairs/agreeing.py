"""Whether the repairs that were found agree on a place, and on what is asked about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from grader.repairs.edits import Kind
from grader.repairs.searching import Found, Repair

NEAR: Final = 2
"""Repairs agree where they lie no more than two lines apart."""
_MOVED: Final = {"each_turn", "sequence", "under_condition"}
"""What puts a statement in another place."""

_ALIKE: Final[tuple[tuple[frozenset[str], Kind], ...]] = (
    (frozenset({"comparison", "negation"}), "comparison"),
    (frozenset({"condition", "comparison", "negation"}), "condition"),
    (frozenset({"bound", "equal", "by_one", "number"}), "bound"),
)
"""Kinds of which one question fits all."""


def agreed(found: Found) -> Repair | None:
    """Return the repair that stands for all, if they lie close together; None where they do not agree.

    Only those that repair most checks count. Where they differ in what they change, only the place is sure.
    Leaving a line out, which is often one way to change it, does not count as a difference, unless the others
    only move it; nor do kinds that one question fits. Of several repairs, the one that adds least is
    returned: most mistakes are something that is there and should not be.
    """
    if not found.is_whole or not found.repairs:
        return None
    most = max(len(repair.checks) for repair in found.repairs)
    best = _plainest([repair for repair in found.repairs if len(repair.checks) == most])
    lines = [repair.edit.line for repair in best]
    if len({repair.checks for repair in best}) > 1:
        return None
    kinds = {repair.edit.kind for repair in best}
    if kinds == {"end"}:
        return min(best, key=lambda repair: repair.edit.line)
    if max(lines) - min(lines) > NEAR:
        return None
    telling = [repair for repair in best if repair.edit.kind != "needed"] or best
    asked = {repair.edit.kind for repair in telling}
    if asked > {"bound"}:  # its question asks for the smallest case, on which any of them shows
        telling = [repair for repair in telling if repair.edit.kind == "bound"]
    elif len(asked) > 1 or (asked <= _MOVED and len(telling) < len(best)):
        told: Kind = next((kind for kinds, kind in _ALIKE if asked <= kinds), "closely")
        telling = [replace(repair, edit=replace(repair.edit, sort=told)) for repair in best]
    return min(telling, key=lambda repair: repair.edit.growth)


def _plainest(repairs: list[Repair]) -> list[Repair]:
    """Return the repairs without those that compensate for something elsewhere.

    What is not kept need not be ignored; what others change needs no lines added to help; what needs a copy
    need not be reversed, which makes one, nor what is put in at the right end. An end depends as much on
    where things are put in as on where they are taken out, so the question is valid for either line.
    """
    kept = [repair for repair in repairs if repair.edit.kind == "lives_on"]
    changed = kept or [repair for repair in repairs if not repair.edit.after] or repairs
    copies = {repair.edit.line for repair in changed if repair.edit.kind == "changing"}
    changed = [repair for repair in changed if repair.edit.kind != "order" or repair.edit.line not in copies]
    ends = [repair for repair in changed if repair.edit.kind == "end"]
    return ends if ends and {repair.edit.kind for repair in changed} <= {"end", "order"} else changed
