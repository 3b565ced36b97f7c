"""Sentences that all forms of the page share: results in words, in the page's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from grader.feedback.example import Example, Side, SourceView, StoryView
from grader.feedback.handout import find_passage
from grader.feedback.search_replay import SearchState
from grader.feedback.views import (
    CheckView,
    ExerciseView,
    FirstCheck,
    LineCommentView,
    OwnMazesView,
    OwnMazeView,
    Page,
    find_idea,
)
from grader.languages import Catalogue
from grader.model import Fault, Frame
from lab import MOVES, Maze, Vector
from lab.costs import has_costs
from lab.exercises import SOLVER_IDS
from lab.render import costs
from lab.render.board import Drawing

SHOWN = 60
"""The most cells or moves that are listed."""
OPENINGS = 64
"""Up to this many cells, the openings of mazes are listed as well."""


def cell(position: Vector) -> str:
    """Format a position as the lab does."""
    return f"({position.row}, {position.column})"


def cells(positions: Sequence[Vector], t: Catalogue) -> str:
    """List positions."""
    return _join_some([cell(position) for position in positions], t)


def moves(vectors: Sequence[Vector], t: Catalogue) -> str:
    """List moves by their names."""
    return _join_some([t(f"move.{Vector(*move).name}") for move in vectors if move in MOVES], t)


def _join_some(parts: list[str], t: Catalogue) -> str:
    more = [t("picture.more", count=len(parts))] if len(parts) > SHOWN else []
    return ", ".join(parts[:SHOWN] + more)


def score(page: Page, t: Catalogue) -> str:
    """Say what the mark is, or that there is none."""
    if not page.has_mark:
        return t("page.no_mark")
    if not page.open_points:
        return t("page.score", score=t.number(page.score), max=t.number(page.max_score))
    left = page.max_score - page.open_points
    key = "page.score_so_far_one" if page.open_points == 1 else "page.score_so_far"
    return t(key, score=t.number(page.score), max=t.number(left), open=t.number(page.open_points))


def criteria_lines(check: CheckView, t: Catalogue) -> Iterator[str]:
    """Yield what a person marks a check by, or how persons marked it; nothing of a hidden check."""
    if check.hidden:
        return
    if not check.marks:
        yield from (f"{text} ({t.number(points)})" for text, points in check.criteria)
        return
    for text, points in check.criteria:
        count = sum(text in mark.met for mark in check.marks)
        key = "check.met" if count == len(check.marks) else "check.met_by_one" if count else "check.not_met"
        yield t(key, text=text, points=t.number(points))
    for mark in check.marks:
        if mark.more:
            key = "check.more" if mark.more > 0 else "check.fewer"
            yield t(key, points=t.number(abs(mark.more)), reason=mark.reason)


def summary(page: Page, t: Catalogue) -> str:
    """Summarise the state of the submission in a sentence."""
    if not page.exercises:
        return t("page.summary_empty")
    if page.refused:
        return t("page.summary_decided" if page.adjusted else "page.summary_refused")
    return " ".join(filter(None, (lateness(page, t), _standing(page, t))))


def lateness(page: Page, t: Catalogue) -> str:
    """Say what lateness cost and why; "" if the work was in time."""
    late = page.late
    if late is None:
        return ""
    if not late.days:
        return t("page.late_unknown" if late.is_unknown else "page.late_marked")
    points = {0.0: "none", 1.0: "one"}.get(late.taken, "many")
    taken = t(f"page.taken_{points}", points=t.number(late.taken))
    return t(
        f"page.late_{'one' if late.days == 1 else 'many'}",
        taken=taken,
        days=late.days,
        deadline=late.deadline,
    )


def adjustment(page: Page, t: Catalogue) -> str:
    """Say how people changed the mark, or what they commented; "" if neither."""
    if page.adjusted is None:
        return t("page.commented") if page.has_words else ""
    if page.adjusted.exempt:
        return t("page.adjusted_exempt")
    before, after = t.number(page.adjusted.score_before), t.number(page.score)
    if page.refused:
        return t("page.adjusted_given", after=after)
    return t("page.adjusted_same" if before == after else "page.adjusted", before=before, after=after)


def line_comment(comment: LineCommentView, t: Catalogue) -> str:
    """Name the line that a person wrote about, and say what."""
    return f"{t('page.at_line', file=comment.file, line=comment.line)}: {comment.text}"


def earlier_comments(page: Page, t: Catalogue) -> list[str]:
    """Return a sentence for each other attempt with comments at its lines."""
    return [
        t(f"page.earlier_comment{'s' if count > 1 else ''}", count=count, attempt=attempt)
        for attempt, count in page.earlier_comments
    ]


def request_lines(page: Page, t: Catalogue) -> Iterator[tuple[str, list[str]]]:
    """Yield what came of each request for another look, with the words of both."""
    titles = {check.id: check.title for exercise in page.exercises for check in exercise.checks}
    for each in page.asking.requests:
        came = each.state.replace("-", "_")
        if came == "changed":
            came = "raised" if each.points > 0 else "lowered" if each.points < 0 else "kept"
        points = t.number(abs(each.points))
        head = t(f"ask.{came}", check=titles.get(each.check, each.check), who=each.who, points=points)
        words = {"asked": each.words, "replied": each.reply, "answer": each.answer}
        yield head, [t(f"ask.{key}", words=text) for key, text in words.items() if text]


def part(check: CheckView, t: Catalogue) -> str:
    """Say why a check that failed gives a part of its points."""
    if check.score_before is not None:
        if check.score == check.score_before:
            return t("check.none_given")
        before, after = t.number(check.score_before), t.number(check.score)
        return t("check.part_given", before=before, after=after)
    if check.status == "not-asked":
        return t("check.part_asked")
    return t("check.part" if check.score >= check.max_score / 2 else "check.part_less")


def withdrawal_lines(page: Page, t: Catalogue) -> list[str]:
    """Return a sentence for each withdrawn check, with the reason."""
    return [
        f"{t('page.withdrawn', check=check.title, exercise=exercise.title)} {check.reason}".rstrip()
        for exercise, check in page.withdrawn
    ]


def own_mazes_intro(found: OwnMazesView, t: Catalogue) -> str:
    """Say what the student's test mazes catch together."""
    return t("own_mazes.intro", count=found.caught_count, all=found.mistake_count)


