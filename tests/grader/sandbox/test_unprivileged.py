"""The back ends that need no root, as a user who has no rights at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import grader
import lab
from tests.grader.sandbox.boxes import NOBODY, python
from tests.grader.sandbox.conftest import prepare

PROGRAM = """
from grader.model import Limits
from grader.sandbox.base import BACKENDS
from grader.sandbox.base import hello
backend = BACKENDS[{name!r}]()
boxes = [backend.open(Limits()) for _ in range(2)]
assert all(hello(box, Limits()) for box in boxes)
assert [box.close().signal for box in boxes] == [9, 9]
print(*[item.name for item in backend.probe().protections if not item.works])
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody can read, with the grader and all that it imports there."""
    folder = Path(tempfile.mkdtemp(prefix="maze-grader-test-"))
    for package in (grader, lab, psutil):
        source = Path(str(package.__file__)).parent
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    site = Path(str(psutil.__file__)).parents[1]
    for needed in (
        "docker",
        "requests",
        "urllib3",
        "idna",
        "certifi",
        "charset_normalizer",
        "msgspec",
        "tzdata",
    ):
        shutil.copytree(site / needed, folder / needed, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    (folder / "home").mkdir()
    if os.geteuid() == 0:
        os.chown(folder / "home", NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["bubblewrap", "process"])
def test_a_user_without_rights_gets_boxes(name: str, place: Path) -> None:
    prepare(name)
    as_root = os.geteuid() == 0
    ran = subprocess.run(
        [python(), "-B", "-c", PROGRAM.format(name=name)],
        env={"PATH": "/usr/bin:/bin", "HOME": str(place / "home"), "PYTHONPATH": str(place)},
        cwd=place,
        user=NOBODY if as_root else None,
        group=NOBODY if as_root else None,
        extra_groups=[] if as_root else None,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    assert {"files", "network", "survivors"}.isdisjoint(ran.stdout.split())
    assert "memory" in ran.stdout.split()
