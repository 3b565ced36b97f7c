"""Every input that is kept, of real ones and of those that once broke something, through its target."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.registry import CORPUS, TARGETS, kept

MOST_BYTES = 4096


@pytest.mark.parametrize("name", TARGETS)
def test_every_target_has_inputs(name: str) -> None:
    assert kept(name)
    assert all(path.stat().st_size <= MOST_BYTES for path in kept(name))


def test_every_input_has_a_target() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path,
            id=f"{name}-{path.name}",
            marks=pytest.mark.processes
            if name == "floods"
            else (),  # whose answers are explained by a reader
        )
        for name in TARGETS
        for path in kept(name)
    ],
)
def test_a_kept_input(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())
