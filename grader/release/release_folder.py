"""The folder that ``grader release`` writes, as other parts use it: the kit, and the lab in a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.languages import DEFAULT

NAME: Final = "mazes-lab"
"""The name of the repository."""


@dataclass(frozen=True, slots=True)
class ReleaseFolder:
    """What students of a course get."""

    path: Path

    @property
    def repository(self) -> Path:
        """Return the folder of the kit."""
        return self.path / NAME

    @property
    def archive(self) -> Path:
        """Return the kit as a zip."""
        return self.path / f"{NAME}.zip"

    @property
    def browser(self) -> Path:
        """Return the folder with the lab in a browser tab."""
        return self.path / "browser"

    def handout(self, language: str) -> Path:
        """Return the handout in a language, or else in English."""
        asked = self.browser / f"handout.{language}.html"
        return asked if asked.is_file() else self.browser / f"handout.{DEFAULT}.html"

    def check(self) -> None:
        """Raise InputError unless all of it is there."""
        for path in (self.archive, self.browser / "config.json", self.handout(DEFAULT)):
            if not path.is_file():
                raise InputError(f"expected what grader release wrote, found no {path.name}", path=self.path)
