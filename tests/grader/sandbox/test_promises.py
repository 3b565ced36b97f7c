"""Every promise of a sandbox has a hostile program, which is tried in every back end that makes it."""

from __future__ import annotations

from grader.sandbox.promises import PROMISES
from tests.grader.sandbox import (
    test_channels,
    test_escape,
    test_exhaustion,
    test_notes,
    test_runner_out_of_reach,
    test_secrets,
    test_survivors,
)

HOSTILE = (
    test_channels,
    test_escape,
    test_exhaustion,
    test_notes,
    test_runner_out_of_reach,
    test_secrets,
    test_survivors,
)


def test_every_promise_has_a_hostile_program() -> None:
    tried = {
        mark.args[0]
        for module in HOSTILE
        for value in vars(module).values()
        for mark in getattr(value, "pytestmark", [])
        if mark.name == "promise"
    }
    assert tried == {promise.name for promise in PROMISES}
