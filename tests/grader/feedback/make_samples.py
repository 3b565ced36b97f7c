"""Writes the sample results in ``data/``: ``python -m tests.grader.feedback.make_samples``.

They are what the engine writes for a right submission, a wrong one, one that crashes, one that
runs into its limits and a hostile one, kept as files so that the pages can be tested alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.grader.feedback.sample_crashes import crashed, timed_out
from tests.grader.feedback.sample_mistakes import wrong
from tests.grader.feedback.sample_parts import ROOM, gallery, results, side, solver

DATA = Path(__file__).parent / "data"


def right() -> dict[str, Any]:
    report = results("ada", {})
    report["exercises"][-1]["gallery"] = gallery()
    report["exercises"][1]["output"] = "solving\nsolved in 12 steps\n"
    return report


EVIL = (
    '</script><script>alert(1)</script><img src=x onerror=alert(2)>"><svg onload=alert(3)>'
    "{{ 7 * 7 }}{% raw %} =HYPERLINK(1) "
    "\x1b[31mred\x07 \u202egnp.exe\u2066 \x00\u200b `code` [a](javascript:alert(4))"
)


def hostile() -> dict[str, Any]:
    """Return results in which every text of the submission tries to be something else."""
    fault = {
        "kind": EVIL,
        "message": EVIL + "\n" + EVIL,
        "stage": EVIL,
        "trace": [{"file": EVIL, "line": EVIL, "function": EVIL, "code": EVIL}],
    }
    example = solver(EVIL, ROOM, side("NE", "22 12 13"), side("NE", "22 21 11"), label=EVIL, parts_at=[2, 1])
    example["actual"] |= {"text": EVIL, "fault": fault, "mazes": [EVIL]}
    example["reproduce"] = {"file": EVIL, "command": EVIL}
    broken = {
        "maze": EVIL,
        "expected": [EVIL],
        "actual": {"moves": [[1, 2, 3], "x"], "visits": 7, "steps": [3]},
    }
    far = solver(
        "DFS", ROOM, side("NE", "99 22"), {"text": "x", "moves": [[10**9, -5]], "visits": [[10**12, 0]]}
    )
    changes: dict[str, dict[str, Any]] = {
        "search.order": {
            "status": EVIL,
            "message": EVIL,
            "hint": EVIL,
            "title": EVIL,
            "counterexample": example,
            "said": {
                "message": [EVIL, {EVIL: EVIL}],
                "hint": ["said.a_maze", {EVIL: EVIL}],
                "counterexample.label": ["said.a_maze", {"size": [EVIL]}],
                "counterexample.expected.text": ["said.no_way", {}, EVIL],
                EVIL: EVIL,
            },
        },
        "dfs.cycles": {"status": "crashed", "message": EVIL, "counterexample": broken},
        "bfs.cycles": {"status": "failed", "message": 17, "counterexample": far | {"parts_at": [10**9, 1]}},
        "dijkstra.cycles": {"status": "failed", "counterexample": EVIL, "misconception": {"id": EVIL}},
    }
    report = results(EVIL, changes, title=EVIL, notes=[EVIL, 3], sandbox=EVIL, isolation=EVIL, language=EVIL)
    report["exercises"][1]["output"] = EVIL * 50
    report["exercises"][2]["id"] = '"><b>'
    report["exercises"][0]["look_at"] = {
        **dict.fromkeys(("file", "message", "kind", "after"), EVIL),
        "line": 3,
        "checks": ["search.order", EVIL],
        "code": {"first": 2, "lines": [EVIL, EVIL, 3]},
    }
    report["exercises"][0]["story"] = [
        {**dict.fromkeys(("file", "text"), EVIL), "line": 3, "values": {EVIL: EVIL, "a": 3}, "said": EVIL},
        EVIL,
    ]
    report["exercises"][0]["recorded"] = {
        "check": "search.order",
        "code": {"first": 2, "lines": [EVIL, EVIL, 3]},
        "walk": [[EVIL, -1, 2**60, True, 3, [2]], EVIL, [10**9, 2]],
    }
    report["exercises"][5]["gallery"] = [{"rows": EVIL, "columns": 1, "seed": EVIL, "maze": EVIL}, None]
    report["exercises"] += [
        None,
        {"id": "dfs", "title": None, "checks": None, "score": "x", "max_score": 1e400},
    ]
    return report


SAMPLES = {"right": right, "wrong": wrong, "crashed": crashed, "timed-out": timed_out, "hostile": hostile}

if __name__ == "__main__":
    for name, make in SAMPLES.items():
        text = json.dumps(make(), indent=1, ensure_ascii=True)
        (DATA / f"{name}.json").write_text(text + "\n", encoding="utf-8")
