"""What a submission must not see: files, the environment, processes and descriptors of the grader."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox.base import Backend
from grader.sandbox.contents import ENVIRONMENT
from grader.session.trials import ANSWERS
from lab import desktop
from tests.grader.sandbox.boxes import Runner


@pytest.fixture
def secret() -> str:
    return f"secret-{secrets.token_hex(8)}"


@pytest.fixture
def bystander(secret: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the grader's own user, with a secret on its command line."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", secret])
    yield process
    process.kill()
    process.wait()


READ_EVERYTHING = """
for start in places:
    for folder, folders, files in os.walk(start):
        folders[:] = [name for name in folders if name not in ("proc", "sys")] if folder == "/" else folders
        for name in files:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    if os.path.isfile(path) and secret in file.read(65536):
                        found.append(path)
            except OSError:
                pass
"""


@pytest.mark.promise("files")
def test_no_file_of_the_machine_is_read(backend: Backend, secret: str, tmp_path: Path) -> None:
    place = tmp_path / "reference.py"
    place.write_text(secret)
    with Runner(backend) as runner:
        half = len(secret) // 2
        code = f"secret = (first + second).encode()\n{READ_EVERYTHING}"
        places = ["/", str(tmp_path), "..", str(Path.home()), str(Path(__file__).parents[3])]
        assert runner.attack(code, first=secret[:half], second=secret[half:], places=places) == []


@pytest.mark.promise("files")
def test_neither_the_reference_nor_the_grader_nor_any_package_is_there(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            sys.path += ["/usr/lib/python3/dist-packages", "/usr/local/lib/python3.11/site-packages", *paths]
            for name in ("reference", "grader", "yaml", "pytest", "docker", "psutil", "pip", "lab.cli"):
                try:
                    __import__(name)
                except ImportError:
                    continue
                found.append(name)
            """, paths=[path for path in sys.path if path])  # fmt: skip
        assert found == []


@pytest.mark.promise("environment")
def test_the_environment_is_the_runners_own(
    backend: Backend, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_SECRET", secret)
    with Runner(backend) as runner:
        real = """
            import ctypes
            environment, number = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ"), 0
            while environment[number] is not None:
                found.append(environment[number].decode().split("=", 1))
                number += 1
            """
        assert dict(runner.attack(real)) == ENVIRONMENT
        assert runner.attack("found = dict(os.environ)") == desktop.ENVIRONMENT
        everywhere = """
            for number in [*range(1, 4), os.getpid(), os.getppid(), "self"]:
                try:
                    found.append(open(f"/proc/{number}/environ", errors="replace").read())
                except OSError:
                    pass
            """
        assert secret not in str(runner.attack(everywhere))


HEARS = """
import datetime, getpass, locale, multiprocessing, pathlib, platform, pwd, shutil, socket, zoneinfo
for question in questions:
    found.append(repr(eval(question)))
"""


@pytest.mark.promise("desktop")
def test_all_that_is_asked_of_the_machine_is_answered_alike(backend: Backend) -> None:
    with Runner(backend) as runner:
        for _ in range(2):
            assert runner.attack(HEARS, questions=[*ANSWERS]) == [*map(repr, ANSWERS.values())]


@pytest.mark.promise("sight")
def test_no_other_process_is_seen(backend: Backend, secret: str, bystander: subprocess.Popen[bytes]) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            for number in [*range(1, 200), other]:
                for name in ("cmdline", "status", "maps"):
                    try:
                        text = open(f"/proc/{number}/{name}", errors="replace").read()
                    except OSError:
                        continue
                    found.append(text)
            """, other=bystander.pid)  # fmt: skip
        assert secret not in str(found)
        assert "pytest" not in str(found)


@pytest.mark.promise("signals")
def test_no_other_process_is_signalled(backend: Backend, bystander: subprocess.Popen[bytes]) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            for number in victims:
                try:
                    os.kill(number, 9)
                except OSError:
                    continue
                found.append(number)
            """, victims=[bystander.pid])  # fmt: skip
        assert found == []
        assert bystander.poll() is None
