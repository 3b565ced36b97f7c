"""The Python files of a submission as trees, for the checks that look at them; nothing of them is run."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from grader.exercises.kit.kind import Sources
from grader.intake.python_source import decode_source, parse_source
from grader.model import Submission


def sources_of(submission: Submission) -> Callable[[], Sources]:
    """Return a function that parses the files once, when it is first called."""

    def parse() -> Sources:
        files = {path: content for path, content in submission.files.items() if path.endswith(".py")}
        texts = {path: decode_source(content) for path, content in files.items()}
        return {path: None if text is None else parse_source(text) for path, text in texts.items()}

    return cache(parse)
