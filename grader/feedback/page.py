"""The page of a result: its parts in order, and the HTML of the whole.

The page as one HTML file that loads nothing and runs nothing but its own script.

Theory of operation: titles, messages, outputs and mazes come from submissions, so Jinja escapes every value
that ``lab.render`` does not escape itself, no value is ever put into a style, a script or an event handler,
and the Content-Security-Policy allows the one style and the one script by their SHA-256. Code that got
through nevertheless would not run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.feedback import handout, sentences
from grader.feedback.artist import Artist
from grader.feedback.example import LookView, StateView, StoryStepView, StoryView, read_example
from grader.feedback.translation import Untranslated, translate_page
from grader.feedback.untrusted import WHOLE_LIMIT, as_line, as_lines, as_text, keep, maze, take
from grader.feedback.views import (
    Adjustment,
    AskedView,
    AskingView,
    CheckView,
    ExerciseView,
    FirstCheck,
    GalleryMaze,
    Lateness,
    LineCommentView,
    MarkView,
    OwnMazesView,
    OwnMazeView,
    Page,
    RemarkView,
)
from grader.languages import catalogue
from grader.model import (
    AdjustedJson,
    CheckJson,
    CommentJson,
    ExerciseJson,
    LateJson,
    LookAtJson,
    MarkJson,
    OwnMazeJson,
    OwnMazesJson,
    RemarkJson,
    RequestsJson,
    ResultsJson,
    StateStepJson,
    StoryStepJson,
)
from lab.exercises import BY_ID
from lab.render import costs, layout, marks, story
from lab.render.page import asset, page_style, sha256

OUTPUT_LIMIT = 16_000
"""How many characters of an exercise's output are shown."""


def read_page(results: Mapping[str, object]) -> Page:
    """Read results.json without trusting it, omitting missing or malformed values.

    What is kept of it is of its types, but any key may be missing.
    """
    kept = cast(ResultsJson, keep(results, ResultsJson))
    remarks, said = kept.get("intake", []), kept.get("said", {})
    notes = tuple(
        RemarkView(text, {"message": said.get(f"notes.{number}")})
        for number, text in enumerate(as_lines(kept.get("notes", [])))
    )
    told: Mapping[str, Any] = kept.get("withdrawn", {})
    withdrawn = {id_: as_text(each.get("reason", "")) for id_, each in told.get("checks", {}).items()}
    people = People(withdrawn, _points_before(kept))
    at_lines = tuple(_read_line_comment(each) for each in kept.get("comments", []) if "file" in each)
    found_exercises = [_read_exercise(each, people, at_lines) for each in kept.get("exercises", [])]
    exercises = _with_unique_ids(found_exercises)
    of_exercises = {each for exercise in exercises for each in exercise.line_comments}
    # the remark about other work handed in, or the note that nothing could be read
    found = next((_read_remark(remark) for remark in remarks if remark.get("kind") == "refused"), None)
    nothing = notes and all(exercise.state == "missing" for exercise in exercises)
    return Page(
        submission=as_line(kept.get("submission", "")) or "–",
        title=as_line(kept.get("title", "")),
        language=as_line(kept.get("language", "")) or "en",
        score=kept.get("score", 0.0),
        max_score=kept.get("max_score", 0.0),
        sandbox=as_line(kept.get("sandbox", "")),
        isolation=as_line(kept.get("isolation", "")),
        notes=notes,
        intake=tuple(map(_read_remark, remarks)),
        refused=found or (notes[0] if nothing and not remarks else None),
        late=_read_lateness(kept["late"]) if "late" in kept else None,
        adjusted=_read_adjustment(kept["adjusted"]) if "adjusted" in kept else None,
        comments=tuple(
            filter(None, (as_text(c.get("text", "")) for c in kept.get("comments", []) if "file" not in c))
        ),
        asking=_read_requests(kept["requests"]) if "requests" in kept else AskingView(),
        exercises=exercises,
        other_line_comments=tuple(each for each in at_lines if each not in of_exercises),
        earlier_comments=tuple(
            (each.get("attempt", 0), each.get("count", 0)) for each in kept.get("earlier_comments", [])
        ),
    )


