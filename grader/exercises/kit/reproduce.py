"""Repeat a case: the file to save, and the command to run in the submission's folder."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model import Json, Target


def file_of(check: str) -> str:
    """Return the file name for saving the maze of a check, unique on a page."""
    return f"{check.replace('.', '-')}.txt"


def module_of(target: Target) -> str:
    """Return the module name under which Python imports an exercise's file."""
    return target.file.removesuffix(".py").replace("/", ".")


def one_by_one(mazes: Sequence[str], code: str, call: str, *, file: str) -> Json:
    """Return several mazes in one file, and a command that makes the call with each in turn."""
    made = call.format("Maze.from_text(m)")
    code = (
        f"from lab import Maze; {code}[print({made}) for m in open('{file}').read().strip().split('\\n\\n')]"
    )
    return {"file": file, "content": "\n\n".join(mazes), "command": f'python -c "{code}"'}
