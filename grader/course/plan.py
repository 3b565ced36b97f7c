"""The plan of a course: its rubric, with all cases drawn once and the reference's answers to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from grader.course.exercise_folder import OwnCheck
from grader.course.maze_files import Agrees, MazeFile, load_maze_file
from grader.course.rubric import Rubric, RubricCheck, RubricExercise, load_rubric
from grader.course.statements import STATEMENTS, TITLES, WITH_MAZES, target_of
from grader.course.yaml_values import quoted
from grader.errors import MazeFileError, RubricError
from grader.exercises.kit.check import Case, Check, PlannedExercise
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.folders.code import KNOWN, check_title, know
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.small_mazes import FixedMaze, Stated
from grader.exercises.kit.solvers.checks import Own
from grader.exercises.registry import kind_of, make_checks, titles
from grader.languages import said
from grader.model import Limits
from lab import Maze, Vector
from lab.costs import costs_on, has_costs
from lab.exercises import BY_ID, SOLVER_IDS
from lab.render.text import draw
from lab.texture import texture
from lab.way import moves_text


def with_statements(mazes: Iterable[MazeFile], exercises: Sequence[RubricExercise]) -> tuple[FixedMaze, ...]:
    """Give mazes the statements that no declared check judges, so that the checks of all test mazes do.

    Raises MazeFileError if no check would judge a statement.
    """
    return tuple(_with_statements(maze, exercises) for maze in mazes)


def _with_statements(maze: MazeFile, exercises: Sequence[RubricExercise]) -> FixedMaze:
    stated: dict[str, tuple[Stated, ...]] = {}
    for exercise in exercises:
        named = any(check.own and maze.name in check.own.mazes for check in exercise.checks)
        if exercise.id in maze.stated and not named:
            if exercise.id in WITH_MAZES:
                _refuse_unjudged(maze, exercise)
            stated[exercise.id] = (maze.stated[exercise.id],)
        elif "" in maze.stated and exercise.id not in WITH_MAZES:
            stated[exercise.id] = (maze.stated[""],)
    return FixedMaze(maze.name, maze.text, maze.visibility == "hidden", maze.exercises, stated)


def _refuse_unjudged(maze: MazeFile, exercise: RubricExercise) -> None:
    judge = f"{exercise.id}.{'hidden-mazes' if maze.visibility == 'hidden' else 'visit-order'}"
    if judge not in {check.id for check in exercise.checks}:
        key = next(key for key in STATEMENTS if key in maze.places)
        line, column = maze.places[key]
        raise MazeFileError(
            f"{key}: the rubric leaves {judge} out, which would judge it: put that in, or declare a check "
            f"with the maze {quoted(maze.name)}",
            path=maze.path,
            line=line,
            column=column,
        )


def declared_checks(
    checks: Iterable[RubricCheck], exercise: str, mazes: Iterable[MazeFile]
) -> dict[str, Own]:
    """Return the declared checks by id, each with those of its mazes that are available."""
    known = {maze.name: maze for maze in mazes}
    return {
        check.id: Own(
            check.own.title,
            tuple(
                _with_check_statements(known[name], exercise, check.own)
                for name in check.own.mazes
                if name in known
            ),
        )
        for check in checks
        if check.own is not None
    }


def _with_check_statements(maze: MazeFile, exercise: str, check: OwnCheck) -> FixedMaze:
    by_itself = (maze.stated[exercise],) if exercise in maze.stated else ()
    stated = {exercise: (*by_itself, check.stated)}
    return FixedMaze(maze.name, maze.text, maze.visibility == "hidden", maze.exercises, stated)


@dataclass(frozen=True)
class Plan:
    """What every submission is asked; made once for all of them."""

    rubric: Rubric
    exercises: tuple[PlannedExercise, ...]
    points: Mapping[str, RubricCheck]
    """Points by check id."""
    gallery: Mapping[str, tuple[Case, ...]]
    """By exercise id, the calls that make the mazes to show."""

    @property
    def limits(self) -> Limits:
        """What a submission may use."""
        return self.rubric.limits


Tell = Callable[[str], None]
"""Is told what is being done, and how many of how many."""


def in_silence(_: str) -> None:
    """Tell nobody."""


def load_plan(path: Path | None = None, *, explain: bool = True, tell: Tell = in_silence) -> Plan:
    """Read a rubric (by default the shipped one) and draw its cases.

    Raises RubricError or MazeFileError with file, line and column.
    """
    return make_plan(load_rubric(path, checks=titles(), agrees=disagreement, explain=explain), tell)


def make_plan(rubric: Rubric, tell: Tell = in_silence) -> Plan:
    """Draw the cases of a rubric."""
    know(rubric.own_exercises)
    book = CaseBook(rubric.seed, rubric.examples, list(fixed_mazes(rubric)))
    exercises = []
    for number, planned in enumerate(rubric.exercises, start=1):
        tell(f"{planned.id}: drawing its cases ({number} of {len(rubric.exercises)} exercises)")
        own = declared_checks(planned.checks, planned.id, rubric.mazes)
        ids = [check.id for check in planned.checks if not check.criteria]
        make = partial(make_checks, planned.id, ids, book, own=own)
        if planned.id in KNOWN and ids:
            from grader.course.exercise_trial import read_exercise, tried_checks

            read_exercise(KNOWN[planned.id].exercise)
            tell(f"{planned.id}: trying its reference and its judge")
            given = (ids, book.seed, book.examples, book.mazes)
            make = partial(tried_checks, KNOWN[planned.id], given, make)
        made = tuple(_with_those_of_persons(planned, make() if ids else ()))
        for check, worth in zip(made, planned.checks, strict=True):
            if not check.cases and not check.by_person:
                line, column = worth.place or (None, None)
                raise RubricError(
                    f"{check.id}: expected at least one case, such as a hidden maze that this exercise uses, "
                    "found none: add one or leave the check out",
                    path=rubric.path,
                    line=line,
                    column=column,
                )
        title = planned.title or TITLES.get(planned.id) or BY_ID[planned.id].title
        exercises.append(PlannedExercise(planned.id, title, target_of(planned.id), made))
    points = {check.id: check for exercise in rubric.exercises for check in exercise.checks}
    kinds = {exercise.id: kind_of(exercise.id) for exercise in exercises}
    gallery = {id_: kind.gallery.cases(book) for id_, kind in kinds.items() if kind.gallery is not None}
    return Plan(rubric, tuple(exercises), points, gallery)


def _with_those_of_persons(planned: RubricExercise, made: Iterable[Check]) -> Iterator[Check]:
    """Yield the checks in the rubric's order, with those between them that persons mark."""
    left, own = iter(made), KNOWN.get(planned.id)
    for check in planned.checks:
        if not check.criteria:
            yield next(left)
            continue
        name = check.id.removeprefix(f"{planned.id}.")
        asked = None if own is None else own.exercise.checks.get(name)
        title = check.title or ("" if own is None else check_title(own.exercise, name))
        yield Check(check.id, title, (), lambda *_: None, by_person=True, shows=asked.cases if asked else ())