def own_maze_result(maze: OwnMazeView, found: OwnMazesView, t: Catalogue) -> str:
    """Say what one of the student's test mazes catches, or why it does not count."""
    if maze.maze is None:
        return maze.message
    if not maze.caught:
        return t("own_mazes.catches_none")
    alone = t("own_mazes.alone", count=len(maze.alone)) if maze.alone else t("own_mazes.none_alone")
    return f"{t('own_mazes.catches', count=len(maze.caught), all=found.mistake_count)} {alone}"


def own_maze_mistakes(maze: OwnMazeView, exercise: str, t: Catalogue) -> list[tuple[str, bool]]:
    """Describe the mistakes that a maze catches, each with whether no public maze does; those come first."""
    known = [(t.get(f"mistake.{exercise}.{name}"), name in maze.alone) for name in maze.caught]
    return sorted(((words, alone) for words, alone in known if words), key=lambda told: not told[1])


def own_maze_lines(exercise: ExerciseView, t: Catalogue) -> Iterator[str]:
    """Yield a line on all of the student's mazes, one on each, and one on each mistake that is new."""
    if exercise.own_mazes is None:
        return
    yield own_mazes_intro(exercise.own_mazes, t)
    for maze in exercise.own_mazes.mazes:
        yield f"{maze.file}: {own_maze_result(maze, exercise.own_mazes, t)}"
        told = own_maze_mistakes(maze, exercise.id, t)
        yield from (f"– {words}: {t('own_mazes.new')}" for words, alone in told if alone)


def _standing(page: Page, t: Catalogue) -> str:
    done, count = len(page.complete), len(page.exercises)
    if done == count:
        return t("page.summary_all", count=count) if page.score else ""
    key = {0: "unmarked", 1: "one"}.get(page.open_count, "some")
    return t(f"page.summary_{key}", done=done, count=count, open=page.open_count)


def advice(page: Page, first: FirstCheck | None, t: Catalogue) -> tuple[str, str]:
    """Return what to do first, and why."""
    if page.refused:
        return t("first.decided" if page.adjusted else "first.refused"), page.refused.message
    if first is None:
        return t("first.all_done_cut" if page.is_cut or page.open_count else "first.all_done"), ""
    return t("first.lead", check=first.check.title, exercise=first.exercise.title), what_hangs(first, t)


