"""Other graders at the same work: their commands, run directly or each in a container."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.peers.drawn import FIXED_FILE
from grader.model import Limits
from grader.sandbox.docker_engine import connect, find_or_build
from lab import Maze
from reference.perfection_checker import PerfectionChecker

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "benchmarks" / "peers"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--import-mode=importlib")
SITE, TREE, WORK = "/site", "/tree", "/work"
"""Where a container finds the packages, this project, and the submission."""
ONE_CPU = 1_000_000_000


@dataclass(frozen=True)
class Peer:
    """Another grader, as it is started in a submission's folder."""

    name: str
    package: str
    arguments: tuple[str, ...]
    """The arguments of Python; paths are relative to the root of this project."""
    contained: bool = False


_TESTS = "benchmarks/peers"
_WITH_PYTEST = (*PYTEST, "--rootdir", ".", f"{_TESTS}/with_pytest.py")
_WITH_GRADESCOPE = (f"{_TESTS}/with_gradescope.py",)
_WITH_CHECK50 = ("-m", "check50", "--dev", "-o", "json", "--output-file", "out.json", f"{_TESTS}/checks")
PEERS = (
    Peer("pytest", "pytest", _WITH_PYTEST),
    Peer("gradescope-utils", "gradescope_utils", _WITH_GRADESCOPE),
    Peer("check50", "check50", _WITH_CHECK50),
    Peer("pytest in a container", "pytest", _WITH_PYTEST, contained=True),
    Peer("gradescope-utils in a container", "gradescope_utils", _WITH_GRADESCOPE, contained=True),
)


def missing(peer: Peer) -> str:
    """Return what to do before a peer can be measured; empty if it can be."""
    return "" if find_spec(peer.package) else "not measured: python -m pip install '.[bench]'"


def seconds_each(peer: Peer, folders: Sequence[Path], jobs: int) -> float:
    """Grade the submissions, ``jobs`` at a time; return the wall seconds per submission."""
    run: Callable[[Peer, Path], None] = _run_contained if peer.contained else _run_bare
    started = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda folder: run(peer, folder), folders))
    return (time.perf_counter() - started) / len(folders)


def lay_out(folder: Path, mazes: Sequence[Maze], code: str, count: int) -> list[Path]:
    """Write the submissions, each with the fixed mazes beside it; return their folders."""
    told = json.dumps([[maze.to_text(), PerfectionChecker().is_perfect(maze)] for maze in mazes])
    folders = [folder / f"{number:04}" for number in range(count)]
    for number, each in enumerate(folders):
        each.mkdir(parents=True)
        (each / "perfection_checker.py").write_text(f"{code}\nNUMBER = {number}\n", encoding="utf-8")
        (each / FIXED_FILE).write_text(told, encoding="ascii")
    return folders


def _run_bare(peer: Peer, folder: Path) -> None:
    command = [sys.executable, *_placed(peer, str(ROOT))]
    environment = {**os.environ, **_environment(str(ROOT), str(folder))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{peer.name} failed: {done.stdout[-500:]} {done.stderr[-500:]}")


def _run_contained(peer: Peer, folder: Path) -> None:
    """Run a peer in a container from the image of this grader's boxes, with their limits."""
    client = connect()
    binds = {str(folder): WORK, sysconfig.get_path("purelib"): SITE, str(ROOT): TREE}
    config = client.create_host_config(
        network_mode="none",
        mem_limit=Limits().memory_bytes,
        nano_cpus=ONE_CPU,
        binds={
            path: {"bind": place, "mode": "rw" if place == WORK else "ro"} for path, place in binds.items()
        },
    )
    made: dict[str, Any] = client.create_container(
        find_or_build().id,
        command=["python3", "-B", *_placed(peer, TREE)],
        entrypoint=[],
        user="root",
        working_dir=WORK,
        environment=_environment(f"{SITE}:{TREE}", WORK),
        host_config=config,
    )
    try:
        client.start(made["Id"])
        if client.wait(made["Id"])["StatusCode"]:
            raise SystemExit(f"{peer.name} failed: {client.logs(made['Id'])[-1000:]!r}")
    finally:
        client.remove_container(made["Id"], force=True)


def _placed(peer: Peer, root: str) -> list[str]:
    return [f"{root}/{word}" if word.startswith(_TESTS) else word for word in peer.arguments]


def _environment(path: str, folder: str) -> dict[str, str]:
    return {"PYTHONPATH": f"{path}:{folder}", "FIXED": folder, "PYTHONDONTWRITEBYTECODE": "1"}
