"""Make next year's course: another seed, fresh hidden mazes, and a report of old ones that have leaked.

Candidates to replace a hidden maze: of the same kind, drawn anew or derived from it, and not known yet.

Rotating or mirroring a maze would not do: a solver that explores North, East, South, West would then visit it
differently. So a row or a column is inserted, which keeps all passages and their order, or a maze with as
many cycles and islands is drawn. How good candidates are is measured later.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final, Protocol

from grader.course.course_folder import RUBRIC, write_course_folder
from grader.course.maze_files import MazeFile, Wanted, as_yaml, new_maze
from grader.course.plan import Plan
from grader.course.rubric import Rubric
from grader.errors import InputError
from grader.exercises.kit.check import Check, PlannedExercise
from grader.exercises.kit.draw import TEXTURES, marked
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.folders.code import asking_about_costs
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.small_mazes import FixedMaze
from grader.exercises.registry import make_checks
from grader.exports.grades_csv import list_class_results
from grader.exports.gradescope import course_files
from grader.grading.engine import FEEDBACK, RESULTS
from grader.release.handout import Rows, canonical, walls
from grader.release.kit import make_kit
from grader.release.secrets import collect_secrets, drawn_in, find_leaks
from grader.verification.bank import Graded, KnownSubmission
from lab import EAST, SOUTH, Dimension, Factory, Maze, Vector
from lab.costs import dear_steps, has_costs

TRIED: Final = 40
"""How many mazes are drawn for each requested candidate."""
MANY_CELLS: Final = 12
"""From this many cells on, mazes with the same walls count as the same; smaller ones need the same entry and
exit.
"""
_SWAPPED: Final = str.maketrans("-|", "|-")


def form(text: str) -> Rows:
    """Return a form that is the same for mazes which people recognise as the same, rotated or mirrored."""
    rows = tuple(text.split("\n"))
    return canonical(walls(rows) if facts_of(text).dimension.position_count >= MANY_CELLS else rows)


def candidates(maze: Maze, count: int, rng: Random, known: set[Rows]) -> list[Maze]:
    """Return up to ``count`` mazes of the same kind, and add their forms to ``known``."""
    wanted = _kind(facts_of(maze.to_text()))
    found: list[Maze] = []
    for other in islice(_generate(maze, rng), count * TRIED):
        if len(found) == count:
            break
        text = other.to_text()
        if _kind(facts_of(text)) == wanted and form(text) not in known:
            known.add(form(text))
            found.append(other)
    return found


def _kind(facts: Facts) -> tuple[bool, ...]:
    has_exit = facts.maze.exit is not None
    flaws = bool(facts.cycle), bool(facts.islands)
    return has_exit, facts.length is not None, *flaws, has_costs(facts.maze), facts.costs_decide


def _generate(maze: Maze, rng: Random) -> Iterator[Maze]:
    while True:
        if (drawn := _draw(maze, rng)) is not None:
            yield drawn
        yield stretch(maze, rng)
        yield stretch(stretch(maze, rng), rng)


def _draw(maze: Maze, rng: Random) -> Maze | None:
    """Draw a maze of about the same size, with as many cycles and islands, and random entry and exit.

    None if they do not fit.
    """
    facts = facts_of(maze.to_text())
    rows, columns = (
        max(1, side + rng.choice((-1, 0, 1))) if side > 1 else side
        for side in (facts.dimension.row_count, facts.dimension.column_count)
    )
    if rows * columns < 2:
        return None
    islands = facts.part_count - 1
    cycles = facts.fault_count - islands
    dear = sorted({cost for _, _, cost in dear_steps(maze)})
    costs = (1, *dear) if dear else None
    wanted = Wanted(Dimension(rows, columns), cycles, islands, seed=rng.randrange(2**31), costs=costs)
    try:
        made = new_maze(TEXTURES[rng.choice(sorted(TEXTURES))], wanted)
    except InputError:  # they do not fit
        return None
    entry, exit_ = rng.sample(made.dimension.all_positions(), 2)
    return marked(made, entry, None if maze.exit is None else exit_)


def stretch(maze: Maze, rng: Random) -> Maze:
    """Insert a row or a column into the maze.

    Passages across it are extended, and its other cells become dead ends, so that nothing is cut off and no
    cycle is made.
    """
    if rng.random() < maze.dimension.column_count / sum(_sides(maze)):
        return _with_column(maze, rng)
    return _transposed(_with_column(_transposed(maze), rng))


def _sides(maze: Maze) -> tuple[int, int]:
    return maze.dimension.row_count, maze.dimension.column_count


def _transposed(maze: Maze) -> Maze:
    lines = maze.to_text().split("\n")
    return Maze(["".join(column).translate(_SWAPPED) for column in zip(*lines, strict=True)])


def _with_column(maze: Maze, rng: Random) -> Maze:
    rows, columns = _sides(maze)
    before = rng.randint(0, columns)  # the number of columns that do not move

    def moved(cell: Vector) -> Vector:
        return cell if cell.column <= before else Vector(cell.row, cell.column + 1)

    wider = Factory().fully_disconnected(Dimension(rows, columns + 1))
    for cell in maze.dimension.all_positions():
        for move in (EAST, SOUTH):
            if move in maze.valid_moves_at(cell):
                cost = maze.cost_of(cell, move)
                wider.break_wall(moved(cell), move, cost)
                if moved(cell) + move != moved(cell + move):
                    wider.break_wall(moved(cell) + move, move, cost)
    for row in range(1, rows + 1):
        new = Vector(row, before + 1)
        if not wider.valid_moves_at(new):
            sides = [move for move in (EAST, EAST.opposite()) if wider.dimension.includes(new + move)]
            wider.break_wall(new, rng.choice(sides))
    return marked(wider, moved(maze.entry), None if maze.exit is None else moved(maze.exit))


@dataclass(frozen=True, slots=True)
class StudentMaterial:
    """Everything that students have of a course: the kit and their results."""

    kit: dict[str, bytes]
    pages: dict[str, bytes]
    """Students' results and pages, by path."""

    @property
    def mazes(self) -> frozenset[Rows]:
        """The canonical forms of all mazes drawn there."""
        return frozenset(drawn_in({**self.kit, **self.pages}))


