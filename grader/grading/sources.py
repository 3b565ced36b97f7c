"""The Python files of a submission as trees, for the checks that look at them; nothing of them is run."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from grader.exercises.kit.kind import Sources
from grader.intake.python_source import decode_source, is_cheap_to_parse, parse_source
from grader.model import Submission


def read_text(content: bytes) -> str | None:
    """Return a file as text; None where it is none, or where parsing it would take too much."""
    text = decode_source(content)
    return text if text is not None and is_cheap_to_parse(text) else None


def sources_of(submission: Submission) -> Callable[[], Sources]:
    """Return a function that parses the files once, when it is first called."""

    def parse() -> Sources:
        files = {path: content for path, content in submission.files.items() if path.endswith(".py")}
        texts = {path: decode_source(content) for path, content in files.items()}
        return {path: None if text is None else parse_source(text) for path, text in texts.items()}

    return cache(parse)
