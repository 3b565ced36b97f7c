"""The choice of a sandbox: in the open, and never a weaker one in silence."""

from __future__ import annotations

import pytest

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox import base
from grader.sandbox.base import (
    BACKENDS,
    PROMISES,
    Backend,
    Box,
    Probe,
    Protection,
    kept_promises,
    protections,
)


class Broken:
    name, isolation = "docker", "none"

    def probe(self) -> Probe:
        return Probe(self.name, False, "no engine answers", "start one")

    def open(self, limits: Limits) -> Box:
        raise SandboxError("no engine answers")


class Working(Broken):
    name = "bubblewrap"

    def probe(self) -> Probe:
        kept_one = Protection("files", True, "reads nothing")
        broken_one = Protection("memory", False, "uses little", "be root")
        return Probe(self.name, True, "a box answered", "", (kept_one, broken_one))


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One on which the strongest back end does not work."""
    monkeypatch.setattr(base, "BACKENDS", {"docker": Broken, "bubblewrap": Working})


@pytest.mark.usefixtures("machine")
def test_auto_says_what_it_takes_and_what_failed() -> None:
    backend, reason = base.choose()
    assert backend.name == "bubblewrap"
    assert reason == (
        "bubblewrap: the strongest that works here (docker does not); "
        "not kept here: memory (grader doctor tells more)"
    )


class DropsLimits(Working):
    name = "docker"


class KeepsLimits(Working):
    def probe(self) -> Probe:
        return Probe(self.name, True, "a box answered", "", (Protection("memory", True, "uses little"),))


class Falls(Broken):
    def probe(self) -> Probe:
        raise KeyError("Endpoints")


def test_auto_takes_what_keeps_the_limits_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "BACKENDS", {"docker": DropsLimits, "bubblewrap": KeepsLimits})
    backend, reason = base.choose()
    assert backend.name == "bubblewrap"
    assert reason == "bubblewrap: the strongest that works here; docker drops limits here: memory"


def test_a_back_end_that_is_broken_in_any_way_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "BACKENDS", {"docker": Falls, "bubblewrap": KeepsLimits})
    assert base.choose(patience=0)[1] == "bubblewrap: the strongest that works here (docker does not)"
    with pytest.raises(SandboxError, match="docker does not work here: KeyError: 'Endpoints'"):
        base.choose("docker", patience=0)


@pytest.mark.usefixtures("machine")
def test_a_back_end_that_was_named_is_never_replaced() -> None:
    with pytest.raises(SandboxError, match=r"docker does not work here: no engine answers; .* start one"):
        base.choose("docker")
    assert base.choose("bubblewrap")[1] == (
        "bubblewrap: asked for by name; not kept here: memory (grader doctor tells more)"
    )
    assert "; not kept here: load, memory (" in base.choose("bubblewrap", alone=False)[1]


class Restarted(Working):
    """What it needs goes away while it is tried, and comes back."""

    name, tried = "docker", 0

    def probe(self) -> Probe:
        type(self).tried += 1
        if self.tried < 3:
            return Probe(self.name, False, "the connection was lost", passing=self.tried == 1)
        return super().probe()


@pytest.mark.parametrize("wanted", ["docker", "auto"])
def test_what_stops_to_work_while_it_is_tried_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    monkeypatch.setattr(base, "BACKENDS", {"docker": Restarted, "bubblewrap": Working})
    monkeypatch.setattr(base, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(Restarted, "tried", 0)
    assert base.choose(wanted)[0].name == "docker"


def all_hold(_backend: Backend, _names: frozenset[str]) -> dict[str, str]:
    return {}


@pytest.mark.usefixtures("machine")
def test_the_doctor_tries_what_is_promised_and_shows_what_does_not_hold() -> None:
    asked = []

    def one_breaks(backend: Backend, names: frozenset[str]) -> dict[str, str]:
        asked.append((backend.name, names))
        return {"files": "a program got through"} if names else {}

    lines = base.doctor(one_breaks).splitlines()
    assert asked == [("docker", frozenset()), ("bubblewrap", frozenset({"files"}))]
    assert "docker: DOES NOT WORK - no engine answers; to get it, start one" in lines
    assert "  BROKEN files        a submission reads nothing  (a program got through)" in lines
    assert "  NO     memory       a submission uses little  (be root)" in lines
    assert sum(line.startswith("  NO     load         a submission tells a box that") for line in lines) == 1
    assert "  BROKEN: do not grade others' work with bubblewrap here" in lines
    assert "auto takes bubblewrap: the strongest that works here (docker does not)" in lines
    assert "  yes    files        a submission reads nothing" in base.doctor(all_hold).splitlines()


def test_a_real_probe_names_every_promise(backend: Backend) -> None:
    found = backend.probe()
    assert found.works, found.reason
    assert [item.name for item in found.protections] == [promise.name for promise in PROMISES]


def test_stronger_back_ends_promise_more() -> None:
    assert kept_promises("process") <= kept_promises("bubblewrap") <= kept_promises("docker") | {"traces"}
    assert all(item.works or item.advice for name in BACKENDS for item in protections(name))
