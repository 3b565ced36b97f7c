"""Real back ends, installed by the project's scripts if they can be.

Where that is possible, a back end that does not work fails the tests. On other machines those that work are
tested, and the report ends with a list of those that were not.
"""

from __future__ import annotations

import fcntl
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

import pytest

from grader.sandbox.base import BACKENDS, Backend, kept_promises
from tests.grader.sandbox.boxes import can_install
from tests.grader.sandbox.handed_over import can_be_had

collect_ignore = [] if can_be_had() else ["test_delegation.py"]
SCRIPTS = Path(__file__).parents[3] / "scripts"
NEEDS = {
    "docker": ("install-system.sh", "docker-engine.sh start", "base-image.sh"),
    "bubblewrap": ("install-system.sh",),
    "process": (),
}


@lru_cache(maxsize=1)
def not_here() -> dict[str, str]:
    """Return the back ends that this machine lacks, with reasons."""
    if can_install():
        return {}
    probes = [make().probe() for make in BACKENDS.values()]
    return {probe.backend: probe.reason for probe in probes if not probe.works}


@lru_cache(maxsize=3)
def prepare(name: str) -> None:
    """Run the scripts that a back end needs, in one worker at a time."""
    if not can_install():
        return
    with Path(tempfile.gettempdir(), "maze-grader-tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for script in NEEDS[name]:
            subprocess.run([SCRIPTS / script.split()[0], *script.split()[1:]], check=True, timeout=900)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend" in metafunc.fixturenames:
        names = [name for name in BACKENDS if name not in not_here() and _fits(metafunc, name)]
        metafunc.parametrize("backend", names, indirect=True)


def _fits(metafunc: pytest.Metafunc, name: str) -> bool:
    """Return whether a back end makes the promise that a test is about."""
    marker = metafunc.definition.get_closest_marker("promise")
    return marker is None or marker.args[0] in kept_promises(name)


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Backend:
    """Return a back end that works here, by name."""
    prepare(request.param)
    return BACKENDS[request.param]()


@pytest.fixture
def engine() -> None:
    """Provide a Docker engine with a base image."""
    prepare("docker")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(name): the promise of a sandbox that a test is about")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if collect_ignore:
        line = "NOT RUN: the tests of control groups that are handed to a user: they take root on Linux"
        terminalreporter.write_line(line, red=True, bold=True)
    for name, reason in not_here().items():
        terminalreporter.write_line(
            f"NOT RUN: the tests of the sandbox {name}: {reason}", red=True, bold=True
        )
