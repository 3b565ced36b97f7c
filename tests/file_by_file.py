"""Which worker runs which tests, where several run them side by side."""

from __future__ import annotations

from xdist.scheduler import LoadFileScheduling

from tests.running_order import SPREAD


class FileByFile(LoadFileScheduling):  # type: ignore[misc] # it comes without types
    """Keeps the tests of a file on one worker, since they share what is costly to set up."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return nodeid if file.endswith(SPREAD) else file
