"""Find which mistakes of the bank a maze catches, by running ``grader verify --maze`` in a subprocess."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grader.errors import GraderError


def find_caught_mistakes(path: Path, options: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return, by exercise, the number of wrong submissions (``due``) and the names of those caught.

    Raises GraderError if the command fails.
    """
    with TemporaryDirectory(prefix="maze-grader-") as folder:
        found = Path(folder, "findings.json")
        command = [sys.executable, "-m", "grader", "verify", "--maze", str(path), "--json", str(found)]
        asked = subprocess.run(  # noqa: S603 - the grader's own command
            [*command, "--only", "wrong--*", "--quiet", *options],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if not found.exists():
            lines = asked.stderr.strip().splitlines()
            raise GraderError(lines[-1].removeprefix("grader: ") if lines else "the bank was not graded")
        findings = json.loads(found.read_bytes())
    return {
        exercise: {"due": due, "caught": findings["caught"].get(exercise, [])}
        for exercise, (_, due) in findings["by_exercise"].items()
    }
