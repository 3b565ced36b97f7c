"""A result as text for the terminal, whole or as a table."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile

from grader.errors import InputError
from grader.feedback import sentences
from grader.feedback.example import Example, read_example
from grader.feedback.page import find_first_check, read_page
from grader.feedback.translation import translate_page
from grader.feedback.views import CheckView, ExerciseView
from grader.languages import DEFAULT, Catalogue, catalogue
from grader.model import CheckJson, ExerciseJson, ResultsJson
from grader.results import checks_of
from grader.text import visible
from lab import MOVES
from lab.exercises import LAB_EXERCISES
from lab.render.text import draw

WIDTH = 88
"""The width at which lines are wrapped."""
_ASKED_BY = re.compile(r"maze (?:solve \S+ --algorithm (\S+)|perfect )")
_PAINTS = {"bold": "1", "passed": "32", "open": "31", "quiet": "2"}

Paint = Callable[[str, str], str]


def render_text(
    results: Mapping[str, object], *, colour: bool = False, language: str | None = None, source: str = ""
) -> str:
    """Render parsed results.json as plain text, with terminal colours if ``colour`` is set.

    Open checks are shown one by one; passed ones are only counted. If ``source``, the path of the results on
    the command line, is given, a maze is shown with the command that saves it.
    """
    read = read_page(results)
    t = catalogue(language or read.language)
    page = translate_page(read, t)
    paint = _colour if colour else _no_colour
    lead, reason = sentences.advice(page, find_first_check(page), t)
    lines = [
        paint("bold", t("page.title", submission=page.submission)),
        *([page.title] if page.title else []),
        f"{t('text.score')}: {sentences.score(page, t)}",
        sentences.summary(page, t),
        "",
        *_table(page.exercises, t, paint),
        "",
        f"{paint('bold', t('text.first'))}:",
        *_wrap(f"{lead} {reason}".rstrip(), "  "),
    ]
    for line in sentences.withdrawal_lines(page, t):
        lines += _wrap(f"! {line}")
    if page.adjusted or page.words or page.other_line_comments:
        other = (sentences.line_comment(each, t) for each in page.other_line_comments)
        for line in (sentences.adjustment(page, t), *page.words, *other):
            lines += _wrap(f"! {line}")
    for head, words in sentences.request_lines(page, t):
        lines += _wrap(f"! {' '.join((head, *words))}")
    for note in (
        *(each.message for each in (*page.intake, *page.notes)),
        *sentences.earlier_comments(page, t),
    ):
        lines += _wrap(f"! {note}")
    for exercise in page.exercises:
        beside = (exercise.output, exercise.follows_through, exercise.own_mazes, exercise.remarks)
        if exercise.open or any(beside) or exercise.line_comments:
            lines += ["", *_exercise(exercise, t, paint, source)]
    return "\n".join(lines) + "\n"


def render_maze(results: Mapping[str, object], check: str) -> str:
    """Return the maze on which a check failed as a maze file, or all mazes of a series below each other.

    Raises InputError if there is none.
    """
    mazes = {
        found.id: found.example.saved
        for exercise in read_page(results).exercises
        for found in exercise.open
        if found.example is not None and found.example.maze is not None
    }
    if check not in mazes:
        known = ", ".join(mazes) or "none"
        raise InputError(f"expected a check that shows a maze, got {visible(check)}; here these do: {known}")
    return mazes[check]


def render_tried(check: CheckJson) -> str:
    """Return what came of a check that was tried, with the ways drawn into its maze."""
    t = catalogue(DEFAULT)
    lines = [f"{visible(check['title'])}: {t('status.' + check['status'])}"]
    lines += _wrap(visible(check["message"])) if check["message"] else []
    example = read_example(check["counterexample"] or {})
    lines += [" – ".join(part for part in (_label(example, t), example.call) if part)]
    for name, side in (("expected", example.expected), ("came", example.actual)):
        lines += _lines(sentences.side_lines(t(f"check.{name}"), side, t))
        if example.maze is not None and (side.moves is not None or name == "came"):
            moves = [*takewhile(MOVES.__contains__, side.moves or ())]
            lines += _block(draw(example.maze, solution=moves), "  ")
    lines += [*_lines(sentences.facts(example, t)), *_lines(sentences.step_lines(example, t))]
    lines += [line for maze in example.actual.mazes for line in _block(maze, "  ")]
    lines += _lines(sentences.fault_lines(example.actual.fault, t))
    return "\n".join(filter(None, lines))


def _no_colour(_paint: str, text: str) -> str:
    return text


def _colour(paint: str, text: str) -> str:
    return f"\x1b[{_PAINTS[paint]}m{text}\x1b[0m"


def _wrap(text: str, indent: str = "") -> list[str]:
    """Wrap a text to a readable width, keeping its own line breaks."""
    lines: list[str] = []
    for part in text.split("\n"):
        lines += textwrap.wrap(part, WIDTH, initial_indent=indent, subsequent_indent=indent) or [""]
    return lines


def _table(exercises: Sequence[ExerciseView], t: Catalogue, paint: Paint) -> list[str]:
    """Return a line for each exercise, with its points and state."""
    points = [t("page.points", score=t.number(e.score), max=t.number(e.max_score)) for e in exercises]
    width = max((len(exercise.title) for exercise in exercises), default=0)
    wide = max(map(len, points), default=0)
    return [
        f"  {exercise.title:<{width}}  {shown:>{wide}}  "
        + paint("passed" if exercise.state == "complete" else "open", sentences.exercise_state(exercise, t))
        for exercise, shown in zip(exercises, points, strict=True)
    ]


def _exercise(exercise: ExerciseView, t: Catalogue, paint: Paint, source: str) -> Iterator[str]:
    score = t("page.score", score=t.number(exercise.score), max=t.number(exercise.max_score))
    yield paint("bold", f"== {exercise.title} ({score})")
    yield from (f"   {line}" for line in _notes(exercise, t))
    for check in exercise.cards:
        yield from _check(check, exercise, t, paint, source)
        if alike := sentences.common_cause(check, exercise, t):
            found = (": ".join(each) for each in sentences.other_findings(check, exercise, t))
            yield from (*_wrap(alike, "   "), *(part for line in found for part in _wrap(line, "     ")), "")
    if exercise.passed:
        yield f"   {paint('passed', '✓ ' + sentences.passed_count(exercise, t))}"
    if exercise.own_mazes:
        yield f"   {t('own_mazes.heading')}:"
        yield from (part for line in sentences.own_maze_lines(exercise, t) for part in _wrap(line, "     "))
    if exercise.output:
        yield f"   {t('exercise.output')}:"
        yield from _block(exercise.output.rstrip("\n"), "     | ")
        if exercise.output_left:
            yield f"     {t('exercise.output_cut', count=exercise.output_left)}"


def _notes(exercise: ExerciseView, t: Catalogue) -> Iterator[str]:
    if exercise.follows_through:
        yield t("page.follow_through")
    if exercise.zeroed:
        yield t("page.zeroed")
    for remark in exercise.remarks:
        yield from _wrap(f"! {remark.message}")
    for comment in exercise.line_comments:
        yield from _wrap(f"! {sentences.line_comment(comment, t)}")
        yield from _block(comment.source, "     | ")


def _check(
    check: CheckView, exercise: ExerciseView, t: Catalogue, paint: Paint, source: str
) -> Iterator[str]:
    points = t("page.points", score=t.number(check.score), max=t.number(check.max_score))
    sign = "?" if check.status == "unmarked" else "✗"
    yield f"   {paint('open', f'{sign} ' + t('status.' + check.shown_status))}  {check.title} ({points})"
    message = sentences.message(check, t)
    yield from _wrap(message, "     ") if message else ()
    yield from _wrap(sentences.part(check, t), "     ") if check.gives_a_part else ()
    yield from (f"     - {line}" for line in sentences.criteria_lines(check, t))
    reason = sentences.reason_for_check(check, t)
    yield from _wrap(f"{t('check.why')}: {reason}", "     ") if reason else ()
    if check.hint:
        title = t("check.likely" if check.is_likely else "check.hint")
        yield from _wrap(f"{title}: {check.hint}", "     ")
    if idea := sentences.idea(check, exercise, t):
        yield from _wrap(f"{t('tier.idea')}: {idea}", "     ")
    yield from (f"     {line}".rstrip() for line in _story(check, exercise, t))
    if check.hidden and not check.has_details:
        yield f"     {t('check.hidden')}"
    if check.example:
        yield from (f"     {line}".rstrip() for line in _example(check.example, t))
        yield from (f"     {line}" for line in _reproduction_lines(check, check.example, t, source))
    yield ""


def _story(check: CheckView, exercise: ExerciseView, t: Catalogue) -> Iterator[str]:
    look, source = exercise.look_for(check), exercise.source_for(check)
    if (story := exercise.story_for(check)) is not None:
        yield f"{t('story.heading')}:"
        for line in sentences.story_lines(story, t):
            yield from _wrap(line, "  ")
        if story.states:
            yield f"{t('story.states')}:"
            yield from _lines(sentences.state_lines(story, t))
    if look is not None:
        yield from _wrap(f"{t('look.heading')}: {look.message}")
    if source is not None:
        yield from _block("\n".join(sentences.code_lines(source)), "  ")
        if source.edit:
            yield f"{t('look.edit')}:"
            yield from _block("\n".join(source.edit), "  ")


def _example(example: Example, t: Catalogue) -> Iterator[str]:
    yield " – ".join(part for part in (_label(example, t), example.call) if part)
    if example.maze is not None:
        yield from _block(example.maze_text, "  ")
    for name, other in example.others:
        yield from _block(f"{name}:\n{other.to_text()}", "  ")
    for name, side in (("expected", example.expected), ("came", example.actual)):
        yield from _lines(sentences.side_lines(t(f"check.{name}"), side, t))
    yield from _lines(sentences.facts(example, t))
    yield from _lines(sentences.step_lines(example, t))
    for maze in example.expected.mazes:
        yield f"{t('check.maze_beside')}:"
        yield from _block(maze, "  ")
    for maze in example.actual.mazes:
        yield from _block(maze, "  ")
    yield from _lines(sentences.fault_lines(example.actual.fault, t))


def _reproduction_lines(check: CheckView, example: Example, t: Catalogue, source: str) -> Iterator[str]:
    """Yield how to reproduce the failure: how to save the maze, and the command, each on a line to copy."""
    if not example.command:
        return
    if not (example.file and example.maze is not None):
        yield f"{t('again.heading')}: {example.command}"
    elif source:
        asked = _ASKED_BY.match(example.command)
        where = " --submission DIR" if asked else ""
        solver = asked[1] if asked else None
        is_known = solver is None or solver in {each.name for each in LAB_EXERCISES}
        yield f"{t('again.heading')}:" if is_known else f"{t('again.heading')} {t('again.in_kit')}:"
        yield f"  grader show {source} --maze {shlex.quote(check.id)} > {example.file}"
        yield f"  {example.command}{where}"
    else:
        if example.has_several_mazes:
            yield from _block(example.saved, "  ")
        yield f"{t('again.heading')}: {sentences.save_instruction(example, t)}, {t('again.run')}"
        yield f"  {example.command}"


def _label(example: Example, t: Catalogue) -> str:
    return t("check.label", label=example.label) if example.label else ""


def _lines(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        yield from _block(text, "")


def _block(text: str, indent: str) -> list[str]:
    return [indent + line for line in text.split("\n")]


_EMPTY_STATES = {"missing": "not handed in", "unfound": "class not found", "unwritten": "still to be written"}
"""States of an exercise, in words, whose checks are not listed."""


def format_result(results: ResultsJson, *, refused: bool = False) -> str:
    """Return the points by exercise with the failed checks; for refused work, only the notes."""
    score = f"{results['score']:g} of {results['max_score']:g} points"
    lines = [f"{results['submission']}: {'refused, ' if refused else ''}{score}"]
    states = [exercise.state for exercise in read_page(results).exercises]
    for exercise, state in zip(results["exercises"], states, strict=True) if not refused else ():
        points = f"{exercise['score']:g}/{exercise['max_score']:g}"
        lost = [_EMPTY_STATES[state]] if state in _EMPTY_STATES else _lost_checks(exercise)
        lines.append(f"  {points:>7}  {exercise['title']}{': ' if lost else ''}{_first_three(lost)}")
    unmarked = [check for check in checks_of(results) if check["status"] == "unmarked"]
    lines.extend(f"  look at it: {check['id']}: {check['message']}" for check in unmarked)
    remarks = [remark["message"] for remark in results.get("intake", ())]
    lines.extend(f"  note: {note}" for note in (*remarks, *results["notes"]))
    return "\n".join(lines)


def _lost_checks(exercise: ExerciseJson) -> list[str]:
    return [
        f"{check['title']} ({check['status']})" for check in exercise["checks"] if check["status"] != "passed"
    ]


def _first_three(lost: list[str]) -> str:
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    return ", ".join(lost[:3]) + more
