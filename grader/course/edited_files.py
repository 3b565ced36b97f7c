"""Submissions that are another file but for a few lines: ``edits.yaml`` in a folder of submissions.

::

    ../base/solvers/dfs.py:          # the file, as seen from the folder
      dfs-west-first:                # the submission
      - [MOVES, reversed(MOVES)]     # a text that stands there once, and what stands in its place
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grader.course.yaml.source import read_yaml
from grader.course.yaml.value import Value
from grader.errors import InputError

EDITS: Final = "edits.yaml"


def edited_files(folder: Path) -> dict[str, bytes]:
    """Return the files that the edits of a folder make, by submission. Raises InputError."""
    found: dict[str, bytes] = {}
    entries = read_yaml(folder / EDITS, error=InputError).entries() if (folder / EDITS).is_file() else []
    for path, submissions in entries:
        try:
            text = (folder / path.node.value).read_bytes().decode()
        except (OSError, ValueError) as error:
            path.refuse(f"expected a text in UTF-8: {error}")
        for name, edits in submissions.entries():
            if name.node.value in found or (folder / f"{name.node.value}.py").exists():
                name.refuse("the submission is there already")
            found[name.node.value] = _edited(text, edits).encode()
    return found


def _edited(text: str, edits: Value) -> str:
    for edit in edits.items():
        pair = [each.node.value for each in edit.items()]
        if len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            edit.expected("an old text and a new one: [old, new]")
        if (count := text.count(pair[0])) != 1:
            edit.expected("an old text that stands in the file once", f"one that stands there {count} times")
        text = text.replace(*pair)
    return text
