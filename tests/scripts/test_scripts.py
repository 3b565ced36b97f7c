"""The scripts that install and start what the sandboxes need: quick where it is there, loud where not."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
NAMES = ("install-system.sh", "docker-engine.sh", "base-image.sh", "pyodide.sh")


def run(name: str, *arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": str(path)} if path else None
    command = ["/bin/sh", str(SCRIPTS / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A machine with the everyday programs, and none of those that the scripts install."""
    for name in ("id", "tr", "cat", "cut", "awk", "grep", "sort", "sleep", "mkdir", "timeout"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_a_script_is_a_program_for_any_shell(name: str) -> None:
    assert os.access(SCRIPTS / name, os.X_OK)
    assert (SCRIPTS / name).read_text().startswith("#!/bin/sh\n")
    assert subprocess.run(["/bin/sh", "-n", SCRIPTS / name], check=False).returncode == 0


def test_what_cannot_be_installed_is_named_with_what_it_means(bare: Path) -> None:
    ran = run("install-system.sh", path=bare)
    assert ran.returncode == 3
    assert "MISSING" in ran.stderr
    assert "bwrap, of the package bubblewrap: without it, no bubblewrap sandbox" in ran.stderr


@pytest.mark.parametrize(("name", "arguments"), [("docker-engine.sh", ["start"]), ("base-image.sh", [])])
def test_without_docker_the_way_to_it_is_told(name: str, arguments: list[str], bare: Path) -> None:
    ran = run(name, *arguments, path=bare)
    assert ran.returncode == 1
    assert "run scripts/install-system.sh first" in ran.stderr


@pytest.mark.parametrize("arguments", [[], ["restart"]])
def test_a_wrong_use_is_told(arguments: list[str]) -> None:
    ran = run("docker-engine.sh", *arguments)
    assert ran.returncode == 2
    assert ran.stderr == "usage: docker-engine.sh start|stop|status\n"


def test_without_an_engine_a_base_image_cannot_be_made(bare: Path) -> None:
    (bare / "docker").write_text("#!/bin/sh\nexit 1\n")
    (bare / "docker").chmod(0o755)
    ran = run("base-image.sh", path=bare)
    assert ran.returncode == 1
    assert "run scripts/docker-engine.sh start first" in ran.stderr


def test_an_engine_that_answers_is_left_alone(bare: Path) -> None:
    (bare / "docker").write_text("#!/bin/sh\nexit 0\n")
    (bare / "docker").chmod(0o755)
    ran = run("docker-engine.sh", "start", path=bare)
    assert (ran.returncode, ran.stdout) == (0, "docker-engine: an engine answers already\n")
    assert run("base-image.sh", path=bare).stdout == "base-image: maze-grader-base:bookworm is there\n"


def test_what_takes_long_says_that_it_goes_on(tmp_path: Path) -> None:
    told = tmp_path / "told"
    fast = "sleep() { command sleep 0.1; }"
    say = f'say() {{ echo "$*"; touch "{told}"; }}'
    quiet = f'quiet() {{ echo quiet; while [ ! -e "{told}" ]; do sleep 1; done; return 7; }}'
    script = f'. "{SCRIPTS}/patiently.sh"; {fast}; {say}; {quiet}; patiently "{tmp_path}/log" quiet'
    ran = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, (tmp_path / "log").read_text()) == (7, "... 10 seconds\n", "quiet\n")
