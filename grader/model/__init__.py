"""The values that travel through the grader; all frozen.

Submission ─ intake        what was handed in, as file contents
Call       ─ checks        one thing to do with the submission
Claim      ─ session       what came back: believed by nobody yet
Verdict    ─ oracle        what a judge made of it, for one check
Report     ─ engine        all verdicts of one submission, with points
"""

from grader.model.calls import (
    Arguments,
    Ask,
    Call,
    Generate,
    Given,
    IsPerfect,
    Limits,
    RunScript,
    Solve,
    Step,
    Submission,
    Target,
    plain_arguments,
)
from grader.model.claims import Claim, ClaimValue, Fault, Frame, Outcome, Spent
from grader.model.json import Json, Telling
from grader.model.remarks import Remark, RemarkKind, note
from grader.model.reports import (
    CheckResult,
    ExerciseResult,
    LookAt,
    Margin,
    Report,
    Status,
    Verdict,
    Visibility,
    Walk,
)
from grader.model.results_json import (
    AdjustedJson,
    BeforeJson,
    BeforeWithdrawnJson,
    CheckJson,
    CommentJson,
    ExerciseJson,
    LateJson,
    LookAtJson,
    RemarkJson,
    RepairCostJson,
    ResultsJson,
    StaffJson,
    WithdrawnJson,
)

__all__ = [
    "AdjustedJson",
    "Arguments",
    "Ask",
    "BeforeJson",
    "BeforeWithdrawnJson",
    "Call",
    "CheckJson",
    "CheckResult",
    "Claim",
    "ClaimValue",
    "CommentJson",
    "ExerciseJson",
    "ExerciseResult",
    "Fault",
    "Frame",
    "Generate",
    "Given",
    "IsPerfect",
    "Json",
    "LateJson",
    "Limits",
    "LookAt",
    "LookAtJson",
    "Margin",
    "Outcome",
    "Remark",
    "RemarkJson",
    "RemarkKind",
    "RepairCostJson",
    "Report",
    "ResultsJson",
    "RunScript",
    "Solve",
    "Spent",
    "StaffJson",
    "Status",
    "Step",
    "Submission",
    "Target",
    "Telling",
    "Verdict",
    "Visibility",
    "Walk",
    "WithdrawnJson",
    "note",
    "plain_arguments",
]