def fixed_mazes(rubric: Rubric) -> Iterator[FixedMaze]:
    """Yield the test mazes; those that name no exercise also apply to the course's own.

    A maze with costs is for those that ask about costs. Of hidden ones without, these have only mazes without
    a way: most of theirs are to tell a cheapest way from a shortest one.
    """
    own = tuple(each.id for each in rubric.own_exercises)
    asking = tuple(each.id for each in rubric.own_exercises if each.with_costs)
    for maze in with_statements(rubric.mazes, rubric.exercises):
        if maze.exercises == WITH_MAZES:
            left_out = asking if maze.hidden and facts_of(maze.text).length is not None else ()
            yield replace(maze, exercises=(*WITH_MAZES, *(id_ for id_ in own if id_ not in left_out)))
        else:
            yield maze if maze.exercises else replace(maze, exercises=asking)
    for each in rubric.own_exercises:
        yield from each.mazes


def disagreement(exercise: str, maze: Maze, order: tuple[Vector, ...]) -> str | None:
    """Explain why a visit order in a maze file is wrong; None if it is right."""
    orders = facts_of(maze.to_text()).orders[exercise]
    if order in orders:
        return None
    right = orders[0]
    whole = ", ".join(f"[{cell.row}, {cell.column}]" for cell in right)
    for index, (wanted, cell) in enumerate(zip(right, order, strict=False)):
        if wanted != cell:
            found = f"[{cell.row}, {cell.column}]"
            wanted_there = f"[{wanted.row}, {wanted.column}]"
            return f"expected {wanted_there} as cell {index + 1}, got {found}; the whole order is [{whole}]"
    return f"expected {len(right)} cells, got {len(order)}; the whole order is [{whole}]"


_YAML = (".yaml", ".yml")
MOST_PRINTED = 100
"""A maze with more rows or columns is not printed."""


def read_maze(path: Path, *, agrees: Agrees | None = None, own: Sequence[str] = ()) -> MazeFile:
    """Read a test maze, or a text file with only a drawing. Raises MazeFileError."""
    if path.suffix.lower() in _YAML:
        return load_maze_file(path, agrees=agrees, own=own)
    try:
        maze = Maze.from_file(path)
    except OSError as error:
        raise MazeFileError(f"the file cannot be read: {error.strerror}", path=path) from None
    except ValueError as error:
        raise MazeFileError(str(error), path=path) from None
    return MazeFile(path.stem, "", "public", WITH_MAZES, {}, maze, maze.to_text(), path, {})