def what_hangs(first: FirstCheck, t: Catalogue) -> str:
    """Say how many other checks hang on the one to begin with; nothing where none is known to."""
    if not first.dependent_count:
        return ""
    return t(f"first.hangs_{'one' if first.dependent_count == 1 else 'many'}", count=first.dependent_count)


def exercise_state(exercise: ExerciseView, t: Catalogue) -> str:
    """Say how much of an exercise is done."""
    if exercise.state == "open":
        return t("exercise.to_do", count=len(exercise.to_do), all=len(exercise.checks))
    if exercise.state == "unmarked":
        return t("status.unmarked")
    return t(f"exercise.{exercise.state}")


def first_causes(page: Page, first: FirstCheck | None, t: Catalogue) -> list[str]:
    """Say of each exercise with something left to do its points, and what it lost the first of them for."""
    return [_first_cause(exercise, t) for exercise in page.in_order(first)]


def _first_cause(exercise: ExerciseView, t: Catalogue) -> str:
    score = t("page.score", score=t.number(exercise.score), max=t.number(exercise.max_score))
    card = next(iter(exercise.cards))
    said = message(card, t).split("\n")[0] or (
        exercise_state(exercise, t) if exercise.state != "open" else t("status." + card.shown_status)
    )
    title = f"{card.title}: " if exercise.state in ("open", "unmarked") else ""
    return f"{exercise.title} ({score}): {title}{said}"


def passed_count(exercise: ExerciseView, t: Catalogue) -> str:
    """Say how many checks of an exercise pass."""
    count = len(exercise.passed)
    return t("exercise.passed_heading_one" if count == 1 else "exercise.passed_heading_many", count=count)


def passed_points(exercise: ExerciseView, t: Catalogue) -> list[tuple[str, str]]:
    """Return the title and the points of each check that passes."""
    return [
        (
            f"{check.title}: {check.message}" if check.marks else check.title,
            t("page.points", score=t.number(check.score), max=t.number(check.max_score)),
        )
        for check in exercise.passed
    ]


def message(check: CheckView, t: Catalogue) -> str:
    """Say what a check found wrong; "" for unwritten code, unless its place is known, and where a person has
    decided since about what was not looked at."""
    if check.score_before is not None and check.is_unseen:
        return ""
    if not check.unwritten or check.fault is None or not check.fault.trace:
        return "" if check.unwritten else check.message
    last = check.fault.trace[-1]
    return t("check.unwritten", function=last.function, file=last.file)


def tells_both(check: CheckView, example: Example) -> bool:
    """Return whether the message of a check holds all that is known of both sides."""
    sides = (example.expected, example.actual)
    return all(side.text in check.message and side.table is None for side in sides)


def common_cause(check: CheckView, exercise: ExerciseView, t: Catalogue) -> str:
    """List the checks that failed for the same reason; "" if there are no others."""
    alike = exercise.alike(check)
    if len(alike) == 1:
        return ""
    key = "exercise.one_cause" if exercise.one_cause else "exercise.shared_cause"
    return t(key, checks=", ".join(check.title for check in alike))


def other_findings(check: CheckView, exercise: ExerciseView, t: Catalogue) -> Sequence[tuple[str, str]]:
    """Return title and sentence of checks that failed for the same reason but found something else.

    Checks that cannot pass until most answers are right have nothing to add.
    """
    others = [other for other in exercise.alike(check)[1:] if not other.is_undone]
    told = [(other.title, message(other, t)) for other in others] if not exercise.one_cause else []
    own = message(check, t)
    return [(title, sentence) for title, sentence in told if sentence and sentence != own]


def reason_for_check(check: CheckView, t: Catalogue) -> str:
    """Say why a check matters, in its own text or else that of its exercise; a criterion says it itself."""
    if check.criteria:
        return ""
    exercise, _, name = check.id.partition(".")
    shared = [f"why.solver.{name}"] if exercise in SOLVER_IDS else []
    keys = [f"why.{exercise}.{name}", *shared, f"why.{exercise}.any"]
    return next(filter(None, map(t.get, keys)), "")


