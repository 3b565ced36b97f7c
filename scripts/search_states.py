"""Write what a right Search holds after the steps of the kit's public tests, which tell by it.

``python scripts/search_states.py`` writes student_template/tests/search_states.json, or the file named.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "student_template" / "tests"
sys.path.insert(0, str(ROOT))

from lab.held import held_after  # noqa: E402
from reference.solvers.search import Search  # noqa: E402

STATES = TESTS / "search_states.json"


def states() -> bytes:
    """Return what is held after each step, as JSON, by the steps up to there."""
    sys.path.insert(0, str(TESTS))
    test_search = importlib.import_module("test_search")
    asked: list[list[Any]] = []

    def at_work(_: object, call: Any, *, size: int = 0) -> None:
        if not size:  # that of a drawn case, of which nothing is written down
            asked.append(call.make.args[0])

    with (
        mock.patch.object(test_search, "your", return_value=Search),
        mock.patch.object(test_search, "at_work", at_work),
    ):
        tests = test_search.TestSearch()
        for name in vars(test_search.TestSearch):
            if name.startswith("test_"):
                getattr(tests, name)()
        held = {test_search.text_of(steps): held_after(steps, test_search.answers_of) for steps in asked}
    lines = (f"{json.dumps(steps)}: {json.dumps(each)}" for steps, each in sorted(held.items()))
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


if __name__ == "__main__":
    written = Path(sys.argv[1]) if sys.argv[1:] else STATES
    written.write_bytes(states())
    print(f"What a right Search holds: {written}")
