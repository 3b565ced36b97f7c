"""The messages between the grader and a runner, under the name that the trusted side uses.

The code lies in ``grader/inside``, since it enters the box as well; the rest of the trusted side sees
it through this module.
"""

from grader.inside.time_budget import CALM, COSTLY, HURRIED, PRESSED, TimeBudget
from grader.inside.wire import (
    MAX_COORDINATE,
    MAX_DEPTH,
    MAX_NUMBER,
    PROTOCOL,
    WireError,
    decode,
    encode,
)

__all__ = [
    "CALM",
    "COSTLY",
    "HURRIED",
    "MAX_COORDINATE",
    "MAX_DEPTH",
    "MAX_NUMBER",
    "PRESSED",
    "PROTOCOL",
    "TimeBudget",
    "WireError",
    "decode",
    "encode",
]
