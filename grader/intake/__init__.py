"""Reads what was handed in, without trusting it.

A class comes as a folder or as a platform's download, which ``bulk_download`` unpacks; ``class_listing``
finds out who handed in what (with ``class_folder``, ``sections`` and ``git_history``), and ``hand_ins`` reads
the attempt that counts. One submission is read by ``submissions``: a folder (``files``) or an archive
(``archives``, ``tars``) lists entries with clean names, and ``selection`` reads those that belong to the
submission, up to the caps; ``attempts`` keeps those of several attempts apart. Where files are not where the
lab expects them, ``source_files`` finds them, ``candidates`` decides which file is meant for which exercise,
and ``placement`` moves it there.
"""

from grader.errors import Candidate
from grader.intake.files import Caps
from grader.intake.names import safe_name, submission_name
from grader.intake.submissions import is_submission_archive, read_submission

__all__ = ["Candidate", "Caps", "is_submission_archive", "read_submission", "safe_name", "submission_name"]