def _read_requests(source: RequestsJson) -> AskingView:
    return AskingView(
        requests=tuple(
            AskedView(
                check=as_line(each.get("check", "")),
                state=each.get("state", "open"),
                words=as_text(each.get("words", "")),
                reply=as_text(each.get("reply", "")),
                answer=as_text(each.get("answer", "")),
                who=as_line(each.get("who", "")),
                points=each.get("points", 0.0),
            )
            for each in source.get("asked", [])
        ),
        attempt=as_line(source.get("attempt", "")),
        days=source.get("days", 0),
        mail=as_line(source.get("mail", "")),
    )


def _read_remark(source: RemarkJson) -> RemarkView:
    return RemarkView(as_text(source.get("message", "")), source.get("said", {}))


def _read_line_comment(source: CommentJson) -> LineCommentView:
    return LineCommentView(
        file=as_line(source.get("file", "")),
        line=source.get("line", 0),
        source=as_line(source.get("source", "")),
        text=as_text(source.get("text", "")),
    )


def _read_lateness(source: LateJson) -> Lateness:
    deadline = as_line(source.get("deadline", ""))[:16].replace("T", " ")
    return Lateness(source.get("days", 0), source.get("taken", 0.0), deadline, source.get("unknown", False))


def _read_adjustment(source: AdjustedJson) -> Adjustment:
    words = (
        as_text(decision.get(key, ""))
        for decision in source.get("decisions", [])
        for key in ("reason", "comment")
    )
    before: Mapping[str, Any] = source.get("before", {})
    return Adjustment(before.get("score", 0.0), source.get("exempt", False), tuple(filter(None, words)))


def find_first_check(page: Page) -> FirstCheck | None:
    """Return the first check of the exercise on which most others hang; None if nothing is left to do.

    What is not written yet is written in the order of the handout.
    """
    left = [each for each in page.exercises if each.to_do]
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
    if exercise.state == "unwritten":
        return 0
    return max(_count_dependents(page, exercise, check) for check in exercise.open)


def _count_dependents(page: Page, exercise: ExerciseView, check: CheckView) -> int:
    """Count the open checks with the same cause, and those of solvers that depend on this exercise.

    A check that a solver failed even with a working Search does not depend on the student's own.
    """
    others = [other for other in exercise.open if other is not check]
    alike = sum(_same_cause(check, other) for other in others)
    built = [other for other in page.exercises if other.blames_search] if _count_built(page, exercise) else []
    return alike + sum(len(other.open) for other in built)


def _same_cause(one: CheckView, other: CheckView) -> bool:
    if one.misconception and one.misconception == other.misconception:
        return True
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


@dataclass(frozen=True, slots=True)
class People:
    """What people decided about checks, by the check."""

    withdrawn: Mapping[str, str]
    """Why it was withdrawn for everybody."""
    points_before: Mapping[str, float]
    """Its points before a person changed them."""


def _points_before(kept: ResultsJson) -> Mapping[str, float]:
    before: Mapping[str, Any] = kept.get("adjusted", {}).get("before", {})
    return {as_line(id_): points for id_, points in before.get("checks", {}).items()}


def _files_of(source: ExerciseJson, id_: str) -> set[str]:
    """Return the file of an exercise; of one that is not known here, those that the result names."""
    if id_ in BY_ID:
        return {BY_ID[id_].file}
    return {as_line(each.get("file", "")) for each in (*source.get("story", []), *source.get("remarks", []))}


