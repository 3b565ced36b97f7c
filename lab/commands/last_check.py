"""Remember the results of the last ``maze check`` in a folder, to report what has changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from lab.user_folders import user_folder


def changes(folder: Path, passed: Mapping[str, bool]) -> str:
    """Say how many tests were fixed or broken since the last time, and store the new results.

    ``passed`` has the result of each test; the results of tests that did not run are kept.
    """
    file = _file(folder)
    before = {} if file is None else _read(file)
    if file is not None:
        _write(file, {**before, **passed})
    fixed = sum(now and before.get(name) is False for name, now in passed.items())
    broken = sum(not now and before.get(name) is True for name, now in passed.items())
    told = [f"{fixed} fixed"] if fixed else []
    told += [f"{broken} broken"] if broken else []
    return f"Since the last time: {', '.join(told)}." if told else ""


def _file(folder: Path) -> Path | None:
    """Return the file in the user's cache, not among the student's files; None if there is no home."""
    variable = "XDG_CACHE_HOME" if os.environ.get("XDG_CACHE_HOME") else "LOCALAPPDATA"
    home = user_folder(variable, ".cache")
    name = hashlib.sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return None if home is None else home / "maze-lab" / "checks" / f"{name}.json"


def _read(path: Path) -> dict[str, bool]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(path: Path, passed: Mapping[str, bool]) -> None:
    with suppress(OSError):  # without a stored result, changes are not reported next time
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(passed), encoding="utf-8")
