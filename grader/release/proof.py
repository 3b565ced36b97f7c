"""What keeps a kit from being handed out: a secret in it, or an answer.

The proof that it ships no answer is that none of its functions earns points in the place of an exercise.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from grader.errors import GraderError
from grader.release import pasting
from grader.release.kit import Kit
from grader.release.leak_check import find_leaks, opened
from grader.release.secrets import Secrets
from lab.exercises import BY_ID

_MINUTES: Final = 30
_HIDDEN: Final = (
    "A maze that students have cannot be hidden: change its drawing, make it public, or leave it out"
)
_SHOWN: Final = 20
"""The most leaks that are named."""


def refusal(kit: Kit, secrets: Secrets, page: Mapping[str, bytes] = MappingProxyType({})) -> str:
    """Return why a kit is not to be handed out, and what to do; "" if it may.

    ``page`` has the files of the lab in a browser tab, which run the kit's functions and no others. Raises
    GraderError where that could not be tried.
    """
    beside = {f"browser/{name}": content for name, content in page.items()}
    if leaks := find_leaks({**kit.files, **opened(beside)}, secrets):
        more = [f"… and {len(leaks) - _SHOWN} more"] if len(leaks) > _SHOWN else []
        places = "".join(f"\n  {line}" for line in (*map(str, leaks[:_SHOWN]), *more))
        mazes = {leak.what for leak in leaks} & {*secrets.mazes.values()}
        advice = f"\n{_HIDDEN}" if mazes else ""
        return f"the kit would reveal secrets:{places}{advice}"
    answers = find_answers(kit.files)
    return f"the kit would ship answers: {'; '.join(answers)}" if answers else ""


def find_answers(files: Mapping[str, bytes]) -> list[str]:
    """Return a sentence for each function of a kit that earns points where it stands in for an exercise.

    Raises GraderError where that could not be tried.
    """
    with tempfile.TemporaryDirectory(prefix="grader-kit-") as folder:
        kit, scratch = Path(folder) / "kit", Path(folder) / "scratch"
        scratch.mkdir()
        for name, content in files.items():
            path = kit / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        environment = {**os.environ, "PYTHONPATH": str(kit), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-P", pasting.__file__, str(kit), str(scratch)]
        try:
            done = subprocess.run(  # noqa: S603 - our own code, and the course's
                command, cwd=scratch, env=environment, capture_output=True, text=True, check=True,
                timeout=60 * _MINUTES,
            )  # fmt: skip
        except subprocess.SubprocessError as error:
            told = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1]
            raise GraderError(f"the functions of the kit could not be tried: {told}") from None
    return [
        f"{found['function']} earns {found['points']:g} points in {BY_ID[found['exercise']].title}"
        for found in json.loads(done.stdout.splitlines()[-1])
    ]