@dataclass(frozen=True, slots=True)
class LeakedMaze:
    """A leaked hidden maze, and the files that show it."""

    what: str
    places: tuple[str, ...]


def collect_student_material(plan: Plan, results: Iterable[Path]) -> StudentMaterial:
    """Collect the kit for a rubric, and the pages in folders of results. Raises InputError."""
    ids = [exercise.id for exercise in plan.exercises]
    kit = make_kit(ids, plan.rubric.language, plan.rubric.own_exercises)
    pages = {str(path): path.read_bytes() for folder in results for path in _pages(folder)}
    return StudentMaterial(dict(kit.files), pages)


def find_leaked_mazes(plan: Plan, seen: StudentMaterial) -> list[LeakedMaze]:
    """Return the mazes of hidden checks that students have."""
    only_mazes = replace(collect_secrets(plan), words={}, code={})
    found: dict[str, dict[str, None]] = {}
    for leak in find_leaks({**seen.kit, **seen.pages}, only_mazes):
        found.setdefault(leak.what, {})[leak.file] = None
    return [LeakedMaze(what, tuple(places)) for what, places in sorted(found.items())]


def _pages(folder: Path) -> Iterator[Path]:
    """Yield students' results and pages from the results of a class or of one submission.

    Raises InputError.
    """
    single = folder / RESULTS
    paths = [single] if single.is_file() else list(list_class_results(folder).values())
    if not paths:
        raise InputError("expected a folder of results from grader batch or grader grade", path=folder)
    for path in paths:
        yield from (file for file in (path, path.with_name(FEEDBACK)) if file.is_file())


# --- maze strength ----------------------------------------------------------------------------------
# Measure single mazes: which wrong submissions of a bank each catches, and which right ones it fails.


CHECK = "hidden-mazes"


class GradeBank(Protocol):
    """A function that grades submissions into a folder of a given name."""

    def __call__(self, bank: Sequence[KnownSubmission], plan: Plan, name: str, /) -> Sequence[Graded]:
        """Return the results of each submission."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What one maze catches, and what it punishes wrongly."""

    caught: frozenset[tuple[str, str]]
    """The wrong submissions that it catches, each with the wrong exercise."""
    punished: frozenset[tuple[str, str]]
    """Submissions that it fails, each with an exercise in which they are right."""

    def is_as_good_as(self, other: Strength) -> bool:
        """Return whether it catches all that the other one does, and punishes nobody."""
        return self.caught >= other.caught and not self.punished


