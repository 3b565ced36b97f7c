"""What was asked for on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.serve.data import DEFAULT

HOST: Final = "127.0.0.1"
PORT: Final = 8080


@dataclass(frozen=True, slots=True)
class Options:
    """A service."""

    courses: tuple[Path, ...] = ()
    """Folders with a rubric.yaml, or rubrics; none for the one that ships."""
    data: Path = DEFAULT
    host: str = HOST
    port: int = PORT
    url: str = ""
    """How browsers call it, where a proxy stands before it."""
    jobs: int | None = None
    sandbox: str = "auto"
    cluster: str | None = None
    language: str | None = None
    demo: bool = False

    def check(self) -> None:
        """Raise InputError where it cannot be meant."""
        if self.url and not self.url.startswith(("https://", "http://")):
            raise InputError(f"expected an address such as https://mazes.example.edu, got {self.url!r}")

    @property
    def address(self) -> str:
        """What people type into a browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.url or f"http://{host}:{self.port}"