def _read_exercise(
    source: ExerciseJson, people: People, at_lines: Sequence[LineCommentView] = ()
) -> ExerciseView:
    output, id_ = source.get("output", ""), as_line(source.get("id", ""))
    return ExerciseView(
        id=id_,
        title=as_line(source.get("title", "")) or id_,
        score=source.get("score", 0.0),
        max_score=source.get("max_score", 0.0),
        zeroed=source.get("zeroed", False),
        checks=_mark_unwritten([_read_check(check, people) for check in source.get("checks", [])]),
        output=as_text(output[:OUTPUT_LIMIT], limit=OUTPUT_LIMIT),
        output_left=max(0, len(output) - OUTPUT_LIMIT),
        gallery=tuple(filter(None, map(_read_gallery_maze, source.get("gallery", [])[:12]))),
        look_at=_read_look(source["look_at"]) if "look_at" in source else None,
        story=_read_story(source),
        own_mazes=_read_own_mazes(source["own_mazes"]) if "own_mazes" in source else None,
        remarks=tuple(
            RemarkView(as_text(each.get("text", "")), each.get("said", {}))
            for each in source.get("remarks", [])
        ),
        line_comments=tuple(each for each in at_lines if each.file in _files_of(source, id_)),
        handed_in=source["handed_in"].get("html", "") if "handed_in" in source else "",
    )


def _read_own_mazes(source: OwnMazesJson) -> OwnMazesView | None:
    mazes = tuple(map(_read_own_maze, source.get("mazes", [])))
    if not mazes:
        return None
    return OwnMazesView(mazes, source.get("mistake_count", 0), source.get("caught_count", 0))


def _read_own_maze(source: OwnMazeJson) -> OwnMazeView:
    return OwnMazeView(
        file=as_line(source.get("file", "")),
        maze=maze(source.get("maze")),
        caught=as_lines(source.get("caught", [])),
        alone=as_lines(source.get("alone", [])),
        message=as_text(source.get("message", "")),
        said=source.get("said", {}),
    )


def _read_look(source: LookAtJson) -> LookView | None:
    if "line" not in source:
        return None
    first, code = _read_code(source)
    return LookView(
        file=as_line(source.get("file", "")),
        line=source["line"],
        after=source.get("after", False),
        message=as_text(source.get("message", "")),
        checks=as_lines(source.get("checks", [])),
        first=first,
        code=code,
        edit=as_lines(source.get("edit", [])),
        said=source.get("said", {}),
    )


def _read_code(source: Mapping[str, Any]) -> tuple[int, tuple[str, ...]]:
    code = source.get("code", {})
    return code.get("first") or 1, as_lines(code.get("lines", []))


def _read_story(source: ExerciseJson) -> StoryView | None:
    steps, recorded = source.get("story"), source.get("recorded")
    if not steps or recorded is None:
        return None
    file, (first, code) = as_line(steps[0].get("file", "")), _read_code(recorded)
    return StoryView(
        check=as_line(recorded.get("check", "")),
        file=file,
        steps=tuple(_read_story_step(step, file) for step in steps),
        first=first,
        code=code,
        walk=tuple(
            tuple(line for line in lines if 0 < line < WHOLE_LIMIT) for lines in recorded.get("walk", [])
        ),
        states=tuple(map(_read_state, recorded.get("states", []))),
    )


def _read_state(source: StateStepJson) -> StateView:
    came, due = (
        as_lines([f"{name} = {value}" for name, value in held.items()])
        for held in (source.get("came", {}), source.get("due", {}))
    )
    return StateView(source.get("step", 0), as_line(source.get("call", "")), came, due)


def _read_story_step(source: StoryStepJson, file: str) -> StoryStepView:
    own = as_line(source.get("file", ""))
    return StoryStepView(
        line=source.get("line"),
        text=as_text(source.get("text", "")),
        values={as_line(name): as_line(value) for name, value in source.get("values", {}).items()},
        said=source.get("said", {}),
        file="" if own == file else f"{own}, ",
    )