def measure_strengths(
    mazes: Sequence[MazeFile], bank: Sequence[KnownSubmission], plan: Plan, grade: GradeBank, name: str
) -> Mapping[str, Strength]:
    """Grade the bank on all mazes; return each maze's strength by name."""
    graded = grade(bank, plan_for_mazes(plan, mazes), name)
    return {maze.name: _strength(maze.name, graded) for maze in mazes}


def _strength(maze: str, graded: Sequence[Graded]) -> Strength:
    lost = [
        (one.known, check.partition(".")[0])
        for one in graded
        for check, names in one.wrong_mazes.items()
        if maze in names
    ]
    due = {(known.name, id_) for known, id_ in lost if id_ in known.loses}
    may = {(known.name, id_) for known, id_ in lost if id_ in known.may_lose}
    return Strength(frozenset(due), frozenset((known.name, id_) for known, id_ in lost) - due - may)


def plan_for_mazes(plan: Plan, mazes: Sequence[MazeFile]) -> Plan:
    """Return the plan with only the checks of hidden mazes, on these mazes."""
    found = (_with_mazes(exercise, mazes) for exercise in plan.exercises)
    digest = hashlib.sha256(repr((plan.rubric.digest, [(maze.name, maze.text) for maze in mazes])).encode())
    rubric = replace(plan.rubric, mazes=tuple(mazes), digest=digest.hexdigest())
    return replace(plan, rubric=rubric, exercises=tuple(exercise for exercise in found if exercise.checks))


def _with_mazes(exercise: PlannedExercise, mazes: Sequence[MazeFile]) -> PlannedExercise:
    """Return the exercise with only its check of hidden mazes, if it has one."""
    asking = asking_about_costs()
    fixed = [
        FixedMaze(maze.name, maze.text, hidden=True, exercises=maze.exercises or asking) for maze in mazes
    ]
    ids = [check.id for check in exercise.checks if check.id == f"{exercise.id}.{CHECK}"]
    made = make_checks(exercise.id, ids, CaseBook(1, 1, fixed))
    return replace(exercise, checks=tuple(_make_independent(check) for check in made if check.cases))


def _make_independent(check: Check) -> Check:
    """Make all cases of the check independent, so that no failure skips a later maze."""
    cases = (replace(case, call=replace(case.call, group=case.call.id)) for case in check.cases)
    return replace(check, cases=tuple(cases), control=None, controls=())


ROUNDS: Final = 4
"""The search ends after this many rounds."""
EACH: Final = 6
"""How many candidates are tried per round for each maze without a replacement."""


@dataclass(frozen=True, slots=True)
class RenewedMaze:
    """A hidden maze with its replacement, or the reason why it has none."""

    old: MazeFile
    caught: int
    """How many mistakes of the bank the old maze catches."""
    new: MazeFile | None = None
    """The fresh maze; None if the old one is kept."""
    new_caught: int = 0
    reason: str = ""
    """Why the old maze is kept."""


def renew_mazes(
    plan: Plan, bank: Sequence[KnownSubmission], grade: GradeBank, seed: int, seen: Iterable[Rows] = ()
) -> list[RenewedMaze]:
    """Search for a fresh maze to replace each hidden one; return one result for each, in file order.

    ``seen`` are the forms of mazes that students have seen, which do not count as fresh.
    """
    hidden = [maze for maze in plan.rubric.mazes if maze.visibility == "hidden"]
    wrong = [each for each in bank if each.loses]
    before = measure_strengths(hidden, wrong, plan, grade, "old")
    search = _FreshSearch(
        plan, bank, grade, seed, before, {*seen, *(form(maze.text) for maze in plan.rubric.mazes)}
    )
    for number in range(1, ROUNDS + 1):
        search.go_on([maze for maze in hidden if not why_kept(maze, plan)], number)
    return [_conclude(maze, before[maze.name], search.found.get(maze.name), plan) for maze in hidden]


