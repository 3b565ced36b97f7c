"""The messages between the grader and a runner, under the name that the trusted side uses.

The code lies in ``grader/inside``, since it enters the box as well; the rest of the trusted side sees
it through this module.
"""

from grader.inside.budgets import CALM, COSTLY, ENDLESS, PATIENT, PRESSED, Budget, Pace
from grader.inside.wire import (
    ASKED,
    MAX_COORDINATE,
    MAX_DEPTH,
    MAX_NUMBER,
    MAX_QUESTION,
    MAX_STEPS,
    OWN,
    PROTOCOL,
    STAND_IN,
    WireError,
    decode,
    encode,
)

__all__ = [
    "ASKED",
    "CALM",
    "COSTLY",
    "ENDLESS",
    "MAX_COORDINATE",
    "MAX_DEPTH",
    "MAX_NUMBER",
    "MAX_QUESTION",
    "MAX_STEPS",
    "OWN",
    "PATIENT",
    "PRESSED",
    "PROTOCOL",
    "STAND_IN",
    "Budget",
    "Pace",
    "WireError",
    "decode",
    "encode",
]
