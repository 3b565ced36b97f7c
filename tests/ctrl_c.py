"""Ctrl-C for the programs that tests start."""

from __future__ import annotations

import signal


def heed_ctrl_c() -> None:
    """Call this in a new process: a shell starts what runs in the background, such as tests, deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
