"""Reads what was handed in, without trusting it.

A class comes as a folder or as a platform's download, which ``bulk_download`` unpacks; ``class_listing``
finds out who handed in what (with ``git_history``). One hand-in is read by ``submissions``: a folder
(``files``) or an archive (``archives``) lists entries with clean names. ``selection`` finds the code among
them, ``choice`` decides which attempt and which file counts (by ``candidates``), or asks a person,
``placement`` puts the files where the lab expects them, and ``selection`` reads them and what belongs to
them, up to the caps.
"""

from grader.intake.files import Caps
from grader.intake.names import safe_name, submission_name
from grader.intake.submissions import is_submission_archive, read_submission

__all__ = ["Caps", "is_submission_archive", "read_submission", "safe_name", "submission_name"]
