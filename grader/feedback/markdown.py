"""Feedback as Markdown, and as the comment in a gradebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape

from grader.feedback import sentences
from grader.feedback.example import Example
from grader.feedback.page import find_first_check, read_page
from grader.feedback.translation import translate_page
from grader.feedback.views import AskingView, CheckView, ExerciseView, LineCommentView, Page
from grader.languages import Catalogue, catalogue, languages

_ESCAPES = (
    (re.compile(r"([\\`*_{}\[\]#|~$^])"), r"\\\1"),
    (re.compile(r"&"), "&amp;"),
    (re.compile(r"<"), "&lt;"),
    (re.compile(r">"), "&gt;"),
    (re.compile(r"@"), "&#64;"),
    (re.compile(r"://|(?<=www)\.", re.IGNORECASE), lambda match: "".join(f"\\{c}" for c in match[0])),
    (re.compile(r"^(\d*)([-+=.)])"), r"\1\\\2"),
)
"""What Markdown or HTML might interpret (emphasis, code, links, tables, tags, entities, lists), with
replacements.
"""


def render_markdown(results: Mapping[str, object], *, language: str | None = None) -> str:
    """Render parsed results.json as Markdown in which a submission's text stays plain text."""
    read = read_page(results)
    t = catalogue(language or read.language)
    page = translate_page(read, t)
    lead, reason = sentences.advice(page, find_first_check(page), t)
    lines = [
        f"# {escape_markdown(t('page.title', submission=page.submission))}",
        "",
        f"**{escape_markdown(sentences.score(page, t))}** – {escape_markdown(sentences.summary(page, t))}",
        "",
        f"**{t('text.first')}:** {escape_markdown(f'{lead} {reason}'.strip())}",
        "",
        f"| {t('page.exercises')} | {t('text.score')} | |",
        "| --- | ---: | --- |",
    ]
    for exercise in page.exercises:
        points = t("page.points", score=t.number(exercise.score), max=t.number(exercise.max_score))
        lines.append(
            f"| {escape_markdown(exercise.title)} | {points} | {sentences.exercise_state(exercise, t)} |"
        )
    if page.withdrawn:
        lines += ["", *(f"- {escape_markdown(line)}" for line in sentences.withdrawal_lines(page, t))]
    if page.adjusted or page.words or page.other_line_comments:
        lines += ["", f"**{escape_markdown(sentences.adjustment(page, t))}**", ""]
        lines += [f"- {escape_markdown(words)}" for words in page.words]
        for comment in page.other_line_comments:
            lines += _line_comment(comment, t)
    lines += _requests(page, t)
    notes = (remark.message for remark in (*page.intake, *page.notes))
    lines += ["", *(f"- {escape_markdown(note)}" for note in notes)]
    lines += [f"- {escape_markdown(told)}" for told in sentences.earlier_comments(page, t)]
    for exercise in page.exercises:
        lines += ["", *_exercise(exercise, t, page.asking)]
    return "\n".join(lines) + "\n"


def escape_markdown(text: str) -> str:
    """Return text on one line, escaping whatever Markdown or HTML might interpret."""
    shown = " ".join(text.split())
    for pattern, replacement in _ESCAPES:
        shown = pattern.sub(replacement, shown)
    return shown


