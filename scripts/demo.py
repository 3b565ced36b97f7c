"""What ``make demo`` shows: sample submissions graded, one right, one untouched, four wrong."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.course.plan import load_plan  # noqa: E402
from grader.grading.engine import FEEDBACK, graded  # noqa: E402
from grader.intake import read_submission  # noqa: E402
from grader.reader import reading_here  # noqa: E402
from grader.sandbox.base import choose  # noqa: E402
from tests.submissions.loader import Case  # noqa: E402

OUT = ROOT / "demo-results"

SAMPLES: dict[str, Path | Case] = {
    "the answers": ROOT / "reference",
    "the untouched template": ROOT / "student_template",
    "DFS goes West first": Case("wrong", "dfs-west-first-search"),
    "counts passages only": Case("wrong", "perfection-counts-passages-only"),
    "BFS never marks a cell": Case("wrong", "bfs-never-marks"),
    "a wrong record": Case("wrong", "search-always-updates"),
}


@reading_here()
def main() -> int:
    """Grade the samples and print a table."""
    backend, reason = choose("auto")
    print(f"Sandbox: {reason}\n")
    plan = load_plan()
    print(f"{'submission':<24} {'score':>5}  {'seconds':>7}  exercises with points lost")
    for title, sample in SAMPLES.items():
        folder = OUT / title.replace(" ", "-").lower()
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as temporary:
            path = Path(temporary) if isinstance(sample, Case) else sample
            if isinstance(sample, Case):
                sample.materialise(path)
            results = graded(read_submission(path, name=title), plan, backend, folder)
        seconds = time.perf_counter() - started
        lost = [e["title"] for e in results["exercises"] if e["score"] < e["max_score"]]
        print(f"{title:<24} {results['score']:>5g}  {seconds:>7.1f}  {', '.join(lost) or '-'}")
    page = f"{OUT.relative_to(ROOT)}/<submission>/{FEEDBACK}"
    print(f"\nThe feedback of each lies in {page}: open it in a browser.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
