"""The short table of one submission on the terminal."""

from __future__ import annotations

import json
from pathlib import Path

from grader.feedback.result_table import format_result

CRASHED = Path(__file__).parent / "data" / "crashed.json"


def test_what_is_missing_or_unwritten_is_said_in_words() -> None:
    lines = format_result(json.loads(CRASHED.read_text(encoding="utf-8"))).splitlines()
    assert lines[2] == "    25/30  Depth-first search: None where there is no way (crashed)"
    assert lines[4] == "     0/30  Dijkstra's algorithm: still to be written"
    assert lines[6] == "     0/15  Your own generator: not handed in"


def test_a_file_without_its_class_was_handed_in_all_the_same() -> None:
    results = json.loads(CRASHED.read_text(encoding="utf-8"))
    for check in results["exercises"][5]["checks"]:
        check["said"] = {"message": ["said.missing_name", {"file": "mine.py", "name": "MyGenerator"}]}
    assert format_result(results).splitlines()[6] == "     0/15  Your own generator: class not found"
