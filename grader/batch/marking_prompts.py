"""Marking on the terminal, one key at a time: all answers to one question before the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from grader.batch.marking_desk import (
    AnswerToMark,
    Mark,
    Question,
    answer_of,
    mark_answer,
    questions,
    take_answer,
    take_back,
)
from grader.batch.taken_items import give_back
from grader.errors import InputError
from grader.platforms.base import parse_points
from grader.text import visible

_KEYS: Final = "{digits} criteria, n next, m more or fewer points, u undo, s skip, q quit"
Say = Callable[[str], None]
Ask = Callable[[str], str]


def mark_one_by_one(out: Path, who: str, say: Say, ask: Ask, key: Ask) -> str:
    """Show the answers that wait for this person, and record marks; return the last key.

    ``say`` prints, ``ask`` reads a line, and ``key`` reads one key, empty at the end of the input.
    """
    skipped, again = set[str](), ""
    while question := _next_question(out, who, skipped, again):
        waiting = [id_ for id_ in question.waiting if id_ not in skipped]
        item = again if again in waiting else waiting[0]
        again = ""
        if not take_answer(out, item, who):
            skipped.add(item)
            continue
        try:
            pressed = _mark(out, answer_of(out, item), who, (len(waiting), say, ask, key))
        finally:
            give_back(out, [item], who)
        if pressed == "u":
            again = _undo(out, who, say)
        elif pressed in ("q", ""):
            return pressed
        elif pressed == "s":
            skipped.add(item)
    return "d"


def _next_question(out: Path, who: str, skipped: set[str], again: str) -> Question | None:
    """Return the question of an item that is to be shown again, or else the first with answers left."""
    left = [each for each in questions(out, who) if set(each.waiting) - skipped]
    return next((each for each in left if again in each.waiting), left[0] if left else None)


def _undo(out: Path, who: str, say: Say) -> str:
    try:
        item = take_back(out, who)
    except InputError as error:
        say(f"  {error}")
        return ""
    say("  taken back")
    return item


def _mark(out: Path, answer: AnswerToMark, who: str, by: tuple[int, Say, Ask, Ask]) -> str:
    """Ask for the criteria that an answer meets until it is marked or left; return the last key."""
    left, say, ask, key = by
    say("\n".join(_shown(answer, left)))
    met, more, reason = set[int](), 0.0, ""
    digits = "123456789"[: len(answer.criteria)]
    while True:
        pressed = key(f"{_KEYS.format(digits=', '.join(digits))}: ").lower()
        if pressed and pressed in digits:
            met ^= {digits.index(pressed)}
            say("\n".join(_standing(answer, met, more, reason)))
        elif pressed == "m":
            more, reason = _ask_more(say, ask, more, reason)
            say("\n".join(_standing(answer, met, more, reason)))
        elif pressed in ("n", "\n", "\r"):
            texts = tuple(each["text"] for n, each in enumerate(answer.criteria) if n in met)
            try:
                mark_answer(out, answer.item, Mark(who, texts, more, reason))
            except InputError as error:
                say(f"  {error}")
            else:
                return "n"
        elif pressed in ("u", "s", "q", ""):
            return pressed


def _ask_more(say: Say, ask: Ask, more: float, reason: str) -> tuple[float, str]:
    """Ask for points beside the criteria and why; return what there was before where it is no number."""
    points = parse_points(ask("points beside the criteria, such as 1 or -2: "))
    if points is None:
        say("  expected points, such as 1 or -2")
        return more, reason
    return points, ask("the reason, which the student can read: ").strip() if points else ""


def _shown(answer: AnswerToMark, left: int) -> list[str]:
    """Return an answer in words, with what it is marked by."""
    lines = ["", f"{visible(answer.title)} ({answer.file}), {left} left", ""]
    for name, text in answer.texts:
        lines += [f"  {name}:"] if name else []
        lines += [f"  | {visible(line)}" for line in text.strip("\n").split("\n")]
    lines += [f"  ! {visible(answer.trouble)}"] if answer.trouble else []
    if answer.model:
        lines += ["", "  model answer:", *(f"  > {line}" for line in answer.model.strip().split("\n"))]
    if answer.apart:
        one, other = answer.apart
        lines += ["", f"  two persons gave {one:g} and {other:g} points: what you give counts"]
    if answer.gone:
        lines += ["", f"  it met what is no criterion any more: {'; '.join(answer.gone)}"]
    return [*lines, "", *_standing(answer, set(), 0.0, "")]


def _standing(answer: AnswerToMark, met: set[int], more: float, reason: str) -> list[str]:
    """Return the criteria, with a mark before those that are met, and the points."""
    lines = [
        f"  [{'x' if number in met else ' '}] {number + 1} {visible(each['text'])} ({each['points']:g})"
        for number, each in enumerate(answer.criteria)
    ]
    lines += [f"  {more:+g}: {visible(reason)}"] if more else []
    total = sum(each["points"] for n, each in enumerate(answer.criteria) if n in met) + more
    return [*lines, f"  {total:g} of {answer.max_score:g} points"]
