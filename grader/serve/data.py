"""The folder in which the service keeps all that it has: who may read it, and what lies where."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.disk import writing

DEFAULT: Final = Path("serve-data")
_OWNER_ONLY: Final = 0o700


@dataclass(frozen=True, slots=True)
class Data:
    """A folder of the service."""

    folder: Path

    @property
    def database(self) -> Path:
        """All state."""
        return self.folder / "serve.sqlite"

    @property
    def lti(self) -> Path:
        """The keys for learning platforms."""
        return self.folder / "lti"

    @property
    def uploads(self) -> Path:
        """What came, byte by byte, a folder an attempt."""
        return self.folder / "uploads"

    def upload(self, attempt: str) -> Path:
        """What came for an attempt."""
        return self.uploads / attempt

    @property
    def attempts(self) -> Path:
        """The results of all attempts."""
        return self.folder / "attempts"

    def attempt(self, attempt: str) -> Path:
        """The results of an attempt: results.json, feedback.html, and what is for staff."""
        return self.attempts / attempt

    def course(self, course: str) -> Path:
        """The results that count, as a folder of ``grader batch``."""
        return self.folder / "class" / course

    def make(self) -> None:
        """Make what is missing, for its owner only. Raises DiskError."""
        for folder in (self.folder, self.uploads, self.attempts, self.folder / "class", self.lti):
            with writing(folder):
                folder.mkdir(parents=True, exist_ok=True)
                os.chmod(folder, _OWNER_ONLY)  # noqa: PTH101 - of a folder of ours
