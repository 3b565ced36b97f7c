"""The page as Markdown, for a comment in a learning platform."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from grader.feedback import sentences
from grader.feedback.example import Example
from grader.feedback.page import first_of, page_of
from grader.feedback.translation import translated
from grader.feedback.views import CheckView, ExerciseView, LookView
from grader.languages import Catalogue, catalogue

_ESCAPES = (
    (re.compile(r"([\\`*_{}\[\]#|~$^])"), r"\\\1"),
    (re.compile(r"&"), "&amp;"),
    (re.compile(r"<"), "&lt;"),
    (re.compile(r">"), "&gt;"),
    (re.compile(r"@"), "&#64;"),
    (re.compile(r"://|(?<=www)\.", re.IGNORECASE), lambda match: "".join(f"\\{c}" for c in match[0])),
    (re.compile(r"^(\d*)([-+=.)])"), r"\1\\\2"),
)
"""What Markdown or HTML might act on: emphasis, code, links, tables, tags, entities, lists."""


def render_markdown(results: Mapping[str, object], *, language: str | None = None) -> str:
    """Return parsed results.json as Markdown; what a submission wrote stays text in it."""
    read = page_of(results)
    t = catalogue(language or read.language)
    page = translated(read, t)
    lead, reason = sentences.advice(page, first_of(page), t)
    lines = [
        f"# {escaped(t('page.title', submission=page.submission))}",
        "",
        f"**{escaped(t('page.score', score=t.number(page.score), max=t.number(page.max_score)))}**"
        f" – {escaped(sentences.summary(page, t))}",
        "",
        f"**{t('text.first')}:** {escaped(f'{lead} {reason}'.strip())}",
        "",
        f"| {t('page.exercises')} | {t('text.score')} | |",
        "| --- | ---: | --- |",
    ]
    for exercise in page.exercises:
        points = t("page.points", score=t.number(exercise.score), max=t.number(exercise.max_score))
        lines.append(f"| {escaped(exercise.title)} | {points} | {sentences.state(exercise, t)} |")
    if page.withdrawn:
        lines += ["", *(f"- {escaped(line)}" for line in sentences.withdrawn(page, t))]
    if page.adjusted:
        lines += ["", f"**{escaped(sentences.adjusted(page, t))}**", ""]
        lines += [f"- {escaped(words)}" for words in page.adjusted.words]
    notes = (*(remark.message for remark in page.intake), *page.notes)
    lines += ["", *(f"- {escaped(note)}" for note in notes)]
    for exercise in page.exercises:
        lines += ["", *_exercise(exercise, t)]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return the text in one line, with every sign that Markdown or HTML might act on escaped."""
    shown = " ".join(text.split())
    for pattern, replacement in _ESCAPES:
        shown = pattern.sub(replacement, shown)
    return shown


def fenced(text: str) -> str:
    """Return the text as a code block, with a fence that it does not contain."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _exercise(exercise: ExerciseView, t: Catalogue) -> Iterator[str]:
    points = t("page.points", score=t.number(exercise.score), max=t.number(exercise.max_score))
    yield f"## {escaped(exercise.title)} ({points})"
    if exercise.follows_through:
        yield f"\n{t('page.follow_through')}"
    if exercise.zeroed:
        yield f"\n{t('page.zeroed')}"
    for check in exercise.cards:
        yield from _check(check, exercise, t)
    if alike := sentences.alike(exercise, t):
        yield f"\n{escaped(alike)}"
    if exercise.passed:
        yield f"\n**{sentences.passed(exercise, t)}**\n"
        yield from (f"- ✓ {escaped(check.title)}" for check in exercise.passed)
    if exercise.output:
        yield f"\n**{t('exercise.output')}**\n"
        yield fenced(exercise.output.rstrip("\n"))


def _check(check: CheckView, exercise: ExerciseView, t: Catalogue) -> Iterator[str]:
    points = t("page.points", score=t.number(check.score), max=t.number(check.max_score))
    yield f"\n### ✗ {escaped(check.title)} ({points})\n"
    yield f"*{t('status.' + check.shown_status)}.* {escaped(sentences.message(check, t))}".rstrip()
    if check.gives_a_part:
        yield f"\n{escaped(t('check.part'))}"
    if reason := sentences.why(check, t):
        yield f"\n*{t('check.why')}:* {escaped(reason)}"
    if check.hint:
        yield f"\n> **{t('check.likely' if check.is_likely else 'check.hint')}:** {escaped(check.hint)}"
    if idea := sentences.idea(check, exercise, t):
        yield f"\n*{t('tier.idea')}:* {escaped(idea)}"
    look = exercise.look_for(check)
    if look is not None:
        yield from _look(look, t)
    if check.hidden and not check.has_details:
        yield f"\n{t('check.hidden')}"
    if check.example:
        yield from _example(check.example, t)


def _look(look: LookView, t: Catalogue) -> Iterator[str]:
    yield f"\n> **{t('look.heading')}:** {escaped(look.message)}"
    yield "\n" + fenced("\n".join(sentences.code(look)))
    if look.edit:
        yield f"\n{t('look.edit')}:\n\n{fenced(chr(10).join(look.edit))}"


def _example(example: Example, t: Catalogue) -> Iterator[str]:
    if example.label:
        yield f"\n{escaped(t('check.label', label=example.label))}:"
    if shown := _shown(example, t):
        yield "\n" + fenced("\n".join(shown))
    for fact in sentences.facts(example, t):
        yield f"\n{escaped(fact)}"
    if example.command:
        saved = f"{fenced(example.saved)}\n\n" if example.has_several_mazes else ""
        yield f"\n{t('again.heading')}:\n\n{saved}{fenced(example.command)}"


def _shown(example: Example, t: Catalogue) -> list[str]:
    """What keeps its form: code, mazes, tracebacks."""
    return [
        *([example.call] if example.call else []),
        *([example.maze_text] if example.maze else []),
        *sentences.side(t("check.expected"), example.expected, t),
        *sentences.side(t("check.came"), example.actual, t),
        *sentences.steps(example, t),
        *example.actual.mazes,
        *sentences.fault(example.actual.fault, t),
    ]
