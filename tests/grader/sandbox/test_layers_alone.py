"""Each layer of a sandbox by itself, the others switched off: behind each hole stands the next wall.

The programs run as plain processes, as root with all capabilities where the tests are root, and have nothing
around them but the layer in question. What a layer promises is what they try; what it does not is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.inside import guard
from grader.sandbox import cgroup
from tests.grader.sandbox.boxes import MIB, limits

ROOT = Path(__file__).parents[3]
NOBODY = 2_100_000_002
LAYERS = frozenset(
    name
    for name, there in {
        "filter": guard.can_filter(),
        "landlock": guard.landlock_version() > 0,
        "scopes": guard.landlock_version() >= 6,
        "cgroup": cgroup.controllers() >= {"memory", "pids"},
        "capabilities": os.geteuid() == 0,
        "limits": True,
        "undumpable": True,
    }.items()
    if there
)
TRY = """
import ctypes, json, os, resource, signal, socket, sys, time
found = []
libc = ctypes.CDLL(None, use_errno=True)
def reach(name, act):
    try:
        answer = act()
    except (OSError, ValueError, MemoryError):
        return
    if answer != -1:
        found.append(name)
"""


WITHOUT_RIGHTS = f"""
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
libc.prctl(4, 1, 0, 0, 0)  # whoever changes its user would be undumpable by that
"""


def alone(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Runs a test once, where the machine has the layer."""
    once = pytest.mark.parametrize("layer", [name] if name in LAYERS else [], indirect=True)
    return lambda test: pytest.mark.usefixtures("layer")(once(test))


@pytest.fixture
def layer(request: pytest.FixtureRequest) -> str:
    """The layer that a test is about."""
    return str(request.param)


def program(code: str, rules: dict[str, Any]) -> list[str]:
    """The command that runs code behind one layer."""
    lock = f"import sys; sys.path.insert(0, {str(ROOT / 'grader')!r}); from inside import guard"
    text = f"{lock}\nguard.lock_in({rules!r})\n{TRY}{textwrap.dedent(code)}"
    return [sys._base_executable, "-S", "-B", "-c", text]  # type: ignore[attr-defined]


def attack(code: str, *, before: tuple[str, ...] = (), cwd: Path | None = None, **rules: Any) -> Any:
    """Run code behind one layer, in a process of its own, and return what it left in ``found``."""
    command = [*before, *program(f"{textwrap.dedent(code)}\nprint(json.dumps(found))", rules)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=cwd)
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        yield process
        process.kill()


@alone("filter")
def test_the_filter_alone(bystander: subprocess.Popen[bytes]) -> None:
    found = attack(f"""
        reach("socket", socket.socket)
        reach("pair", socket.socketpair)
        reach("mount", lambda: libc.mount(b"x", b"/tmp", b"tmpfs", 0, None))
        reach("unshare", lambda: libc.unshare(0x10000000))
        reach("chroot", lambda: os.chroot("/"))
        reach("ptrace", lambda: libc.ptrace(16, {bystander.pid}, 0, 0))
        reach("priority", lambda: os.setpriority(os.PRIO_PROCESS, {bystander.pid}, 19))
        reach("memory file", lambda: os.memfd_create("x"))
        reach("host name", lambda: libc.sethostname(b"x", 1))
        """, no_new_privileges=True, filter=True)  # fmt: skip
    assert found == []


@alone("capabilities")
def test_the_lack_of_capabilities_alone(tmp_path: Path) -> None:
    code = f"""
        reach("mount", lambda: libc.mount(b"x", b"{tmp_path}", b"tmpfs", 0, None))
        reach("chroot", lambda: os.chroot("/"))
        reach("device", lambda: os.mknod("{tmp_path}/device", 0o20600, os.makedev(1, 1)))
        reach("owner", lambda: os.chown("{tmp_path}", 1, 1))
        reach("host name", lambda: libc.sethostname(b"x", 1))
        reach("another user", lambda: os.setuid(1))
        reach("ceiling", lambda: resource.setrlimit(resource.RLIMIT_CORE, (1, 1)))
        """
    rules: dict[str, Any] = {"limits": {"CORE": 0}, "no_capabilities": True}
    assert attack(code, **rules) == []
    again = (
        f"import subprocess\nran = subprocess.run([sys.executable, '-c', {TRY + textwrap.dedent(code)!r} + "
    )
    again += "'print(json.dumps(found))'], capture_output=True, text=True)\nfound = json.loads(ran.stdout)"
    assert attack(again, **rules) == [], "a new program gets them back"


