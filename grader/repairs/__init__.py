"""Where the mistake stands: small edits of the student's own program that make an exercise right.

For most wrong submissions there is a single small edit that makes the exercise right, and where it stands
is where the mistake is. The edits are made here, on the text of the file, which is parsed and never run;
the box runs what comes of them, and the same judges as ever say whether it is right.
"""

from grader.repairs.operators import edits_of
from grader.repairs.searching import EditSearch, Found, ProbeCase, Repair, agreed, suspicion
from grader.repairs.source import Edit, ParsedFile, source_of

__all__ = [
    "Edit",
    "EditSearch",
    "Found",
    "ParsedFile",
    "ProbeCase",
    "Repair",
    "agreed",
    "edits_of",
    "source_of",
    "suspicion",
]
