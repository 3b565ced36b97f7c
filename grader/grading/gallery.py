"""Some mazes of a generator that makes any, to be shown."""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.base import Case
from grader.grading.trial import MakeCalls
from grader.model import Claim, Generate, Json
from grader.oracle.generator import judge_dimension, made


def gallery_of(cases: Sequence[Case], make_calls: MakeCalls) -> tuple[dict[str, Json], ...]:
    """The mazes that the calls make, as results.json shows them; those of another size are left out."""
    calls = [case.call for case in cases]
    claims = make_calls(calls, False)
    pictures = (_picture(call.asked(Generate), claim) for call, claim in zip(calls, claims, strict=True))
    return tuple(picture for picture in pictures if picture is not None)


def _picture(asked: Generate, claim: Claim) -> dict[str, Json] | None:
    """A maze of the gallery, with what it takes to make it again; None where it is none of that size."""
    if judge_dimension(asked, claim) is not None:
        return None
    (maze,) = made(claim)
    return {"rows": asked.rows, "columns": asked.columns, "seed": asked.seed, "maze": maze.text}
