"""Reading what was handed in, without trusting it.

A source (a folder, a zip, a tar) lists entries with clean names; a selection of them, read up to
the caps, makes a submission. What a learning platform wraps around archives is unwrapped before.
"""

from grader.intake.files import Caps
from grader.intake.names import safe_name, submission_name
from grader.intake.submissions import is_submission_archive, read_submission

__all__ = ["Caps", "is_submission_archive", "read_submission", "safe_name", "submission_name"]
