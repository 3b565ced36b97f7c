"""Which of several attempts or files counts: the question that undecided work asks, and what people answer.

A question is known by its candidates, so that an answer holds as long as these are the same, and no longer.
The answer is the number of a candidate, from 1, in the order in which they are listed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.errors import Candidate, InputError, Undecided
from grader.intake.class_listing import HandIn
from grader.intake.reading import submission_of
from grader.languages import said
from grader.model import CandidateJson, ChoiceJson, Remark, Submission, note
from grader.reader import Reader
from grader.text import shown, visible


def read_with_choices(
    hand_in: HandIn, choices: Mapping[str, int], reader: Reader, *, are_own: bool = False
) -> Submission:
    """Read a submission; where it is undecided, take what a person chose (``choices``: numbers by question).

    The student is told what counts, and whether the choices ``are_own``. Raises Unreached and Undecided.
    """
    chosen, told = list[str](), list[Remark]()
    while True:
        try:
            read = submission_of(hand_in, reader, chosen=chosen)
            return replace(read, remarks=(*read.remarks, *told))
        except Undecided as error:
            number = choices.get(question_of(hand_in.name, error.candidates), 0)
            if not 1 <= number <= len(error.candidates) or error.candidates[number - 1].name in chosen:
                raise
            name = error.candidates[number - 1].name
            chosen.append(name)
            count, source = len(error.candidates), shown(name)
            why = said("intake_own_choice" if are_own else "intake_chosen", count=count, source=source)
            told.append(note(why))


def question_of(submission: str, candidates: Sequence[Candidate]) -> str:
    """Return the id of the question which of these counts; it changes with their names and contents."""
    parts = [submission, *(repr((each.name, sorted(each.files.items()))) for each in candidates)]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def choice_data(question: str, candidates: Sequence[Candidate]) -> ChoiceJson:
    """Return a question in the form of results.json."""
    told: list[CandidateJson] = [
        {"name": each.name, "modified": each.modified, "files": dict(each.files)} for each in candidates
    ]
    return {"question": question, "candidates": told}


def find_candidate(choice: ChoiceJson, which: str) -> int:
    """Return the number of the candidate that a person names, by number or how its name alone begins.

    Raises InputError.
    """
    names = [each["name"] for each in choice["candidates"]]
    numbers = [str(number) for number in range(1, len(names) + 1)]
    for known in (names, numbers, [which if name.startswith(which) else "" for name in names]):
        if known.count(which) == 1:
            return known.index(which) + 1
    raise InputError(f"expected a number from 1 to {len(names)}, or one of the names, got {visible(which)}")


def find_newest(choice: ChoiceJson) -> int:
    """Return the number of the candidate that was changed last; 0 if the times do not tell."""
    times = [each["modified"] or "" for each in choice["candidates"]]
    return times.index(max(times)) + 1 if all(times) and times.count(max(times)) == 1 else 0


def list_candidates(choice: ChoiceJson) -> list[str]:
    """Return the lines of a table: candidates in columns, with a letter for each content of a file."""
    found = choice["candidates"]
    rows = [
        ["", *(str(number) for number in range(1, len(found) + 1))],
        ["name", *(visible(each["name"], one_line=True) for each in found)],
        ["changed", *((each["modified"] or "-").replace("T", " ")[:16] for each in found)],
    ]
    for path in dict.fromkeys(path for each in found for path in each["files"]):
        contents = [each["files"].get(path, "") for each in found]
        letters = dict(
            zip(dict.fromkeys(filter(None, contents)), "ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 40, strict=False)
        )
        is_same = len({*contents}) == 1
        rows.append([path, *("-" if not each else "same" if is_same else letters[each] for each in contents)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
