"""Read results.json into a page: the content that HTML, plain text and Markdown share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

from grader.feedback import untrusted
from grader.feedback.example import read_example
from grader.feedback.source_views import LookView, StoryStepView, StoryView
from grader.feedback.views import (
    Adjustment,
    CheckView,
    ExerciseView,
    FirstCheck,
    GalleryMaze,
    Lateness,
    OwnMazesView,
    OwnMazeView,
    Page,
    RemarkView,
)
from grader.model import Status
from lab.exercises import BY_ID

OUTPUT_LIMIT = 16_000
"""How many characters of an exercise's output are shown."""
STATUSES: tuple[str, ...] = get_args(Status)


def read_page(results: Mapping[str, object]) -> Page:
    """Read results.json without trusting it, omitting missing or malformed values."""
    remarks, notes = untrusted.tables(results, "intake"), untrusted.texts(results, "notes")
    sources, withdrawn = untrusted.tables(results, "exercises"), _read_withdrawals(results)
    exercises = _with_unique_ids([_read_exercise(source, withdrawn) for source in sources])
    return Page(
        submission=untrusted.line(results, "submission") or "–",
        title=untrusted.line(results, "title"),
        language=untrusted.line(results, "language") or "en",
        score=untrusted.number(results, "score"),
        max_score=untrusted.number(results, "max_score"),
        sandbox=untrusted.line(results, "sandbox"),
        isolation=untrusted.line(results, "isolation"),
        notes=notes,
        intake=tuple(map(_read_remark, remarks)),
        refused=_read_refusal(remarks, exercises, notes),
        late=_read_lateness(untrusted.table(results, "late")),
        adjusted=_read_adjustment(untrusted.table(results, "adjusted")),
        comments=tuple(
            filter(None, (untrusted.text(each, "text") for each in untrusted.tables(results, "comments")))
        ),
        exercises=exercises,
    )


def _read_remark(source: Mapping[str, object]) -> RemarkView:
    return RemarkView(untrusted.text(source, "message"), untrusted.table(source, "said") or {})


def _read_refusal(
    remarks: Sequence[Mapping[str, object]], exercises: Sequence[ExerciseView], notes: Sequence[str]
) -> RemarkView | None:
    """Return the remark about other work handed in, or the note that nothing could be read."""
    found = next((_read_remark(remark) for remark in remarks if remark.get("kind") == "refused"), None)
    nothing = notes and all(exercise.state == "missing" for exercise in exercises)
    return found or (RemarkView(notes[0], {}) if nothing and not remarks else None)


def _read_lateness(source: Mapping[str, object] | None) -> Lateness | None:
    if source is None:
        return None
    deadline = untrusted.line(source, "deadline")[:16].replace("T", " ")
    return Lateness(untrusted.whole(source, "days") or 0, untrusted.number(source, "taken"), deadline)


def _read_adjustment(source: Mapping[str, object] | None) -> Adjustment | None:
    if source is None:
        return None
    decisions = untrusted.tables(source, "decisions")
    words = (untrusted.text(decision, key) for decision in decisions for key in ("reason", "comment"))
    before = untrusted.table(source, "before") or {}
    return Adjustment(
        untrusted.number(before, "score"), source.get("exempt") is True, tuple(filter(None, words))
    )


def _read_withdrawals(results: Mapping[str, object]) -> dict[str, str]:
    """Return the reasons for withdrawn checks, by check id."""
    checks = untrusted.table(untrusted.table(results, "withdrawn") or {}, "checks") or {}
    return {str(id_): untrusted.text(untrusted.table(checks, id_) or {}, "reason") for id_ in checks}


def find_first_check(page: Page) -> FirstCheck | None:
    """Return the first check of the exercise on which most others hang; None if no check is open."""
    left = [exercise for exercise in page.exercises if exercise.open]
    if not left:
        return None
    exercise = max(left, key=lambda each: (_count_built(page, each), _count_most_dependents(page, each)))
    check = exercise.cards[0]
    return FirstCheck(exercise, check, _count_dependents(page, exercise, check))


