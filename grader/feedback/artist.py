"""Draw the pictures of a page within its size budgets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from grader.feedback import search_replay, sentences
from grader.feedback.example import Example, ScriptLine, Side, StoryView
from grader.feedback.handout import Passage, find_passage
from grader.feedback.search_replay import (
    NOTHING,
    Difference,
    SearchState,
    find_difference,
    replay_calls,
    shown_steps,
)
from grader.feedback.views import CheckView, ExerciseView, WorkedExample, find_idea, worked_examples
from grader.languages import Catalogue
from lab import Maze, Vector
from lab.exercises import BY_ID
from lab.render import board
from lab.render.board import NUMBERED, Drawing, draw
from lab.render.marks import Marked, Marks, all_beside, arrange, find_other_number
from lab.render.story import lines_by_step

NUMBERED_BUDGET = 3_000
"""How many cells a page draws one by one; further pictures show areas without numbers."""
DRAWN_BUDGET = 16_000
"""How many cells a page draws in all, which keeps the file below a megabyte."""
TEXT_BUDGET = 100_000
"""How many characters of mazes a page holds as text; each maze counts twice: to read and to save."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its caption, title and description."""

    kind: str
    caption: str
    title: str
    description: str
    drawing: Drawing


@dataclass(frozen=True, slots=True)
class ScriptFigure:
    """The calls of a script with expected and actual results, and a picture if they can be drawn."""

    steps: list[tuple[ScriptLine, ScriptLine | None]]
    picture: str = ""
    moments: Sequence[SearchState] = ()
    difference: Difference = NOTHING

    @property
    def has_taken(self) -> bool:
        """Whether a cell that is known is no longer pending at some moment."""
        return any(moment.known.keys() - {*moment.pending} for moment in self.moments)


@dataclass(frozen=True, slots=True)
class LaterHints:
    """The second and third hint of a check: the idea, a passage of the handout, and worked examples."""

    idea: str
    passage: Passage | None
    examples: list[WorkedExample]
    anchor: str
    """The anchor of the examples on the page."""
    is_first: bool
    """Whether the examples are shown here, not at an earlier check."""


