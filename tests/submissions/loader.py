"""The corpus of submissions that the grader is held against, and what each of them must get.

``<kind>/<name>/`` holds the files in which a submission differs from ``base/`` (a right submission
in a plain style), and ``expect.yaml``, which README.md describes. Files that tools or version
control would trip over (no valid Python, odd bytes, names that pytest looks for) are written in
``expect.yaml`` itself, and so never lie on the disk before they are asked for.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
KINDS = ("right", "wrong", "bad", "hostile")
EXERCISES = ("search", "dfs", "bfs", "dijkstra", "perfection", "generator")

CANARY = "kestrel-in-the-coal-mine-4711"
"""Planted by the harness in its environment and its files; no result may ever hold it."""


@dataclass(frozen=True, slots=True)
class Loss:
    """How one exercise must miss full marks."""

    lost: tuple[str, ...] = ()
    """Where given: exactly these checks are lost."""
    lost_at_least: tuple[str, ...] = ()
    lost_one_of: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    """Where given: the lost checks that are named above (else some lost check) have one of these."""
    zero: bool = False
    """The whole exercise earns nothing."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a submission must get. Exercises in neither mapping nor set must have full marks."""

    description: str
    exercises: Mapping[str, Loss]
    may_lose: frozenset[str]
    """Exercises of which nothing is asked: they hang on the mistake, or not."""
    message_contains: tuple[str, ...]
    forbidden_text: tuple[str, ...]
    slow: bool
    """Takes seconds: something in it is ended by a limit."""


@dataclass(frozen=True)
class Case:
    """One submission of the corpus."""

    kind: str
    name: str

    @property
    def folder(self) -> Path:
        """Where its own files lie."""
        return HERE / self.kind / self.name

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The content of ``expect.yaml``."""
        content: dict[str, Any] = yaml.safe_load((self.folder / "expect.yaml").read_text(encoding="utf-8"))
        return content

    @cached_property
    def expectation(self) -> Expectation:
        """What it must get."""
        settings = self.settings
        return Expectation(
            description=settings["description"],
            exercises={name: _loss(loss) for name, loss in settings.get("exercises", {}).items()},
            may_lose=frozenset(settings.get("may_lose", ())),
            message_contains=tuple(settings.get("message_contains", ())),
            forbidden_text=tuple(settings.get("forbidden_text", ())),
            slow=settings.get("slow", False),
        )

    def files(self) -> dict[str, bytes]:
        """What is handed in: contents by path, the base's files among them; links are left out."""
        found = {} if self.settings.get("base") == "none" else _read(HERE / "base")
        for path in self.settings.get("remove", ()):
            del found[path]
        own = _read(self.folder)
        del own["expect.yaml"]
        own |= {path: _content(value) for path, value in self.settings.get("files", {}).items()}
        return {path: data for path, data in found.items() if not _in_the_way(path, own)} | own

    def links(self) -> dict[str, str]:
        """Symbolic links: where they point to, by path."""
        return dict(self.settings.get("links", {}))

    def materialise(self, folder: Path) -> None:
        """Write the submission as a folder."""
        for path, data in self.files().items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        for path, goal in self.links().items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).unlink(missing_ok=True)
            (folder / path).symlink_to(goal)


def cases(kind: str | None = None) -> list[Case]:
    """All submissions, or those of one kind, by name."""
    kinds = KINDS if kind is None else (kind,)
    return [
        Case(each, path.parent.name) for each in kinds for path in sorted((HERE / each).glob("*/expect.yaml"))
    ]


def _loss(settings: Mapping[str, Any] | None) -> Loss:
    given = dict(settings or {})
    status = given.pop("status", ())
    zero = given.pop("zero", False)
    names = {key: tuple(value) for key, value in given.items()}
    return Loss(**names, status=(status,) if isinstance(status, str) else tuple(status), zero=zero)


def _content(value: str | Mapping[str, Any]) -> bytes:
    """Text; or base64; or so many bytes of a filling, after a beginning of text."""
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    start, fill = value.get("start", "").encode(), value["fill"].encode()
    return (start + fill * (value["bytes"] // len(fill) + 1))[: value["bytes"]]


def _read(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in _sources(folder)}


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def _in_the_way(path: str, own: Mapping[str, bytes]) -> bool:
    """A file of the base gives way where the submission has a folder there, or a file above."""
    return any(path.startswith(other + "/") or other.startswith(path + "/") for other in own)