def checks_with(maze: MazeFile, rubric: Rubric) -> tuple[str, ...]:
    """Return the ids of the rubric's checks that would use a maze, which may be none of its own."""
    book = CaseBook(1, 1, [*fixed_mazes(replace(rubric, mazes=(maze,)))])
    label = said("the_maze", name=maze.name)
    asked = {id_ for fixed in book.mazes if fixed.name == maze.name for id_ in fixed.exercises}
    return tuple(
        check.id
        for planned in rubric.exercises
        if planned.id in asked
        for check in make_checks(
            planned.id,
            [each.id for each in planned.checks if not each.criteria],
            book,
            own=declared_checks(planned.checks, planned.id, [maze]),
        )
        if any(case.label == label for case in check.cases)
    )


def is_too_large_to_print(maze: Maze) -> bool:
    """Return whether a maze is too wide or too high for a terminal."""
    return max(maze.dimension.row_count, maze.dimension.column_count) > MOST_PRINTED


def describe_maze(maze: MazeFile, rubric: Rubric, *, in_full: bool = True) -> str:
    """Describe a maze for the terminal, with visit orders in the form of a maze file.

    Without ``in_full``, omit what grows with the maze: the drawing, the moves and the visit orders.
    """
    facts = facts_of(maze.text)
    ways = {"Cheapest": facts.cheapest_way} if has_costs(maze.maze) else {}
    ways["Shortest"] = facts.shortest_way
    drawing = ["", draw(maze.maze, solution=next(iter(ways.values())))] if in_full else []
    solvers = [exercise for exercise in SOLVER_IDS if exercise in maze.exercises]
    lines = [
        f"{maze.name}: {facts.dimension}, {maze.visibility}",
        *drawing,
        "",
        *([f"Catches: {maze.catches}"] if maze.catches else []),
        f"Perfect: {describe_perfection(facts)}",
        *(f"{kind} way: {describe_way(way, maze.maze, in_full=in_full)}" for kind, way in ways.items()),
        *(note.capitalize() for note in costs_notes(facts)),
        *_texture(facts),
        f"Checks that ask about it: {', '.join(checks_with(maze, rubric)) or 'none'}",
        "",
        *(visit_orders(facts, solvers) if in_full else ()),
    ]
    return "\n".join(lines).rstrip()


def visit_orders(facts: Facts, exercises: Iterable[str]) -> Iterator[str]:
    """Yield the lines of ``visit_order`` for a maze file, ready to paste."""
    lines = [f"  {exercise}: {_cells(facts.orders[exercise][0])}" for exercise in exercises]
    return iter(["visit_order:", *lines] if lines else [])


def _cells(order: Sequence[Vector]) -> str:
    return "[" + ", ".join(f"[{cell.row}, {cell.column}]" for cell in order) + "]"


def describe_perfection(facts: Facts) -> str:
    """Say whether a maze is perfect, and if not, why."""
    if facts.is_perfect:
        return "yes"
    out = f"{len(facts.islands)} of {facts.dimension.position_count} cells out of reach"
    told = [out] if facts.islands else []
    extra = facts.passage_count - (facts.dimension.position_count - 1)
    if facts.cycle and extra > 1:
        told.append(f"{extra} passages more than a perfect maze has")
    elif facts.cycle:
        told.append("a cycle through " + " ".join(f"({cell.row}, {cell.column})" for cell in facts.cycle))
    return "no, " + " and ".join(told)


def describe_way(way: tuple[Vector, ...] | None, maze: Maze, *, in_full: bool = True) -> str:
    """Describe the moves of a way in words and, in a maze with costs, what they cost."""
    if way is None:
        return "none"
    cost = f" that cost {sum(costs_on(maze, way))}" if has_costs(maze) else ""
    return f"{len(way)} moves{cost}" + (f", {moves_text([*way])}" if in_full else "")


def costs_notes(facts: Facts) -> Iterator[str]:
    """Yield a line where a maze has costs, and they decide nothing."""
    if has_costs(facts.maze) and not facts.costs_decide:
        why = (
            "no way leads to an exit" if facts.length is None else "a cheapest way is a shortest one as well"
        )
        yield f"the costs decide nothing: {why}"


def _texture(facts: Facts) -> list[str]:
    if not facts.is_perfect or facts.maze.exit is None:
        return []
    figures = (f"{name.replace('_', ' ')} {value:.3g}" for name, value in asdict(texture(facts.maze)).items())
    return ["Texture: " + ", ".join(figures)]
