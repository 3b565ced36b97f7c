"""Students' files are imported by names that many folders have: each test starts and leaves without them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

STUDENTS = {"generators", "solvers", "perfection_checker"}


def forget() -> None:
    for name in [name for name in sys.modules if name.split(".")[0] in STUDENTS]:
        del sys.modules[name]


@pytest.fixture(autouse=True)
def _fresh_imports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", sys.path[:])
    forget()
    yield
    forget()
