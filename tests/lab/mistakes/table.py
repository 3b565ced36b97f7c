"""The typical mistakes, each a small edit of a right submission, with the output of ``maze check``."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from lab.exercises import BY_ID, EXERCISES

ROOT: Final = Path(__file__).parents[3]
PAGE: Final = ROOT / "docs" / "mistakes.md"
_HEAD: Final = """\
# What `maze check` says

These are 54 mistakes that students make before they hand in, and the lines of `maze check` that say what is
wrong, and why; it shows the maze, and a command to try, besides. All other exercises are right. The table is
made of `tests/lab/mistakes/mistakes.yaml` by `python -m tests.lab.mistakes.table`; a test runs `maze check`
on every one.
"""
_COLUMNS: Final = "| mistake | `maze check` says |\n| --- | --- |\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mistake:
    """An entry of ``mistakes.yaml``, whose header explains the fields."""

    id: str
    mistake: str
    exercise: str
    says: str = ""
    passed: str = ""
    edits: Sequence[tuple[str, str]] = ()
    code: str | None = None
    also: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write a submission with this mistake only."""
        for exercise in EXERCISES:
            target = folder / exercise.file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "reference" / exercise.file, target)
        wrong = folder / BY_ID[self.exercise].file
        if self.code == "":
            wrong.unlink()
        else:
            wrong.write_text(self.code or self._edited(wrong.read_text(encoding="utf-8")), encoding="utf-8")
        for name, text in self.also.items():
            (folder / name).write_text(text, encoding="utf-8")

    def _edited(self, text: str) -> str:
        for old, new in self.edits:
            assert text.count(old) == 1, f"{self.id}: expected once, came {text.count(old)} times: {old!r}"
            text = text.replace(old, new)
        return text


def _read() -> dict[str, Mistake]:
    found: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "mistakes.yaml").read_text("utf-8"))
    return {name: Mistake(id=name, **entry) for name, entry in found.items()}


MISTAKES: Final = _read()


def page() -> str:
    """The page of ``docs``: a table for each exercise."""
    parts = [_HEAD]
    for exercise in EXERCISES:
        rows = [each for each in MISTAKES.values() if each.exercise == exercise.id]
        parts += [f"\n## {exercise.title}\n\n{_COLUMNS}"]
        parts += [f"| {each.mistake} | {_cell(each.says)} |\n" for each in rows]
    return "".join(parts)


def _cell(says: str) -> str:
    """Lines as one cell of a table, as they are shown."""
    lines = [f"`{line.strip()}`" for line in says.splitlines() if line.strip(" ^")]
    return "<br>".join(line.replace("|", "\\|") for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