def _count_built(page: Page, exercise: ExerciseView) -> int:
    """Count the exercises that stand on the student's own Search, if this one is that Search."""
    is_search = exercise.id in BY_ID and BY_ID[exercise.id].kind == "script"
    return is_search * sum(other.blames_search or other.follows_through for other in page.exercises)


def _count_most_dependents(page: Page, exercise: ExerciseView) -> int:
    return max(_count_dependents(page, exercise, check) for check in exercise.open)


def _count_dependents(page: Page, exercise: ExerciseView, check: CheckView) -> int:
    """Count the open checks with the same cause, and those of solvers that depend on this exercise.

    A misconception explains the whole exercise, so every other check there depends on it. A check that a
    solver failed even with a working Search does not depend on the student's own.
    """
    others = [other for other in exercise.open if other is not check]
    alike = sum(check.is_likely or _same_cause(check, other) for other in others)
    built = [other for other in page.exercises if other.blames_search] if _count_built(page, exercise) else []
    return alike + sum(len(other.open) for other in built)


def _same_cause(one: CheckView, other: CheckView) -> bool:
    if one.status != other.status:
        return False
    if one.status in ("missing", "endless", "timeout", "not-asked"):
        return True
    if one.fault is None or other.fault is None:
        return False
    return one.fault.kind == other.fault.kind and one.fault.trace[-1:] == other.fault.trace[-1:]


def _with_unique_ids(exercises: Sequence[ExerciseView]) -> tuple[ExerciseView, ...]:
    """Make exercise ids unique and valid as anchors of the page."""
    known: dict[str, ExerciseView] = {}
    for number, exercise in enumerate(exercises, start=1):
        name = exercise.id if exercise.id.isidentifier() and exercise.id not in known else f"exercise{number}"
        known[name] = replace(exercise, id=name)
    return tuple(known.values())


def _read_exercise(source: Mapping[str, object], withdrawn: Mapping[str, str]) -> ExerciseView:
    output = source.get("output")
    output = output if isinstance(output, str) else ""
    return ExerciseView(
        id=untrusted.line(source, "id"),
        title=untrusted.line(source, "title") or untrusted.line(source, "id"),
        score=untrusted.number(source, "score"),
        max_score=untrusted.number(source, "max_score"),
        zeroed=source.get("zeroed") is True,
        checks=_mark_unwritten(
            [_read_check(check, withdrawn) for check in untrusted.tables(source, "checks")]
        ),
        output=untrusted.as_text(output[:OUTPUT_LIMIT], limit=OUTPUT_LIMIT),
        output_left=max(0, len(output) - OUTPUT_LIMIT),
        gallery=tuple(filter(None, map(_read_gallery_maze, untrusted.tables(source, "gallery")[:12]))),
        look_at=_read_look(untrusted.table(source, "look_at")),
        story=_read_story(source),
        own_mazes=_read_own_mazes(untrusted.table(source, "own_mazes")),
        remarks=tuple(
            RemarkView(untrusted.text(each, "text"), untrusted.table(each, "said") or {})
            for each in untrusted.tables(source, "remarks")
        ),
    )


def _read_own_mazes(source: Mapping[str, object] | None) -> OwnMazesView | None:
    mazes = tuple(map(_read_own_maze, untrusted.tables(source or {}, "mazes")))
    if source is None or not mazes:
        return None
    mistake_count, caught_count = (
        untrusted.whole(source, key) or 0 for key in ("mistake_count", "caught_count")
    )
    return OwnMazesView(mazes, mistake_count, caught_count)


def _read_own_maze(source: Mapping[str, object]) -> OwnMazeView:
    return OwnMazeView(
        file=untrusted.line(source, "file"),
        maze=untrusted.maze(source.get("maze")),
        caught=untrusted.texts(source, "caught"),
        alone=untrusted.texts(source, "alone"),
        message=untrusted.text(source, "message"),
        said=untrusted.table(source, "said") or {},
    )