def idea(check: CheckView, exercise: ExerciseView, t: Catalogue) -> str:
    """Say which idea a check is about, and where the handout explains it; "" if none."""
    found = find_idea(check, exercise)
    if found is None:
        return ""
    shown = find_passage(found.section, t.code, [exercise.id])
    where = "" if shown is None else t("tier.handout", title=shown.title)
    return f"{t(f'idea.{found.name}')} {where}".rstrip()


def parting(example: Example, t: Catalogue) -> str:
    """Say where two visit orders, or two runs of a script, first differ."""
    if example.parting is None:
        steps = len(example.actual.steps) or len(example.expected.steps)
        is_known = example.parting_step is not None and 0 <= example.parting_step < steps
        return t("check.parting_step", step=(example.parting_step or 0) + 1) if is_known else ""
    expected, actual = example.parting.expected, example.parting.actual
    if expected is None:
        return t("check.parting_long", actual=cell(actual)) if actual is not None else ""
    if actual is None:
        return t("check.parting_short", expected=cell(expected))
    return t("check.parting_cell", expected=cell(expected), actual=cell(actual))


def progress(example: Example, t: Catalogue) -> str:
    """Say how far a search had got when it was stopped."""
    visited, pending, again = len(example.actual.visits), example.actual.pending, example.actual.revisits
    if example.actual.outside is not None:
        return t("check.went_outside", cell=cell(example.actual.outside))
    if again is not None:
        told = t(f"revisits.{again.how}", cell=cell(again.cell), times=again.times, first=cell(again.first))
        return told if pending is None else f"{told} {t('check.still_pending', pending=pending)}"
    if not visited or (pending is None and example.actual.fault is None):
        return ""
    if how := example.actual.how:
        told = t("seen.count", what=t(f"seen.{how}"), count=visited)
        return told if pending is None else f"{told} {t('check.still_pending', pending=pending)}"
    key = "check.visited_count" if pending is None else "check.pending_count"
    return t(key, visited=visited, pending=pending)


def facts(example: Example, t: Catalogue) -> list[str]:
    """Say what the pictures and tables of an example show."""
    marked = (("cycle", example.cycle), ("unreachable", example.islands))
    found = [t("picture.digits")] if example.maze is not None and has_costs(example.maze) else []
    found += [each.words_in_maze for each in example.marked]
    found += [t(f"picture.{key}", cells=cells(shown, t)) for key, shown in marked if shown]
    return [line for line in (*found, parting(example, t), progress(example, t)) if line]


def describe_end(example: Example, t: Catalogue) -> str:
    """Say how a call ended that did not return."""
    fault = example.actual.fault
    return fault.kind if fault is not None and fault.kind else t("script.none")


def step_lines(example: Example, t: Catalogue) -> list[str]:
    """Return a line for each call of a script, with its expected and actual result."""
    lines = []
    for number, (expected, actual) in enumerate(zip_longest(example.expected.steps, example.actual.steps)):
        gives = [step.gives if step else "–" for step in (expected, actual)]
        sides = f"{t('check.step_expected')}: {gives[0]} | {t('check.step_actual')}: {gives[1]}"
        mark = f"  <- {t('check.step_differs')}" if number == example.parting_step else ""
        lines.append(f"{number + 1}. {(expected or actual).call} | {sides}{mark}")
    return lines


def describe_search(moment: SearchState, t: Catalogue) -> str:
    """Describe a Search's state: each cell with its distance and last move, and the pending cells."""
    noted = (
        t("script.cell", cell=cell(position), distance=one.distance)
        if one.move is None
        else t("script.cell_by", cell=cell(position), distance=one.distance, move=moves([one.move], t))
        for position, one in moment.known.items()
    )
    waiting = cells(moment.pending, t) or t("player.no_pending")
    return f"{t('script.picture')} {'; '.join(noted)}. {t('script.pending')}: {waiting}."


def side_lines(name: str, shown: Side, t: Catalogue) -> list[str]:
    """Return lines with one side's result and visits."""
    lines = [f"{name}: {shown.text}"] if shown.text else []
    if shown.walk:
        lines.append(f"  {_in_order('walk', shown.how, shown.walk, t)}")
    elif shown.visits:
        lines.append(f"  {_in_order('visits', shown.how, shown.visits, t)}")
    return lines


def _in_order(key: str, how: str, shown: Sequence[Vector], t: Catalogue) -> str:
    """Say in which order cells were visited, or only seen to be asked about."""
    listed = cells(shown, t)
    return t(f"seen.{key}", what=t(f"seen.{how}"), cells=listed) if how else t(f"picture.{key}", cells=listed)


