"""What is particular to bubblewrap: a machine without it, one on which it cannot start, and its own walls."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.errors import SandboxError
from grader.inside import guard
from grader.sandbox import bubblewrap
from grader.sandbox.base import UNUSED_USERS
from grader.sandbox.bubblewrap import BubblewrapBackend
from tests.grader.sandbox.boxes import SMALL, Runner
from tests.grader.sandbox.conftest import prepare


def test_a_machine_without_bubblewrap_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = BubblewrapBackend().probe()
    assert not found.works
    assert found.reason == "bubblewrap is not installed: expected the program bwrap"
    assert "apt-get install bubblewrap" in found.advice


def test_a_bubblewrap_that_cannot_start_a_box_is_a_fault_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: no namespaces here' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(SandboxError, match="cannot start a box with bubblewrap: "):
        BubblewrapBackend().open(SMALL)


@pytest.mark.parametrize("lacking", ["", "setpriv"])
def test_a_box_of_root_runs_as_nobody_that_exists(monkeypatch: pytest.MonkeyPatch, lacking: str) -> None:
    prepare("bubblewrap")
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == lacking else which(name))
    with Runner(BubblewrapBackend()) as runner:
        lines = Path(f"/proc/{runner.box.process.pid}/status").read_text(encoding="ascii").splitlines()
    found = {
        name: set(map(int, rest.split()))
        for name, _, rest in (line.partition(":") for line in lines)
        if name in ("Uid", "Gid", "Groups")
    }
    (user,) = found["Uid"]
    assert user in (UNUSED_USERS if os.geteuid() == 0 else [os.geteuid()])
    assert found["Gid"] == {user if os.geteuid() == 0 else os.getegid()}
    assert found["Groups"] == (set() if os.geteuid() == 0 else {*os.getgroups()})


def test_the_namespaces_hold_without_the_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    """No network, no capabilities, and a runner that takes no signal."""
    prepare("bubblewrap")
    monkeypatch.setattr(guard, "can_filter", lambda: False)
    with Runner(BubblewrapBackend()) as runner:
        found = runner.attack("""
            import ctypes, socket
            libc = ctypes.CDLL(None, use_errno=True)
            opened = socket.socket().fileno() >= 0
            for act in (
                lambda: socket.create_connection(("192.0.2.1", 80), timeout=5),
                lambda: os.chroot("/"),
                lambda: open("/planted", "w"),
                lambda: open("/box/lab/planted", "w"),
                lambda: os.listdir("/proc"),
            ):
                try:
                    act()
                except OSError:
                    continue
                found.append("reached")
            if libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0:
                found.append("reached")
            if libc.ptrace(16, 1, 0, 0) == 0 or libc.process_vm_readv(1, 0, 0, 0, 0, 0) > 0:
                found.append("reached")
            for number in range(1, 65):
                libc.kill(1, number)
            found = [opened, found]
            """)  # fmt: skip
        assert found == [True, []]
        assert runner.attack("found = 1") == 1


# --- what systemd makes of a scope, as it says nothing of what it could not do ---------------------

SYSTEMD = """#!/bin/sh
if [ "$1" = --version ]; then echo "systemd {version} ({version}.1-1)"; else printf '{told}'; fi
"""


@pytest.fixture
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    for known in (bubblewrap.caps, bubblewrap._version):
        known.cache_clear()
    yield
    for known in (bubblewrap.caps, bubblewrap._version):
        known.cache_clear()


def systemd(folder: Path, monkeypatch: pytest.MonkeyPatch, *, told: str = "", version: int = 252) -> None:
    """Put a systemd-run of that version on the path, whose scopes have these limits."""
    program = folder / "systemd-run"
    program.write_text(SYSTEMD.format(told=told, version=version))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.usefixtures("_asked_anew")
@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("memory.max 536870912\\npids.max 33\\ncpu.max 100000 100000\\n", {"memory", "pids", "cpu"}),
        ("memory.max max\\npids.max 33\\ncpu.max max 100000\\n", {"pids"}),
        ("", set()),
    ],
)
def test_a_limit_that_a_scope_lacks_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: str, expected: set[str]
) -> None:
    systemd(tmp_path, monkeypatch, told=told)
    assert bubblewrap.caps() == expected


def test_namespaces_are_left_to_the_filter_where_their_number_cannot_be_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a container, whose settings of the kernel nobody can write."""
    prepare("bubblewrap")
    bubblewrap._newer_options.cache_clear()
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY))
    with Runner(BubblewrapBackend()) as runner:
        assert runner.attack("found = 1") == 1
    assert bubblewrap._newer_options("bwrap") == ()
    bubblewrap._newer_options.cache_clear()