def _read_look(source: Mapping[str, object] | None) -> LookView | None:
    line = None if source is None else untrusted.whole(source, "line")
    if source is None or line is None:
        return None
    code = untrusted.table(source, "code") or {}
    return LookView(
        file=untrusted.line(source, "file"),
        line=line,
        after=source.get("after") is True,
        message=untrusted.text(source, "message"),
        checks=untrusted.texts(source, "checks"),
        first=untrusted.whole(code, "first") or 1,
        code=untrusted.texts(code, "lines"),
        edit=untrusted.texts(source, "edit"),
        said=untrusted.table(source, "said") or {},
    )


def _read_story(source: Mapping[str, object]) -> StoryView | None:
    steps, recorded = untrusted.tables(source, "story"), untrusted.table(source, "recorded")
    if not steps or recorded is None:
        return None
    code, walk = untrusted.table(recorded, "code") or {}, recorded.get("walk")
    first, lines = untrusted.whole(code, "first") or 1, untrusted.texts(code, "lines")
    file = untrusted.line(steps[0], "file")
    return StoryView(
        check=untrusted.line(recorded, "check"),
        file=file,
        steps=tuple(_read_story_step(step, file) for step in steps),
        first=first,
        code=lines,
        walk=tuple(map(untrusted.wholes, walk[: untrusted.ITEMS_LIMIT])) if isinstance(walk, list) else (),
    )


def _read_story_step(source: Mapping[str, object], file: str) -> StoryStepView:
    own = untrusted.line(source, "file")
    line, values = untrusted.whole(source, "line"), untrusted.table(source, "values") or {}
    return StoryStepView(
        line=line,
        text=untrusted.text(source, "text"),
        values={untrusted.as_line(name): untrusted.line(values, name) for name in values},
        said=untrusted.table(source, "said") or {},
        file="" if own == file else f"{own}, ",
    )


def _mark_unwritten(checks: Sequence[CheckView]) -> tuple[CheckView, ...]:
    """Mark hidden checks as unwritten if all the visible ones are."""
    shown = [check for check in checks if check.fault is not None or not check.hidden]
    if not shown or not all(check.unwritten for check in shown):
        return tuple(checks)
    return tuple(replace(check, unwritten=check.status in ("crashed", "failed")) for check in checks)


def _read_check(source: Mapping[str, object], withdrawn: Mapping[str, str]) -> CheckView:
    status = source.get("status")
    case = untrusted.table(source, "counterexample")
    example = None if case is None or status == "passed" else read_example(case)
    fault = None if example is None else example.actual.fault
    unwritten = status == "crashed" and fault is not None and fault.kind == "NotImplementedError"
    identity, model = untrusted.line(source, "id"), untrusted.table(source, "misconception")
    return CheckView(
        id=identity,
        title=untrusted.line(source, "title") or identity,
        status=status if status in STATUSES else "failed",
        score=untrusted.number(source, "score"),
        max_score=untrusted.number(source, "max_score"),
        hidden=source.get("visibility") == "hidden",
        message=untrusted.text(source, "message"),
        hint=untrusted.text(source, "hint"),
        misconception="" if model is None else untrusted.line(model, "id") or "–",
        example=None if status == "missing" or unwritten else example,
        fault=fault,
        unwritten=unwritten,
        follow_through=source.get("follow_through") is True,
        counted=(untrusted.table(source, "counterexample") or {}).get("counted") is True,
        withdrawn=identity in withdrawn,
        reason=withdrawn.get(identity, ""),
        said=untrusted.table(source, "said") or {},
    )


def _read_gallery_maze(source: Mapping[str, object]) -> GalleryMaze | None:
    maze = untrusted.maze(source.get("maze"))
    if maze is None:
        return None
    return GalleryMaze(
        rows=maze.dimension.row_count,
        columns=maze.dimension.column_count,
        seed=untrusted.whole(source, "seed"),
        maze=maze,
    )
