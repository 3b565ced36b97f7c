"""Translate a page from English, the language of results.json, into another language.

Titles are looked up by the ids of their checks. The judges' sentences are stored in results.json both in
English and as messages: a message is translated if its English text is the one that is shown. The rest stays
unchanged: values, exceptions, titles that the instructor chose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from grader.feedback import untrusted
from grader.feedback.example import Example, LookView, ScriptLine, Side, StoryView
from grader.feedback.views import CheckView, ExerciseView, OwnMazesView, Page, RemarkView
from grader.languages import DEFAULT, Catalogue, Message, Value, catalogue


class Untranslated(str):
    """A text that stays English on a translated page."""

    __slots__ = ()


def translate_page(page: Page, t: Catalogue) -> Page:
    """Translate the page into the catalogue's language, as far as it has translations."""
    exercises = tuple(_translate_exercise(exercise, page.language, t) for exercise in page.exercises)
    intake, notes = (tuple(_translate_remark(each, t) for each in told) for told in (page.intake, page.notes))
    refused = page.refused and _translate_remark(page.refused, t)
    isolation = _translate_known(page.isolation, t)
    return replace(
        page, exercises=exercises, intake=intake, notes=notes, refused=refused, isolation=isolation
    )


def _translate_remark(remark: RemarkView, t: Catalogue, place: str = "message") -> RemarkView:
    return replace(remark, message=_translate_text(remark.message, remark.said, place, t))


def _translate_exercise(exercise: ExerciseView, language: str, t: Catalogue) -> ExerciseView:
    return replace(
        exercise,
        title=_translate_title(
            exercise.title, (f"title.exercise.{exercise.id}", f"own.{exercise.id}.title"), t
        ),
        checks=tuple(_translate_check(check, language, t) for check in exercise.checks),
        look_at=exercise.look_at and _translate_look(exercise.look_at, t),
        story=exercise.story and _translate_story(exercise.story, t),
        own_mazes=exercise.own_mazes and _translate_own_mazes(exercise.own_mazes, t),
        remarks=tuple(_translate_remark(remark, t, "text") for remark in exercise.remarks),
    )


def _translate_own_mazes(found: OwnMazesView, t: Catalogue) -> OwnMazesView:
    mazes = (
        replace(maze, message=_translate_text(maze.message, maze.said, "message", t)) for maze in found.mazes
    )
    return replace(found, mazes=tuple(mazes))


def _translate_look(look: LookView, t: Catalogue) -> LookView:
    return replace(look, message=_translate_text(look.message, look.said, "message", t))


def _translate_story(story: StoryView, t: Catalogue) -> StoryView:
    steps = (replace(step, text=_translate_text(step.text, step.said, "text", t)) for step in story.steps)
    return replace(story, steps=tuple(steps))


def _translate_check(check: CheckView, language: str, t: Catalogue) -> CheckView:
    exercise, _, name = check.id.partition(".")
    shared = (f"title.{kind}.{name}" for kind in ("solver", "answer"))
    places = (f"title.{exercise}.{name}", f"own.{exercise}.checks.{name}", *shared)
    return replace(
        check,
        title=_translate_title(check.title, places, t),
        message=_translate_text(check.message, check.said, "message", t),
        hint=_translate_hint(check, language, t),
        example=check.example and _translate_example(check.example, check, t),
    )


def _translate_title(title: str, keys: tuple[str, ...], t: Catalogue) -> str:
    """Translate the title, unless the instructor chose it."""
    english = catalogue(DEFAULT)
    known = (key for key in keys if title and english.get(key) == title)
    return next((t(key) for key in known), title)


def _translate_text(
    shown: str,
    said: Mapping[str, object],
    place: str,
    t: Catalogue,
    shape: Callable[[str], str] = untrusted.as_text,
) -> str:
    """Translate the text at this place of results.json, keeping the form in which it is shown."""
    if t.code == DEFAULT:
        return shown
    message = untrusted.message(said.get(place))
    words = "" if message is None else _translate_message(shown, message, t, shape)
    return words or Untranslated(shown)


def _translate_message(shown: str, message: Message, t: Catalogue, shape: Callable[[str], str]) -> str:
    """Translate the message; "" if its key is unknown, or its English text is not the shown one."""
    try:
        return (
            shape(t.say(_translate_values(message, t)))
            if shape(catalogue(DEFAULT).say(message)) == shown
            else ""
        )
    except KeyError:
        return ""


def _translate_values(message: Message, t: Catalogue) -> Message:
    """Translate those texts among a message's values that the catalogues know."""
    parts = ((name, _translate_value(part, t)) for name, part in message.values)
    return Message(message.key, tuple(parts))


def _translate_value(part: Value, t: Catalogue) -> Value:
    if isinstance(part, Message):
        return _translate_values(part, t)
    return _translate_known(part, t) if isinstance(part, str) else part


def _translate_known(text: str, t: Catalogue) -> str:
    """Translate an English text if the catalogues know it."""
    if t.code == DEFAULT or not text:
        return text
    key = _known_keys().get(text)
    return Untranslated(text) if key is None else t(key)


@cache
def _known_keys() -> dict[str, str]:
    return {text: key for key, text in catalogue(DEFAULT).texts.items() if key.startswith("known.")}


def _translate_hint(check: CheckView, language: str, t: Catalogue) -> str:
    """Return what the catalogue tells of what is shared if results.json has another language."""
    if not check.misconception:
        return _translate_text(check.hint, check.said, "hint", t)
    if language == t.code:
        return check.hint
    return t.hint(check.misconception) or Untranslated(check.hint)


def _translate_example(example: Example, check: CheckView, t: Catalogue) -> Example:
    return replace(
        example,
        label=_translate_text(example.label, check.said, "counterexample.label", t, untrusted.as_line),
        expected=_translate_side(example.expected, check, "counterexample.expected", t),
        actual=_translate_side(example.actual, check, "counterexample.actual", t),
    )


def _translate_side(side: Side, check: CheckView, place: str, t: Catalogue) -> Side:
    steps = tuple(
        _translate_step(step, check, f"{place}.steps.{index}", t) for index, step in enumerate(side.steps)
    )
    return replace(side, text=_translate_text(side.text, check.said, f"{place}.text", t), steps=steps)


def _translate_step(step: ScriptLine, check: CheckView, place: str, t: Catalogue) -> ScriptLine:
    call, gives = (
        _translate_text(shown, check.said, f"{place}.{part}", t, untrusted.as_line)
        for part, shown in (("call", step.call), ("gives", step.gives))
    )
    return ScriptLine(call, gives)