def _mark_unwritten(checks: Sequence[CheckView]) -> tuple[CheckView, ...]:
    """Mark hidden checks as unwritten if all the visible ones are."""
    shown = [check for check in checks if check.fault is not None or not check.hidden]
    if not shown or not all(check.unwritten for check in shown):
        return tuple(checks)
    return tuple(replace(check, unwritten=check.status in ("crashed", "failed")) for check in checks)


def _read_check(source: CheckJson, people: People) -> CheckView:
    status, case = source.get("status", "failed"), source.get("counterexample")
    example = None if case is None or status == "passed" else read_example(case)
    fault = None if example is None else example.actual.fault
    unwritten = status == "crashed" and fault is not None and fault.kind == "NotImplementedError"
    identity, model = as_line(source.get("id", "")), source.get("misconception")
    return CheckView(
        id=identity,
        title=as_line(source.get("title", "")) or identity,
        status=status,
        score=source.get("score", 0.0),
        max_score=source.get("max_score", 0.0),
        hidden=source.get("visibility") == "hidden",
        message=as_text(source.get("message", "")),
        hint=as_text(source.get("hint", "")),
        misconception="" if model is None else as_line(model.get("id", "")) or "–",
        example=None if status == "missing" or unwritten else example,
        fault=fault,
        unwritten=unwritten,
        follow_through=source.get("follow_through", False),
        counted=(case or {}).get("counted") is True,
        withdrawn=identity in people.withdrawn,
        reason=people.withdrawn.get(identity, ""),
        score_before=people.points_before.get(identity),
        criteria=tuple((as_line(each["text"]), each["points"]) for each in source.get("criteria", [])),
        marks=tuple(map(_read_mark, source.get("marks", []))),
        said=source.get("said", {}),
    )


def _read_mark(source: MarkJson) -> MarkView:
    return MarkView(as_lines(source["criteria"]), source["more"], as_text(source["reason"]))


def _read_gallery_maze(source: Mapping[str, Any]) -> GalleryMaze | None:
    made = maze(source.get("maze"))
    if made is None:
        return None
    size = made.dimension
    return GalleryMaze(size.row_count, size.column_count, take(source, "seed", int), made)


_ENGLISH = Markup(' lang="en"')
_WORDS = (
    *(("player", name) for name in layout.PLAYER),
    ("story", "heading"),
    ("story", "line"),
    ("look", "follows"),
    *(("marks", name) for name in marks.WORDS),
)
"""The texts of the page that ``lab.render`` puts on it, as parts and names of the catalogues."""


def render_html(results: Mapping[str, object], *, language: str | None = None) -> str:
    """Render parsed results.json as a page in the given language, by default that of the results."""
    read = read_page(results)
    t = catalogue(language or read.language)
    page = translate_page(read, t)
    style, script = page_style(), asset("page.js")
    first = None if page.refused else find_first_check(page)
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            page=page,
            first=first,
            words={name: t.get(f"{part}.{name}") for part, name in _WORDS},
            t=t,
            sentences=sentences,
            artist=Artist(t, [exercise.id for exercise in page.exercises]),
            compare=handout.compare_with_lab,
            symbols=asset("symbols.svg"),
            style=style,
            script=script,
            style_hash=sha256(style),
            script_hash=sha256(script),
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grader.feedback"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        anchor=_anchor, lang=_lang, layout=layout, costs_html=costs, marks_html=marks, story_html=story
    )
    environment.filters["as_link"] = lambda text: "data:text/plain;charset=utf-8," + quote(text, safe="+|")
    return environment


def _anchor(check: CheckView, exercise: ExerciseView) -> str:
    """Return the anchor of a check on the page."""
    return f"{exercise.id}-{exercise.checks.index(check) + 1}"


def _lang(text: str) -> Markup:
    """Return the attribute of a text that is in another language than the page."""
    return _ENGLISH if isinstance(text, Untranslated) else Markup()
