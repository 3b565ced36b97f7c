"""The tests as Gradescope's own package runs them, in the folder of a submission; it writes results.json."""

from __future__ import annotations

import unittest
from pathlib import Path

from gradescope_utils.autograder_utils.decorators import weight
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner
from perfection_checker import PerfectionChecker  # the submission's

from benchmarks.peers.drawn import fixed
from benchmarks.peers.properties import PROPERTIES, hold


class Tests(unittest.TestCase):
    """The fixed mazes, and the properties."""

    @weight(40)  # type: ignore[untyped-decorator]
    def test_fixed(self) -> None:
        """Try the fixed mazes."""
        for maze, expected in fixed(Path.cwd()):
            assert PerfectionChecker().is_perfect(maze) is expected  # noqa: S101

    @weight(60)  # type: ignore[untyped-decorator]
    def test_properties(self) -> None:
        """Try the properties."""
        for name in PROPERTIES:
            hold(lambda maze: PerfectionChecker().is_perfect(maze), name)


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Tests)
    with Path("results.json").open("w", encoding="utf-8") as stream:
        result = JSONTestRunner(visibility="visible", stream=stream).run(suite)
    raise SystemExit(0 if result.wasSuccessful() else 1)
