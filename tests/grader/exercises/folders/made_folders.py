"""Made-up folders of exercises, and courses that contain them."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from grader.course.exercise_folder import SHIPPED

COUNT = """
    def count_dead_ends(maze):
        return sum(len(maze.valid_moves_at(cell)) == 1 for cell in maze.dimension.all_positions())
"""
YAML = """
    id: dead_ends
    file: dead_ends.py
    function: count_dead_ends
    arguments: [maze]
    returns: number
    checks:
      rooms: [way, cycles]
      corridors: [shapes]
"""
JUDGE = """
    def judge(arguments, returned, expected):
        if returned == expected:
            return None
        return "other_count", {"count": returned, "wanted": expected}
"""
NOTHING: Mapping[str, str] = MappingProxyType({})
TEXTS = '[said]\nother_count = "counted {count} of {wanted}"\n'


def written(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).strip() + "\n", encoding="utf-8")


def course(
    root: Path, files: Mapping[str, str], checks: Mapping[str, int], *, id_: str = "dead_ends"
) -> Path:
    """Make a course with one exercise, in a folder beside its rubric."""
    written(root / id_, files)
    shutil.copytree(SHIPPED.parent / "mazes", root / "mazes", dirs_exist_ok=True)
    path = root / "rubric.yaml"
    lines = "\n".join(f"      {id_}.{name}: {points}" for name, points in checks.items())
    path.write_text(
        f"title: One\nexamples: 10\nown_exercises: [{id_}]\nexercises:\n  {id_}:\n    checks:\n{lines}\n"
    )
    return path


def dead_ends(root: Path, changed: Mapping[str, str] = NOTHING) -> Path:
    """Make the course of a minimal exercise folder, with some files changed or added."""
    files = {"exercise.yaml": YAML, "reference.py": COUNT, **changed}
    return course(root, files, {"rooms": 60, "corridors": 20, "unchanged": 10, "repeat": 10})