@alone("landlock")
def test_landlock_alone(bystander: subprocess.Popen[bytes], tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    python = [str(Path(os.__file__).parent), "/usr/lib", "/lib", "/lib64"]
    found = attack(f"""
        reach("secret", lambda: open("{tmp_path}/secret").read())
        reach("passwords", lambda: open("/etc/passwd").read())
        reach("listing", lambda: os.listdir("/"))
        reach("writing", lambda: open("{tmp_path}/planted", "w"))
        reach("removing", lambda: os.unlink("{tmp_path}/secret"))
        reach("memory", lambda: open("/proc/{bystander.pid}/mem", "rb"))
        reach("ptrace", lambda: libc.ptrace(16, {bystander.pid}, 0, 0))
        reach("scratch", lambda: open("{scratch}/own", "w").close())
        """, no_new_privileges=True, files={"read": python, "write": [str(scratch)]})  # fmt: skip
    assert found == ["scratch"]


@alone("scopes")
def test_the_scopes_of_landlock_alone(bystander: subprocess.Popen[bytes]) -> None:
    found = attack(f"""
        guard.stand_apart()
        for number in range(1, 65):
            reach(number, lambda: os.kill({bystander.pid}, number))
            reach(number, lambda: os.kill(os.getppid(), number))
        """, no_new_privileges=True)  # fmt: skip
    assert found == []
    assert bystander.poll() is None


@pytest.fixture
def grouped() -> Iterator[Callable[[str], Any]]:
    """Runs code in a control group, with nothing else around it."""
    trees = cgroup.trees()
    assert trees is not None
    group = cgroup.Group(trees, limits(memory_bytes=64 * MIB, processes=8), spare_processes=1)

    def run(code: str) -> Any:
        started = f"sys.stdin.readline()\n{textwrap.dedent(code)}\nprint(json.dumps(found), flush=True)"
        command = [sys.executable, "-S", "-c", f"{TRY}{started}"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            group.add(process.pid)
            out, _ = process.communicate("go\n", timeout=300)
            group.kill()
        return json.loads(out) if out else f"killed, {group.memory_kills()} of memory"

    yield run
    group.remove()


@alone("cgroup")
def test_the_control_group_alone_caps_memory(grouped: Callable[[str], Any]) -> None:
    assert str(grouped("found = [len([b'x' * 2**20 for _ in range(200)])]")).startswith("killed, ")


@alone("cgroup")
def test_the_control_group_alone_caps_processes(grouped: Callable[[str], Any]) -> None:
    (born,) = grouped("""
        born = 0
        try:
            while born < 50:
                if not os.fork():
                    os.setsid()
                    os.close(1)
                    time.sleep(600)
                born += 1
        except OSError:
            pass
        found = [born]
        """)
    assert born == 8


@alone("limits")
def test_limits_alone(tmp_path: Path) -> None:
    """For a user without rights: root may raise them again, which is why capabilities go as well."""
    tmp_path.chmod(0o777)
    ceilings = {"AS": 256 * MIB, "FSIZE": MIB, "NOFILE": 32, "CORE": 0}
    found = attack(f"""{WITHOUT_RIGHTS}
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
file = open("large", "wb", buffering=0)
reach("all of a file", lambda: file.write(bytes(2**20)) + file.write(b"x"))
reach("memory", lambda: len(bytearray(512 * 2**20)))
reach("files", lambda: [open("/dev/null") for _ in range(64)])
for name in ("AS", "FSIZE", "NOFILE", "CORE"):
    which = getattr(resource, f"RLIMIT_{{name}}")
    reach(name, lambda: resource.setrlimit(which, (-1, -1)))
""", cwd=tmp_path, limits=ceilings)  # fmt: skip
    assert found == []
    assert (tmp_path / "large").stat().st_size == MIB


@alone("undumpable")
@pytest.mark.parametrize(
    ("how", "reached"), [("", ["environment", "descriptors"]), ("guard.make_undumpable()", [])]
)
def test_being_undumpable_alone(how: str, reached: list[str]) -> None:
    """Against a process of the same user, which reaches all of any other."""
    told = f"{WITHOUT_RIGHTS}{how}\nprint('ready', flush=True)\ntime.sleep(600)"
    with subprocess.Popen(program(told, {}), stdout=subprocess.PIPE) as victim:
        assert victim.stdout
        assert victim.stdout.readline() == b"ready\n"
        found = attack(f"""{WITHOUT_RIGHTS}
reach("environment", lambda: open("/proc/{victim.pid}/environ").read())
reach("descriptors", lambda: os.listdir("/proc/{victim.pid}/fd"))
""")
        victim.kill()
    assert found == reached
