"""Ctrl-C for the programs that tests start."""

from __future__ import annotations

import signal


def heed_ctrl_c() -> None:
    """Make a new process react to Ctrl-C, which shells let their background processes ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