def code_lines(source: SourceView) -> list[str]:
    """Return numbered lines; those that are spoken of are marked."""
    width = len(str(source.numbered[-1][0]))
    return [f"{'>' if here else ' '} {number:>{width}}  {text}" for number, text, here in source.numbered]


def story_lines(story: StoryView, t: Catalogue) -> list[str]:
    """Return the steps of a story, each with its line and what its variables held."""
    told = []
    for number, step in enumerate(story.steps, start=1):
        place = step.file + t("story.line", line=step.line) + ": " if step.line else ""
        held = "; ".join(f"{name} = {value}" for name, value in step.values.items())
        told.append(f"{number}. {place}{step.text}" + (f" [{held}]" if held else ""))
    return told


def state_lines(story: StoryView, t: Catalogue) -> list[str]:
    """Return the steps up to the one that made what is held wrong, each with what was held after it."""
    lines = []
    for state in story.states:
        ours, right = ("; ".join(held) or "–" for held in (state.came, state.due))
        mark = f"  <- {t('check.step_differs')}" if state is story.states[-1] else ""
        sides = f"{t('story.right')}: {right} | {t('check.step_actual')}: {ours}{mark}"
        lines.append(f"{state.number}. {state.call} | {sides}")
    return lines


def save_instruction(example: Example, t: Catalogue) -> str:
    """Say which file to save before running the command."""
    return t("again.save_all" if example.has_several_mazes else "again.save", file=example.file)


def fold_recursion(trace: Sequence[Frame]) -> list[tuple[Frame, int]]:
    """Return the lines of a traceback with their number of repetitions, each repeated line only once."""
    return [(frame, len(list(same))) for frame, same in groupby(trace)]


def fault_lines(shown: Fault | None, t: Catalogue) -> list[str]:
    """Return lines with an exception and its traceback."""
    if shown is None:
        return []
    lines = [f"{shown.kind}: {shown.message}" if shown.message else shown.kind]
    for frame, times in fold_recursion(shown.trace):
        again = f" ({t('fault.times', count=times)})" if times > 1 else ""
        lines.append(f"  {t('fault.line', file=frame.file, line=frame.line, function=frame.function)}{again}")
        lines.append(f"      {frame.code}")
    if shown.stage != "call":
        lines.append(t(f"fault.{shown.stage}"))
    return lines


def describe_drawing(
    drawing: Drawing, sides: Mapping[str, Side], t: Catalogue, *, visits: bool = False, walls: bool = False
) -> str:
    """Describe a drawing for those who cannot see it, with the ways of the given sides."""
    maze = drawing.maze
    lines = [t("picture.entry", cell=cell(maze.entry))]
    lines.append(t("picture.exit", cell=cell(maze.exit)) if maze.exit else t("picture.no_exit"))
    if walls and maze.dimension.position_count <= OPENINGS:
        lines.append(t("picture.openings", cells=_describe_openings(maze, t)))
    if priced := costs.listed(maze):
        lines.append(t("picture.costs_many" if priced.is_counted else "picture.costs", steps=priced.text))
    if visits:
        shown = drawing.facts["visits"]
        key = "visits" if len(set(shown)) == len(shown) else "walk"
        how = next(side.how for side in sides.values())
        lines.append(_in_order(key, how, shown, t) if shown else t("picture.no_visits"))
    ways = ((name, side.moves or ()) for name, side in sides.items() if side.is_way)
    lines += [t(f"picture.{name}_way", moves=moves(way, t)) for name, way in ways]
    marked = (("cycle", drawing.facts["cycle"]), ("unreachable", drawing.facts["islands"]))
    lines += [t(f"picture.{key}", cells=cells(shown, t)) for key, shown in marked if shown]
    lines += [f"{line}." for line in drawing.written.words]
    lines += [t("marks.answers", cells=side.marked.words) for side in sides.values() if side.marked]
    return " ".join(lines)


def _describe_openings(maze: Maze, t: Catalogue) -> str:
    parts = []
    for position in maze.dimension.all_positions():
        names = " ".join(t(f"move.{move.name}") for move in maze.valid_moves_at(position)) or "–"
        parts.append(f"{cell(position)} {names}")
    return "; ".join(parts)
