"""Describe, for staff, the mistakes of the class that one small edit would correct, by the kind of edit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from grader.batch.report.rows import Row

EDITS: Final[Mapping[str, str]] = {
    "all_or_any": "take “all” for “any”, or the other way round",
    "answer": "do not hand on what their own call gives back",
    "arguments": "have two values in the wrong order",
    "bound": "end one too early or too late",
    "both": "take “and” for “or”, or the other way round",
    "by_one": "are one off",
    "closely": "have a mistake in one place that several changes put right",
    "changing": "change what they go through",
    "comparison": "compare the wrong way round",
    "condition": "have a condition too many, or one that is wrong",
    "copied": "put away what goes on changing",
    "counted": "add where they should take away, or the like",
    "direction": "have a wrong direction",
    "each_turn": "do at each turn of a loop what is to be done once, or the other way round",
    "empty": "take what is empty for nothing",
    "end": "take the other end of the list",
    "entry_or_exit": "take the entry for the exit, or the other way round",
    "equal": "are wrong where two are equal",
    "has_been": "do not look where they have been",
    "known": "do not look what they know already",
    "leaves": "leave a loop too early or too late",
    "lives_on": "keep something from one call to the next",
    "luck": "draw luck from elsewhere",
    "marks": "do not note where they have been",
    "method": "call another method than is meant",
    "most_or_least": "take the most for the least, or the other way round",
    "name": "use another name than is meant",
    "needed": "do something that is not needed",
    "negation": "have a condition the wrong way round",
    "no_exit": "take it for granted that there is an exit",
    "nothing": "give back something else where there is nothing",
    "number": "have a wrong number",
    "order": "go through something in the wrong order",
    "part": "leave a part out",
    "row_or_column": "take rows for columns, or the other way round",
    "same": "ask whether two are the same object, not whether they are equal",
    "sequence": "do two things in the wrong order",
    "taken_back": "do not take back what leads nowhere",
    "truth": "take true for false, or the other way round",
    "turned": "turn a move round, or do not",
    "under_condition": "do under a condition what is always to be done, or the other way round",
    "walls": "do with walls what is not meant",
    "way_order": "give back the way from its other end",
    "what_returned": "give back another type",
    "wrapped": "make something of a value that should stay as it is",
}
"""What students do wrong, by the kind of edit; it follows a number: “34 take the other end of the list”."""


@dataclass(frozen=True, slots=True)
class SharedEdit:
    """Submissions in which the same kind of edit would correct an exercise."""

    exercise: str
    words: str
    rows: tuple[Row, ...]


def shared_edits(rows: Iterable[Row]) -> list[SharedEdit]:
    """Count the kinds of edits by exercise, the most frequent first."""
    found: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        for exercise in row.exercises:
            if exercise.look_at in EDITS:
                found[exercise.title, exercise.look_at][row.name] = row
    made = [SharedEdit(title, EDITS[kind], tuple(theirs.values())) for (title, kind), theirs in found.items()]
    return sorted(made, key=lambda change: (-len(change.rows), change.exercise, change.words))
