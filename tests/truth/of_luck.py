"""Of each sentence on what was drawn from, whether it is so, by the states of all sources that are seen."""

from __future__ import annotations

import ast
import os
import random
import sys
from types import FrameType, TracebackType
from typing import Any, Self
from unittest import mock

from grader.inside.files import ROOT
from lab.generator import Generator
from tests.truth.record import Held, SecondRecord, attributes
from tests.truth.runs import runs
from tests.truth.said import About, Said, true


class SourcesSeen:
    """Looks at each line which sources of luck have another state than before."""

    def __init__(self) -> None:
        self.given: random.Random | None = None
        self.drawn = set[tuple[str, str, int]]()
        """The kinds of sources that were drawn from, with file and line."""
        self._states: dict[int, tuple[random.Random, Any]] = {}
        self._lines: list[tuple[str, int]] = []
        """Where each call of the submission's own is, the innermost last."""

    def __enter__(self) -> Self:
        self._patched = mock.patch.object(random, "_urandom", self._of_the_system)
        self._patched.start()
        sys.settrace(self._called)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.settrace(None)
        self._patched.stop()
        self._look([])

    def watch(self, _: object) -> None:
        """Note nothing else."""

    def _of_the_system(self, size: int) -> bytes:
        self.drawn.add(("os.urandom", *self._lines[-1]))
        return os.urandom(size)

    def _called(self, frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code is Generator.__init__.__code__:
            self.given = frame.f_locals["rng"]
            self._look([self.given])
        file = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
        if file == frame.f_code.co_filename:
            return None
        held = [*frame.f_locals.values(), *frame.f_globals.values()]
        self._look([random._inst, *held, *(each for value in held for each in attributes(value).values())])
        if event == "call":
            self._lines.append((file, frame.f_lineno))
        elif event == "return":
            self._lines.pop()
        else:
            self._lines[-1] = file, frame.f_lineno
        return self._called

    def _look(self, held: list[Any]) -> None:
        for source, before in [*self._states.values()]:
            if source.getstate() != before:
                kind = "given" if source is self.given else "random" if source is random._inst else "other"
                self.drawn.add((kind, *(self._lines[-1] if self._lines else ("", 0))))
        sources = [source for source, _ in self._states.values()]
        found = [each for each in held if isinstance(each, random.Random)]
        new = [each for each in found if not isinstance(each, random.SystemRandom) and each not in sources]
        self._states = {id(each): (each, each.getstate()) for each in (*sources, *new)}


@true("story_drew", "story_drew_other", "story_undrawn")
def _drew(said: Said, _: SecondRecord, about: About) -> bool:
    """That line changes the state of another source; or none changes that of the given one."""
    seen = SourcesSeen()
    about.made(seen)
    if said.key == "story_undrawn":
        return seen.given is not None and not any(kind == "given" for kind, _, _ in seen.drawn)
    source = said.values["source"] if said.key == "story_drew" else "other"
    return (source, said.file, said.line) in seen.drawn


@true("story_unordered")
def _unordered(said: Said, record: SecondRecord, _: About) -> bool:
    """The line read a set of several elements whose hashes hang on the process."""
    for run in runs(said, record):
        held = run.before[said.values["name"]].held
        is_luck = isinstance(held, Held) and all(isinstance(each, (str, Held)) for each in held.parts)
        if is_luck and held.kind == "set" and len(held.parts) > 1:
            return any(isinstance(each.node, ast.AST) and each.held == held for each in run.values)
    return False
