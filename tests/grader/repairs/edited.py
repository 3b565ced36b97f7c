"""Source of a solver, read, and its edits."""

from __future__ import annotations

import textwrap

from grader.repairs import ParsedFile, edits_of, source_of
from grader.repairs.source import Edit
from tests.submissions.loader import base

SOLVER = """
class BFS:
    def solve(self, maze, search):
{body}
"""
FILES = {path: content for path, content in base().items() if path.endswith(".py")}


def read(body: str) -> ParsedFile:
    text = SOLVER.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8))
    source = source_of(text.encode(), "solve")
    assert source is not None
    return source


def bodies(source: ParsedFile) -> dict[str, Edit]:
    """What the body becomes by each edit."""
    first = source.text.index("search):\n") + len("search):\n")
    return {textwrap.dedent(edit.apply(source.text)[first:]).strip("\n"): edit for edit in edits_of(source)}
