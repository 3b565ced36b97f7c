"""What ``grader doctor`` tries: what is promised here holds, and where nothing is, programs get through."""

from __future__ import annotations

import pytest

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox.base import BACKENDS, PROMISES, Probe, kept_promises
from grader.session import trials
from grader.session.trials import PROGRAMS
from tests.grader.sandbox import (
    test_channels,
    test_escape,
    test_exhaustion,
    test_runner_out_of_reach,
    test_secrets,
    test_survivors,
)
from tests.grader.sandbox.conftest import not_here, prepare
from tests.grader.session.popen_box import PopenBackend, PopenBox, contents

pytestmark = pytest.mark.usefixtures("_untraced")


HOSTILE = (
    *(test_channels, test_escape, test_exhaustion, test_runner_out_of_reach, test_secrets, test_survivors),
)
HERE = [name for name in BACKENDS if name not in not_here()]


def test_every_promise_has_a_program_here_and_a_hostile_one_in_the_tests() -> None:
    tried = {
        mark.args[0]
        for module in HOSTILE
        for value in vars(module).values()
        for mark in getattr(value, "pytestmark", [])
        if mark.name == "promise"
    }
    assert list(PROGRAMS) == [promise.name for promise in PROMISES]
    assert tried == {*PROGRAMS}


@pytest.mark.parametrize(
    "name", [name if name == "bubblewrap" else pytest.param(name, marks=pytest.mark.ci) for name in HERE]
)
def test_what_is_promised_here_holds(name: str) -> None:
    prepare(name)
    assert trials.broken(BACKENDS[name](), kept_promises(name)) == {}


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
