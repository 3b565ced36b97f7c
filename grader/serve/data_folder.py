"""The data folder of the service: its layout and its permissions."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.disk import writing

DEFAULT: Final = Path("serve-data")
"""The data folder is ./serve-data if no other one is given."""
_OWNER_ONLY: Final = 0o700
"""The folders of the service have this mode: only their owner may read them."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data folder of a service."""

    folder: Path

    @property
    def database(self) -> Path:
        """Return the path of the database."""
        return self.folder / "serve.sqlite"

    @property
    def lti(self) -> Path:
        """Return the folder with the keys for learning platforms."""
        return self.folder / "lti"

    @property
    def uploads(self) -> Path:
        """Return the folder with the uploaded files, which has a folder for each attempt."""
        return self.folder / "uploads"

    def upload(self, attempt: str) -> Path:
        """Return the folder with the uploaded files of an attempt."""
        return self.uploads / attempt

    @property
    def attempts(self) -> Path:
        """Return the folder with the results of all attempts."""
        return self.folder / "attempts"

    def attempt(self, attempt: str) -> Path:
        """Return the folder with an attempt's results.json, feedback.html, and files for staff."""
        return self.attempts / attempt

    def course(self, course: str) -> Path:
        """Return the class folder of a course, in the layout of ``grader batch``."""
        return self.folder / "class" / course

    @property
    def courses(self) -> Path:
        """Return the folder with a copy of each course that was served, but for the one that ships."""
        return self.folder / "courses"

    def create(self) -> None:
        """Create the folders that are missing, and restrict all to their owner. Raises DiskError."""
        for folder in (
            self.folder,
            self.uploads,
            self.attempts,
            self.folder / "class",
            self.lti,
            self.courses,
        ):
            with writing(folder):
                folder.mkdir(parents=True, exist_ok=True)
                os.chmod(folder, _OWNER_ONLY)  # noqa: PTH101 - of a folder of ours