def code_block(text: str) -> str:
    """Return the text as a code block, fenced with a mark that it does not contain."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _common_cause(check: CheckView, exercise: ExerciseView, t: Catalogue) -> Iterator[str]:
    """Yield the checks that failed for the same reason as this one, with their other findings."""
    if alike := sentences.common_cause(check, exercise, t):
        yield f"\n{escape_markdown(alike)}"
        if found := sentences.other_findings(check, exercise, t):
            yield "\n" + "\n".join(f"- {escape_markdown(': '.join(each))}" for each in found)


def _requests(page: Page, t: Catalogue) -> Iterator[str]:
    """Yield what came of requests for another look."""
    if page.asking.requests:
        yield from ("", f"**{t('ask.heading')}**", "")
    for head, words in sentences.request_lines(page, t):
        yield f"- {escape_markdown(' '.join((head, *words)))}"


def _exercise(exercise: ExerciseView, t: Catalogue, asking: AskingView) -> Iterator[str]:
    points = t("page.points", score=t.number(exercise.score), max=t.number(exercise.max_score))
    yield f"## {escape_markdown(exercise.title)} ({points})"
    if exercise.follows_through:
        yield f"\n{t('page.follow_through')}"
    if exercise.zeroed:
        yield f"\n{t('page.zeroed')}"
    yield from (f"\n{escape_markdown(remark.message)}" for remark in exercise.remarks)
    for comment in exercise.line_comments:
        yield from _line_comment(comment, t)
    for check in exercise.cards:
        yield from _check(check, exercise, t)
        yield from _common_cause(check, exercise, t)
        yield from _ask(filter(asking.may_ask, exercise.alike(check)), asking, t)
    if exercise.passed:
        yield f"\n**{sentences.passed_count(exercise, t)}**\n"
        yield from (f"- ✓ {escape_markdown(check.title)}" for check in exercise.passed)
    if exercise.own_mazes:
        yield f"\n**{t('own_mazes.heading')}**\n"
        yield from (f"- {escape_markdown(line)}" for line in sentences.own_maze_lines(exercise, t))
    if exercise.output:
        yield f"\n**{t('exercise.output')}**\n"
        yield code_block(exercise.output.rstrip("\n"))


def _line_comment(comment: LineCommentView, t: Catalogue) -> Iterator[str]:
    told = t("page.line_comment", file=comment.file, line=comment.line)
    yield f"\n**{escape_markdown(told)}**\n\n{code_block(comment.source)}\n\n{escape_markdown(comment.text)}"


def _ask(checks: Iterable[CheckView], asking: AskingView, t: Catalogue) -> Iterator[str]:
    """Yield how to ask for another look at checks."""
    for each in checks:
        yield f"\n*{escape_markdown(t('ask.about', check=each.title))}:* {t('ask.what', days=asking.days)}"
        if asking.mail:
            yield f"\n[{t('ask.by_mail')}]({asking.link(each)})"
        yield f"\n{t('ask.by_file')}\n\n{code_block(asking.text(each).strip())}"


def _check(check: CheckView, exercise: ExerciseView, t: Catalogue) -> Iterator[str]:
    points = t("page.points", score=t.number(check.score), max=t.number(check.max_score))
    sign = "?" if check.status == "unmarked" else "✗"
    yield f"\n### {sign} {escape_markdown(check.title)} ({points})\n"
    yield f"*{t('status.' + check.shown_status)}.* {escape_markdown(sentences.message(check, t))}".rstrip()
    if check.gives_a_part:
        yield f"\n{escape_markdown(sentences.part(check, t))}"
    if lines := [*sentences.criteria_lines(check, t)]:
        yield "\n" + "\n".join(f"- {escape_markdown(line)}" for line in lines)
    if reason := sentences.reason_for_check(check, t):
        yield f"\n*{t('check.why')}:* {escape_markdown(reason)}"
    if check.hint:
        title = t("check.likely" if check.is_likely else "check.hint")
        yield f"\n> **{title}:** {escape_markdown(check.hint)}"
    if idea := sentences.idea(check, exercise, t):
        yield f"\n*{t('tier.idea')}:* {escape_markdown(idea)}"
    yield from _story(check, exercise, t)
    if check.hidden and not check.has_details:
        yield f"\n{t('check.hidden')}"
    if check.example:
        yield from _example(check.example, t)


def _story(check: CheckView, exercise: ExerciseView, t: Catalogue) -> Iterator[str]:
    look, source = exercise.look_for(check), exercise.source_for(check)
    if (story := exercise.story_for(check)) is not None:
        yield f"\n**{t('story.heading')}**\n"
        yield from (escape_markdown(line) for line in sentences.story_lines(story, t))
        if story.states:
            yield f"\n{t('story.states')}:\n"
            yield code_block("\n".join(sentences.state_lines(story, t)))
    if look is not None:
        yield f"\n> **{t('look.heading')}:** {escape_markdown(look.message)}"
    if source is not None:
        yield "\n" + code_block("\n".join(sentences.code_lines(source)))
        if source.edit:
            yield f"\n{t('look.edit')}:\n\n{code_block(chr(10).join(source.edit))}"


def _example(example: Example, t: Catalogue) -> Iterator[str]:
    if example.label:
        yield f"\n{escape_markdown(t('check.label', label=example.label))}:"
    if shown := _code_lines(example, t):
        yield "\n" + code_block("\n".join(shown))
    for fact in sentences.facts(example, t):
        yield f"\n{escape_markdown(fact)}"
    if example.command:
        saved = f"{code_block(example.saved)}\n\n" if example.has_several_mazes else ""
        yield f"\n{t('again.heading')}:\n\n{saved}{code_block(example.command)}"


def _code_lines(example: Example, t: Catalogue) -> list[str]:
    """Return the lines to show as code: calls, mazes, tracebacks."""
    return [
        *([example.call] if example.call else []),
        *([example.maze_text] if example.maze else []),
        *(f"{name}:\n{maze.to_text()}" for name, maze in example.others),
        *sentences.side_lines(t("check.expected"), example.expected, t),
        *sentences.side_lines(t("check.came"), example.actual, t),
        *sentences.step_lines(example, t),
        *(f"{t('check.maze_beside')}:\n{maze}" for maze in example.expected.mazes),
        *example.actual.mazes,
        *sentences.fault_lines(example.actual.fault, t),
    ]


def render_comment(
    results: Mapping[str, object], *, language: str | None = None, is_open: bool = False
) -> str:
    """Return the mark, whether it is open, the deductions, what is done, and what to do first.

    Platforms show comments as HTML, so special characters are escaped.
    """
    read = read_page(results)
    t = catalogue(language or read.language)
    page = translate_page(read, t)
    score = t("page.score", score=t.number(page.score), max=t.number(page.max_score))
    score = sentences.score(page, t) if page.open_points and page.has_mark else score
    lead = sentences.advice(page, find_first_check(page), t)[0]
    still = t("page.not_final") if is_open else ""
    told = (
        *(f"{score}.", still, sentences.summary(page, t), lead, sentences.adjustment(page, t), *page.words),
        *(sentences.line_comment(each, t) for each in page.line_comments),
    )
    return escape(" ".join(" ".join(filter(None, told)).split()), quote=False)


def is_generated_comment(text: str) -> bool:
    """Return whether ``render_comment``, not a person, wrote a comment, in any language."""
    number = r"[\d.,]+"
    keys = ("page.score", "page.score_so_far", "page.score_so_far_one")
    starts = (
        catalogue(code)(key, score=number, max=number, open=number) for code in languages() for key in keys
    )
    return any(re.match(rf"{start}\. ", text) for start in starts)
