"""A BFS that a test writes."""

from __future__ import annotations

from pathlib import Path


def write(folder: Path, body: str, *, head: str = "") -> None:
    lines = "".join(f"        {line}\n" for line in body.strip("\n").split("\n"))
    text = f"{head}\n\nclass BFS:\n    def solve(self, maze, search):\n{lines}"
    (folder / "solvers/bfs.py").write_text(text, encoding="utf-8")
