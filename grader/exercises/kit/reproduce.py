"""Seeing a case again: the file to save, and the command to give in the folder of the submission."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model import Json, Target


def file_of(check: str) -> str:
    """Return the name of the file to save the maze of a check to: two of a page are never of one name."""
    return f"{check.replace('.', '-')}.txt"


def module_of(target: Target) -> str:
    """Return the name by which Python imports the file of an exercise."""
    return target.file.removesuffix(".py").replace("/", ".")


def one_by_one(mazes: Sequence[str], code: str, call: str, *, file: str) -> Json:
    """Return several mazes in one file, and a command that makes the call with one after the other."""
    made = call.format("Maze.from_text(m)")
    code = (
        f"from lab import Maze; {code}[print({made}) for m in open('{file}').read().strip().split('\\n\\n')]"
    )
    return {"file": file, "content": "\n\n".join(mazes), "command": f'python -c "{code}"'}
