"""Which submissions of the corpus a run of the tests grades: all, or those that a change can touch.

What decides a mark can touch every one of them. As long as none of that differs from the branch that is
followed (or, where none is, from the last commit), those that differ themselves are graded, and a sample
of the others.
"""

from __future__ import annotations

import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tests.submissions.loader import Case, cases

ROOT = Path(__file__).resolve().parents[1]
ONE_OF = 16
"""So many submissions make one of the sample."""
DECIDES = (
    *("grader/", "lab/", "reference/", "constraints.txt", "pyproject.toml"),
    *("tests/touched.py", "tests/grader/test_corpus.py", "tests/submissions/loader.py"),
)
BASE = "grader/verification/submissions/base/"
"""What every submission of the corpus holds."""
BESIDE = (
    *(
        f"grader/{name}/"
        for name in ("batch", "commands", "editor", "exports", "feedback", "platforms", "release")
    ),
    *("grader/verification/", "grader/cli.py", "grader/__main__.py", "grader/lazy.py"),
    *("lab/commands/", "lab/render/", "lab/cli.py"),
)
"""Of that, what is done with a submission before it is read, and with its marks once they are made."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The submissions that are graded, and why these."""

    chosen: Collection[Case]
    why: str

    def told(self) -> str:
        """A line for the end of the tests."""
        return f"{len(self.chosen)} of {len(cases())} submissions of the corpus are graded: {self.why}"


def everything(why: str) -> Choice:
    """All of them."""
    return Choice(cases(), why)


def touched() -> Choice:
    """Choose by what has changed here."""
    try:
        return choice(_changed())
    except (OSError, subprocess.CalledProcessError):
        return everything("no repository tells what has changed")


def choice(changed: Collection[str]) -> Choice:
    """Choose by the paths of the files that have changed."""
    decides = [path for path in changed if path.startswith(DECIDES) and not path.startswith(BESIDE)]
    deciding = [*decides, *(path for path in changed if path.startswith(BASE))]
    if deciding:
        return everything(f"{deciding[0]} has changed, which may touch any mark")
    chosen = [case for number, case in enumerate(cases()) if number % ONE_OF == 0 or _is_among(case, changed)]
    return Choice(chosen, "nothing else that decides a mark has changed (all: --corpus=all)")


def _is_among(case: Case, changed: Collection[str]) -> bool:
    kind = f"submissions/{case.kind}"
    its = (f"{kind}.yaml", f"{kind}/{case.name}.", f"{kind}/{case.name}/")
    return any(part in path for part in its for path in changed)


def _changed() -> list[str]:
    """The files that differ from the branch that is followed, new ones among them, by their paths."""
    try:
        since = _git("merge-base", "HEAD", "@{upstream}")
    except subprocess.CalledProcessError:
        since = ["HEAD"]
    differing = _git("diff", "--name-only", "--no-renames", *since)
    return [*differing, *_git("ls-files", "--others", "--exclude-standard")]


def _git(*arguments: str) -> list[str]:
    command = ["git", "-c", "core.quotePath=false", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()
