"""What is shown of a student's own source: the place of the mistake, the story, and the lines around both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LookView:
    """The place of the mistake in the student's code."""

    file: str
    line: int
    after: bool
    """Whether something is missing after the line."""
    message: str
    checks: tuple[str, ...]
    """The ids of the checks that it concerns."""
    first: int
    """The number of the first line of ``code``."""
    code: tuple[str, ...]
    """The lines around the place."""
    edit: tuple[str, ...] = ()
    """The repair, for staff only."""
    said: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoryStepView:
    """What a line of the student's did in a call, and what its variables held."""

    line: int | None
    text: str
    values: Mapping[str, str]
    said: Mapping[str, object] = field(default_factory=dict)
    file: str = ""
    """The file of the line and a comma, if it is another one than that of the story."""


@dataclass(frozen=True, slots=True)
class StoryView:
    """The call of a lost check, from the step at which it parts from a right one."""

    check: str
    file: str
    steps: tuple[StoryStepView, ...]
    first: int
    """The number of the first line of ``code``."""
    code: tuple[str, ...]
    """The student's lines around the steps."""
    walk: tuple[tuple[int, ...], ...] = ()
    """For each step of the walk that the check shows, the numbers of the lines that ran."""

    @property
    def plain(self) -> dict[str, object]:
        """The story as ``lab.render.story`` reads it."""
        steps = [
            {"line": step.line, "text": step.text, "values": step.values, "beside": step.file}
            for step in self.steps
        ]
        return {"steps": steps, "first": self.first, "source": self.code}


@dataclass(frozen=True, slots=True)
class SourceView:
    """Lines of the student's file, with those that are spoken of."""

    file: str
    numbered: tuple[tuple[int, str, bool], ...]
    """Number, text, and whether the line is spoken of."""
    after: int = 0
    """The line after which something is missing; 0 if none is known."""
    edit: tuple[str, ...] = ()


def source_of(look: LookView | None, story: StoryView | None) -> SourceView | None:
    """Return the lines that a place and a story speak of, with those around; None without either."""
    told = [part for part in (look, story) if part is not None]
    parts = [part for part in told if part.file == told[0].file]
    lines = {number: text for part in parts for number, text in enumerate(part.code, part.first)}
    if not lines:
        return None
    spoken = {step.line for step in story.steps if not step.file} if story in parts and story else set()
    place = look.line if look else 0
    numbered = tuple((number, lines[number], number in {place, *spoken}) for number in sorted(lines))
    after, edit = (place, look.edit) if look and look.after else (0, look.edit if look else ())
    return SourceView(parts[0].file, numbered, after, edit)