@dataclass
class _FreshSearch:
    """The state of the search."""

    plan: Plan
    bank: Sequence[KnownSubmission]
    grade: GradeBank
    seed: int
    before: Mapping[str, Strength]
    known: set[Rows]
    """The canonical forms of mazes that do not count as fresh."""
    found: dict[str, tuple[MazeFile, Strength]] = field(default_factory=dict)
    """Fresh mazes with their strengths, by the names of the old ones."""

    def go_on(self, mazes: Sequence[MazeFile], number: int) -> None:
        """Try candidates for each maze that has no replacement yet."""
        tried = [
            (maze.name, fresh)
            for maze in mazes
            if maze.name not in self.found
            for fresh in self._fresh(maze, number)
        ]
        # the wrong submissions that some old maze catches
        names = {name for strength in self.before.values() for name, _ in strength.caught}
        worth = self._strengths(tried, [each for each in self.bank if each.name in names], f"round-{number}")
        good = [(old, new) for old, new in tried if worth[new.name].is_as_good_as(self.before[old])]
        right = [each for each in self.bank if not each.loses and not each.earns_nothing]
        fair = self._strengths(good, right, f"right-{number}")
        for old, new in good:
            if not fair[new.name].punished:
                self.found.setdefault(old, (new, worth[new.name]))

    def _strengths(
        self, pairs: Sequence[tuple[str, MazeFile]], bank: Sequence[KnownSubmission], name: str
    ) -> Mapping[str, Strength]:
        mazes = [maze for _, maze in pairs]
        return (
            measure_strengths(mazes, bank, self.plan, self.grade, name)
            if mazes and bank
            else {maze.name: Strength(frozenset(), frozenset()) for maze in mazes}
        )

    def _fresh(self, maze: MazeFile, number: int) -> list[MazeFile]:
        made = candidates(maze.maze, EACH, Random(f"{self.seed}/{maze.name}/{number}"), self.known)
        texts = [each.to_text() for each in made]
        return [
            replace(maze, name=_name(maze.name, text), maze=each, text=text, visit_order={})
            for each, text in zip(made, texts, strict=True)
        ]


def _name(old: str, text: str) -> str:
    """Return a name not used by any maze of this year or an earlier one, which tells nothing of the seed."""
    return f"{old.partition(' (anew')[0][:50]} (anew, {hashlib.sha256(text.encode()).hexdigest()[:12]})"


def why_kept(maze: MazeFile, plan: Plan) -> str:
    """Return why a maze cannot be replaced automatically; empty if it can."""
    if maze.stated:
        return "its file makes statements about it: write another maze yourself"
    owns = [check for each in plan.rubric.exercises for check in each.checks if check.own]
    names = [check.id for check in owns if check.own and maze.name in check.own.mazes]
    return f"the check {names[0]} names it: write another maze yourself" if names else ""


def _conclude(
    maze: MazeFile, strength: Strength, found: tuple[MazeFile, Strength] | None, plan: Plan
) -> RenewedMaze:
    if found is None:
        reason = (
            why_kept(maze, plan) or "none of the mazes that were tried catches as much: try another --seed"
        )
        return RenewedMaze(maze, len(strength.caught), reason=reason)
    return RenewedMaze(maze, len(strength.caught), found[0], len(found[1].caught))


_SEED: Final = re.compile(r"^seed:[ \t]*[0-9]+", re.MULTILINE)
_TITLE: Final = re.compile(r"^title:.*$", re.MULTILINE)


def write_course(rubric: Rubric, renewed: Sequence[RenewedMaze], seed: int, out: Path) -> None:
    """Write the rubric and all it needs into a folder that appears completely or not at all."""
    write_course_folder(_files(rubric, renewed, seed), out)


def _files(rubric: Rubric, renewed: Sequence[RenewedMaze], seed: int) -> Iterator[tuple[str, bytes]]:
    fresh = {each.old.path.resolve(): each.new for each in renewed if each.new is not None}
    for name, path in course_files(rubric):
        new = fresh.get(path.resolve())
        yield name, path.read_bytes() if new is None else _maze_file(new).encode()
    line = f"seed: {seed}"
    text, count = _SEED.subn(line, rubric.source, count=1)
    if not count:
        text = _TITLE.sub(lambda title: f"{title[0]}\n{line}", text, count=1)
    yield RUBRIC, text.encode()


def _maze_file(maze: MazeFile) -> str:
    catches = maze.caught if len(maze.caught) > 1 else maze.catches
    text = as_yaml(maze.maze, maze.name, catches, maze.visibility)
    if "exercises" not in maze.places or not maze.exercises:
        return text
    return text.replace("\nmaze: |", f"\nexercises: [{', '.join(maze.exercises)}]\nmaze: |", 1)