class Artist:
    """Draws the pictures of one page within its budgets."""

    def __init__(self, t: Catalogue, exercises: Collection[str] = ()) -> None:
        self._t, self._exercises = t, exercises
        self._anchors: set[str] = set()
        self.passages: dict[str, Passage] = {}
        """The passages of the handout to which the page links, by section."""
        self._numbered, self._drawn, self._text = NUMBERED_BUDGET, DRAWN_BUDGET, TEXT_BUDGET

    def draw_example(self, example: Example) -> list[Figure]:
        """Return the pictures of an example: one for each side with known visits, or one with both ways."""
        sides = {"expected": example.expected, "actual": example.actual}
        kinds = [kind for kind, side in sides.items() if side.visits or side.marked]
        if example.maze is None or not self._can_draw(example.maze, len(kinds) or 1):
            return []
        if kinds:
            return [self._draw_side(example, example.maze, kind) for kind in kinds]
        return [self._draw_both_ways(example, example.maze)]

    def draw_others(self, example: Example) -> list[Figure]:
        """Return the pictures of the mazes that are given beside the first, each with what fits it alone."""
        found = [
            self.draw_maze(maze, name, arrange(example.marked_in(name), maze.dimension))
            for name, maze in example.others
        ]
        return [figure for figure in found if figure is not None]

    def beside(self, example: Example, figures: Sequence[Figure], others: Sequence[Figure]) -> list[Marked]:
        """Return what belongs into the pictures of an example and does not fit, or has no picture."""
        written = [figure.drawing.written for figure in (*figures, *others)]
        sides = {} if figures else {"expected": example.expected, "actual": example.actual}
        answers = (self._named(kind, side) for kind, side in sides.items())
        return all_beside(written, [*example.marked, *filter(None, answers)])

    def draw_maze(self, maze: Maze, caption: str, written: Marks | None = None) -> Figure | None:
        """Draw a maze alone; None if the page has no room for it."""
        if not self._can_draw(maze, 1):
            return None
        drawing = draw(maze, written=written)
        return Figure(
            "small", caption, self._title(maze), sentences.describe_drawing(drawing, {}, self._t), drawing
        )

    def to_svg(self, shown: Figure) -> Markup:
        """Return a figure as SVG, with its title and description escaped."""
        label = f"{shown.title}. {shown.description}"
        return Markup(board.to_svg(shown.drawing, kind=shown.kind, label=label))  # noqa: S704

    def later_hints(self, check: CheckView, exercise: ExerciseView) -> LaterHints | None:
        """Return the second and third hint of a check, leaving out examples that are already on the page."""
        idea = find_idea(check, exercise)
        if idea is None:
            return None
        found = find_passage(idea.section, self._t.code, self._exercises)
        if found is not None:
            self.passages[idea.section] = found
        examples = worked_examples(idea)
        anchor = f"worked-{examples[0].name.replace('.', '-')}" if examples else ""
        is_first = anchor not in self._anchors
        self._anchors.add(anchor)
        return LaterHints(self._t(f"idea.{idea.name}"), found, examples, anchor, is_first)

    def describe_worked_example(self, check: CheckView, shown: WorkedExample) -> str:
        """Say in a sentence what a worked example shows."""
        kind, _, name = shown.name.partition(".")
        if kind == "maze":
            return self._t(f"worked.{name}")
        moves = shown.example.expected.moves
        solver = BY_ID[check.id.partition(".")[0]].name
        if moves is None:
            return self._t("worked.none", solver=solver)
        return self._t("worked.way", solver=solver, moves=sentences.moves(moves, self._t))

    def lines_by_step(self, check: CheckView, story: StoryView | None) -> str:
        """Return the lines of the student's file that ran at each drawn step, for the page's script."""
        example = check.example
        if example is None or example.maze is None or story is None or story.check != check.id:
            return ""
        return lines_by_step(story.walk, example.actual.shown_visits, example.maze.dimension)

    def draw_script(self, example: Example) -> ScriptFigure:
        """Return the calls of an example's script, each with a picture of the search if it can be drawn."""
        steps = shown_steps(example)
        moments = replay_calls([step for step, _ in steps])
        if not moments:
            return ScriptFigure(steps)
        difference = find_difference(*steps[-1], moments[-1]) if example.parting_step is not None else NOTHING
        if not search_replay.can_draw(moments, difference) or not self._can_draw_frames(moments):
            return ScriptFigure(steps)
        label = sentences.describe_search(moments[-1], self._t)
        picture = search_replay.draw(moments, difference, label)
        return ScriptFigure(steps, Markup(picture), moments, difference)  # noqa: S704

    def saved_text(self, example: Example) -> str:
        """Return the text from which an example is saved; "" if it would make the page too large."""
        self._text -= 2 * len(example.saved)
        return example.saved if self._text >= 0 else ""

    def _can_draw_frames(self, moments: Sequence[SearchState]) -> bool:
        self._drawn -= sum(len(moment.known) for moment in moments)
        return self._drawn >= 0

    def _can_draw(self, maze: Maze, times: int) -> bool:
        self._drawn -= times * maze.dimension.position_count
        return self._drawn >= 0

    def _title(self, maze: Maze) -> str:
        return self._t("picture.title", rows=maze.dimension.row_count, columns=maze.dimension.column_count)

    def _draw_both_ways(self, example: Example, maze: Maze) -> Figure:
        expected, actual = example.expected, example.actual
        drawing = draw(
            maze,
            expected=expected.moves if expected.is_way else None,
            actual=actual.moves if actual.is_way else None,
            cycle=example.cycle,
            islands=example.islands,
            written=arrange(example.marked_in(), maze.dimension),
        )
        sides = {"expected": expected, "actual": actual}
        description = sentences.describe_drawing(drawing, sides, self._t, walls=True)
        return Figure("whole", self._t("picture.maze"), self._title(maze), description, drawing)

    def _draw_side(self, example: Example, maze: Maze, kind: str) -> Figure:
        side = example.expected if kind == "expected" else example.actual
        parting: Vector | None = getattr(example.parting, kind, None)
        if side.revisits is not None:
            parting = side.revisits.first
        elif side.marked:
            parting = find_other_number(example.expected.marked, example.actual.marked)
        count = maze.dimension.position_count
        fine = count <= NUMBERED and count <= self._numbered
        self._numbered -= count if fine else 0
        drawing = draw(
            maze,
            visits=side.shown_visits,
            expected=side.moves if side.is_way and kind == "expected" else None,
            actual=side.moves if side.is_way and kind == "actual" else None,
            parting=parting,
            numbered=fine,
            written=arrange(example.marked_in(), maze.dimension, self._named(kind, side)),
        )
        description = sentences.describe_drawing(
            drawing, {kind: side}, self._t, visits=side.marked is None, walls=kind == "expected"
        )
        title = self._t(f"picture.title_{kind}" if side.marked is None else f"picture.answer_{kind}")
        if side.how:
            title = f"{self._t(f'check.{kind}')}: {self._t(f'seen.{side.how}')}"
        return Figure(kind, self._t(f"check.{kind}"), title, description, drawing)

    def _named(self, kind: str, side: Side) -> Marked | None:
        return side.marked and replace(side.marked, name=self._t(f"check.{kind}"))
