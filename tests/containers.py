"""The service in containers, as compose.yaml has it, on machines without a registry, an index, or compose."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from grader.sandbox.docker_engine import OWN_SOCKET
from tests.grader.command import ROOT
from tests.grader.sandbox.conftest import SCRIPTS, prepare

BASE = "maze-grader-service-base:bookworm"
PROJECT = "maze-grader-test"
GRADER, CADDY = f"{PROJECT}-grader-1", f"{PROJECT}-caddy-1"
PATIENCE = 1800.0
_ROOT_CERTIFICATE = "/data/caddy/pki/authorities/local/root.crt"
_PACKAGES = ("lab", "grader", "reference", "student_template", "pyproject.toml", "README.md", "LICENSE")


ORIGIN = "https://git.example.edu/maze-grader"


def environment() -> dict[str, str]:
    """What the shell has of whoever starts the service: this machine, and what a test puts before .env."""
    return {
        **({} if Path("/var/run/docker.sock").exists() else {"DOCKER_HOST": OWN_SOCKET}),
        **os.environ,
        "PYTHON_IMAGE": BASE,
        "CADDY_IMAGE": BASE,
        "EXTRAS": "serve",
        "COMPOSE_PROJECT_NAME": PROJECT,
        "HTTP_PORT": "0",
        "HTTPS_PORT": "0",  # any that are free
        "SITE": "localhost",
        "SMTP": "smtp://mail:2525",
        "SMTP_PASSWORD": "",
        "MEMORY": "2g",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{ROOT}.insteadOf",
        "GIT_CONFIG_VALUE_0": ORIGIN,
    }


def docker(*words: str) -> str:
    """What a command of Docker prints."""
    done = subprocess.run(
        ["docker", *words], env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def make_base() -> None:
    """Have an engine, and the image on which both of the service stand."""
    prepare("docker")
    subprocess.run([SCRIPTS / "base-image.sh", "bookworm", "service"], check=True, timeout=PATIENCE)


def fill_wheels(folder: Path, work: Path) -> None:
    """Fill a folder with the wheel of this tree, and all that it needs for the Python of the base."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *_PACKAGES]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, work / name)
    asked = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    version = docker("run", "--rm", "--network", "none", BASE, "python3", "-c", asked).strip()
    built = ("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, work)
    _pip(*built)
    (wheel,) = folder.iterdir()
    found = ("--only-binary", ":all:", "--python-version", version, "--constraint", ROOT / "constraints.txt")
    _pip("download", *found, "--dest", folder, f"{wheel}[serve]")


def _pip(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *words], check=True, timeout=PATIENCE)


@dataclass(frozen=True)
class Shell:
    """A folder in which commands are typed; ``docker compose`` is the project's own where Docker has none."""

    folder: Path

    def run(self, script: str) -> str:
        """Run commands; return what they print."""
        done = subprocess.run(
            ["bash", "-euc", script], cwd=self.folder, env=self._environment(), capture_output=True,
            text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{script}: {done.stdout}{done.stderr}"
        return done.stdout

    def run_until(self, script: str, words: str) -> str:
        """Run commands until they print a line with these words, which is returned, and end by Ctrl C."""
        with subprocess.Popen(
            ["bash", "-euc", script], cwd=self.folder, env=self._environment(), stdout=subprocess.PIPE,
            text=True, start_new_session=True,
        ) as process:  # fmt: skip
            found = next((line for line in process.stdout or () if words in line), "")
            os.killpg(process.pid, signal.SIGINT)
            process.communicate()
        assert found, f"{script} ended without {words}"
        return found

    def _environment(self) -> dict[str, str]:
        known = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
        if known.returncode == 0:
            return environment()
        tools = self.folder / ".tools"
        tools.mkdir(exist_ok=True)
        own = f"exec {shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'scripts' / 'compose.py'))}"
        (tools / "docker").write_text(f'#!/bin/sh\nshift\n{own} "$@"\n')
        (tools / "docker").chmod(0o755)
        return {**environment(), "PATH": f"{tools}:{os.environ['PATH']}"}


@contextmanager
def browser_of(name: str, folder: Path) -> Iterator[httpx2.Client]:
    """Somebody who visits the site, and trusts Caddy's own certificate."""
    certificate = folder / "root.crt"
    until(lambda: _copied(f"{CADDY}:{_ROOT_CERTIFICATE}", certificate))
    port = docker("port", CADDY, "443/tcp").split()[0].rpartition(":")[2]
    trusted = ssl.create_default_context(cafile=str(certificate))
    headers = {"Origin": f"https://{name}", "Sec-Fetch-Site": "same-origin"}
    with httpx2.Client(
        base_url=f"https://{name}:{port}", verify=trusted, headers=headers, timeout=PATIENCE,
        follow_redirects=True,
    ) as client:  # fmt: skip
        yield client


def _copied(source: str, target: Path) -> bool:
    copied = subprocess.run(
        ["docker", "cp", source, target], env=environment(), capture_output=True, check=False
    )
    return copied.returncode == 0


def until(done: Callable[[], bool]) -> None:
    """Wait until it is so."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.5)
