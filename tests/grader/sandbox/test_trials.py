"""What ``grader doctor`` tries: what is promised here holds, and where nothing is, programs get through."""

from __future__ import annotations

import pytest

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox.base import Backend, Probe
from grader.sandbox.promises import PROMISES, kept_promises
from grader.session import trials
from grader.session.trials import PROGRAMS
from tests.grader.session.popen_box import PopenBackend, PopenBox, contents

pytestmark = pytest.mark.usefixtures("_untraced")


def test_every_promise_has_a_program() -> None:
    assert list(PROGRAMS) == [promise.name for promise in PROMISES]


def test_what_is_promised_here_holds(backend: Backend) -> None:
    assert trials.broken(backend, kept_promises(backend.name)) == {}


OPEN = {"files", "writing", "sight", "network", "calls", "silence", "traces", "memory", "processes"}


def test_where_nothing_stands_in_the_way_the_programs_get_through() -> None:
    """A runner without any sandbox, which takes a submission's limits for no more than good advice."""
    found = trials.broken(PopenBackend(contents()), frozenset(OPEN))
    assert set(found) == OPEN, found


class _Lost(PopenBackend):
    """Boxes that cannot be opened any more."""

    def probe(self) -> Probe:
        return Probe("lost", True, "it was there")

    def open(self, limits: Limits) -> PopenBox:
        raise SandboxError("no box today")


def test_a_box_that_cannot_be_had_keeps_no_promise() -> None:
    assert trials.broken(_Lost(contents()), frozenset({"files"})) == {"files": "no box today"}


def test_another_end_than_the_promised_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROGRAMS, "files", "return 1 / 0")
    found = trials.broken(PopenBackend(contents()), frozenset({"files"}))
    assert found == {
        "files": "a program ended otherwise than it should, raised: ZeroDivisionError division by zero"
    }
