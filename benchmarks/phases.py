"""How much of its places a batch uses, though what is shown and what is hidden are graded apart.

    python -m benchmarks.phases [--jobs 2 4 8 16] [--each 20] [--faster 3]

The gate is the real one; the submissions sleep instead of working, so that a machine of two cores can
tell what one of sixteen would do. They take what was measured on slow cores: of twenty, thirteen take
some 1.6 seconds for what is shown, six from one to fifteen, one eight, and all of them 0.7 for what is
hidden; a round of calls takes 0.15. Everything is three times as fast here.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing.queues import SimpleQueue
from typing import Final

from benchmarks.batch_class import MIX
from grader.batch.phase_gate import PhaseGate, named_gate, shared_seconds
from grader.batch.workers import workers_for

ROUND_SECONDS: Final = 0.15
HIDDEN_SECONDS: Final = 0.7
_CONTEXT: Final = multiprocessing.get_context("fork")


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--jobs", nargs="*", type=int, default=[2, 4, 8, 16])
    parser.add_argument("--each", type=int, default=20, help="submissions for each job")
    parser.add_argument("--faster", type=float, default=3.0)
    options = parser.parse_args()
    print("jobs   places used, one worker for each   with workers to spare")
    for jobs in options.jobs:
        class_ = [seconds / options.faster for seconds in shown_seconds(jobs * options.each)]
        used = [share_used(jobs, workers, class_, options.faster) for workers in (jobs, workers_for(jobs))]
        print(f"{jobs:>4}   {used[0]:>32.2f}   {used[1]:>21.2f}", flush=True)
    return 0


def shown_seconds(count: int) -> Iterator[float]:
    """Yield the seconds that each submission's shown phase takes."""
    lot = random.Random(1)
    takes = {
        "right": lambda: 1.3 * lot.uniform(0.8, 1.6),
        "wrong": lambda: min(15.0, 2.0 * lot.lognormvariate(0.3, 0.6)),
        "loop": lambda: 8.0 * lot.uniform(0.6, 1.5),
    }
    for _ in range(count):
        yield takes[lot.choice(MIX)]()


def share_used(jobs: int, workers: int, class_: Sequence[float], faster: float) -> float:
    """Return the submissions' seconds as a share of the seconds in which places are available."""
    left: SimpleQueue[float | None] = _CONTEXT.SimpleQueue()
    with named_gate() as gate:
        crew = [
            _CONTEXT.Process(target=_work, args=(gate, jobs, faster, left), daemon=True)
            for _ in range(workers)
        ]
        started = time.monotonic()
        for worker in crew:
            worker.start()
        for seconds in (*class_, *[None] * workers):
            left.put(seconds)
        for worker in crew:
            worker.join()
    whole = sum(class_) + len(class_) * HIDDEN_SECONDS / faster
    return whole / jobs / (time.monotonic() - started)


def _work(name: str, jobs: int, faster: float, left: SimpleQueue[float | None]) -> None:
    gate = PhaseGate(name, shared_seconds(), jobs)
    while (shown := left.get()) is not None:
        gate.show()
        while shown > 0:
            gate.step_aside()
            time.sleep(min(shown, ROUND_SECONDS / faster))
            shown -= ROUND_SECONDS / faster
        gate.hide()
        time.sleep(HIDDEN_SECONDS / faster)
        gate.leave()


if __name__ == "__main__":
    sys.exit(main())
