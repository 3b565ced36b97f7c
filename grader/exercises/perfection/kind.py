"""How the grader handles the perfection checker, its checks, and the mazes that come with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from statistics import fmean

from grader.exercises.kit.check import (
    Case,
    Check,
    Claims,
    Judge,
    PlannedExercise,
    Wrong,
    each,
    maze_ladder,
    of_a_graph,
)
from grader.exercises.kit.check import one_by_one as mazes_one_by_one
from grader.exercises.kit.draw import marked
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.kind import Kind, MazesHandedIn, Sources
from grader.exercises.kit.library import CaseBook, large_mazes, nearly_perfect, size_of, wave_of
from grader.exercises.kit.small_mazes import SIDES, FixedMaze, sets_to_tell_apart
from grader.exercises.kit.trees import JUDGES_OF_MAZES, Copies, given_trees
from grader.exercises.perfection import typical_mistakes
from grader.exercises.perfection.judge import (
    judge_afresh,
    judge_left_alone,
    judge_perfection,
    judge_true_or_false,
    share_of_yes,
    twins,
)
from grader.exercises.perfection.space import SPACE
from grader.exercises.perfection.typical_mistakes import MISTAKES, caught_by
from grader.languages import Message, said, titles_in
from grader.model import Call, Claim, IsPerfect, Json, OwnMaze, OwnMazes, Target
from grader.reader import Read, read_here
from lab import MazeFormatError, Vector
from lab.own_mazes import MOST, MOST_SIDE, MazeSizeError, own_mazes_among, read_own_maze

TITLES = titles_in("perfection", prefix="perfection.")

FAMILIES = ("perfect", "extra passage", "missing passage", "cycle and island")
CODE = "PerfectionChecker().is_perfect(maze)"
SINGLE_CELLS = ("+-+\n|S|\n+-+",)
CORRIDORS = 40
"""How many mazes of each kind, perfect or not, are single rows and columns, or much longer than wide."""
MARKED = 12
"""How many mazes of each kind, perfect or with a cycle, are asked with entry and exit in other places."""
TELLING = 4
"""In a maze with fewer cells nothing branches and no way leads round: a checker that is wrong on nearly all
mazes is wrong there too, for whatever reason."""
LEAST_TOLD_APART = 0.4
"""The least difference between the shares of perfect and of other mazes that a checker calls perfect. Answers
unrelated to the maze give 0, give or take 0.1; a mistake about one kind of three leaves two thirds."""


def checks(book: CaseBook) -> dict[str, Callable[[], Check]]:
    """Return functions that make the checks, by id."""
    families = {f"perfection.{name.replace(' ', '-')}": name for name in FAMILIES}
    made = {id_: partial(_family_check, book, id_, name) for id_, name in families.items()}
    return made | {
        "perfection.shapes": lambda: _check("perfection.shapes", book, _shapes(book), _right),
        "perfection.entry-and-exit": lambda: _check("perfection.entry-and-exit", book, _marked(book), _right),
        "perfection.deep": lambda: _check("perfection.deep", book, _deep(book), _right),
        "perfection.unchanged": lambda: _everywhere(
            "perfection.unchanged", book, each(lambda case, claim: judge_left_alone(case.facts, claim))
        ),
        "perfection.repeat": lambda: _repeat(book),
        "perfection.true-or-false": lambda: _everywhere(
            "perfection.true-or-false", book, each(lambda case, claim: judge_true_or_false(case.facts, claim))
        ),
        "perfection.hidden-mazes": lambda: _check(
            "perfection.hidden-mazes",
            book,
            _fixed(book.fixed("perfection", hidden=True), "hidden-mazes"),
            _right,
        ),
    }


def _family_check(book: CaseBook, id_: str, family: str) -> Check:
    """Make the check of a family.

    Saying True of all perfect mazes pays only if the checker says it of few others of any kind.
    """
    check = _check(id_, book, _family(book, family), _right)
    control = _tells_apart(fmean) if family == "perfect" else check.control
    return replace(check, control=control, ladder=maze_ladder(family, _rung, telling=TELLING))


def _everywhere(id_: str, book: CaseBook, judge: Judge) -> Check:
    """Make a check that no harm is done, on perfect and imperfect mazes; it pays for work on most mazes."""
    cases = [case for family in FAMILIES for case in _family(book, family)]
    return replace(_check(id_, book, cases, judge), control=_tells_apart(fmean))


def _repeat(book: CaseBook) -> Check:
    """Make the check of what other checkers leave behind, and what a checker remembers of an earlier maze."""
    check = _everywhere("perfection.repeat", book, _judge_afresh)
    return replace(check, cases=(*check.cases, *_series(book)), twins=_without_others)


def _series(book: CaseBook) -> Iterable[Case]:
    """Yield cases in which one checker gets two mazes of the same dimension.

    Those that begin with a cycle, which may keep a checker going for ever, form a group of their own.
    """
    sets = sets_to_tell_apart(book.seed)
    for number, (one, other) in enumerate(zip(sets[: len(SIDES)], sets[len(SIDES) :], strict=False)):
        perfect, more, fewer, _ = one
        for at, (before, text) in enumerate(((fewer, perfect), *((perfect, text) for text in other))):
            yield _after(before, _case(f"series/{number}/{at}", text, "repeat"))
        yield _after(more, _case(f"series/{number}/cycle", perfect, "repeat-after-a-cycle"))


def _after(before: str, case: Case) -> Case:
    """Return the case with another maze before it."""
    call = replace(case.call, arguments=IsPerfect(case.facts.text, (before,)))
    return replace(case, call=call, label=said("after_another_maze", label=case.label))


def _without_others(case: Case) -> Sequence[Case]:
    """Return a case for each maze of a series."""
    asked, group = case.call.asked(IsPerfect), case.call.group.removeprefix("perfection.")
    if not asked.before:
        return (case,)
    return tuple(_case(f"{case.call.id}/{text}", text, group) for text in (*asked.before, asked.maze))


def _check(id_: str, book: CaseBook, cases: Iterable[Case], judge: Judge) -> Check:
    """Make a check that pays for telling perfect mazes from those of some kind."""
    return Check(id_, TITLES[id_], tuple(cases), judge, _tells_apart(max), _controls(book))


def _controls(book: CaseBook) -> tuple[Case, ...]:
    """Return sets of four mazes, one of each kind.

    A checker that never ends on one kind is still tried on the others.
    """
    return tuple(
        _case(f"control/{number}/{kind}", text, f"control-{kind}")
        for number, texts in enumerate(sets_to_tell_apart(book.seed))
        for kind, text in zip(FAMILIES, texts, strict=True)
    )


def _tells_apart(of_all: Callable[[Sequence[float]], float]) -> Judge:
    """Return the control that refuses a checker with the same answers for perfect mazes and others.

    ``of_all`` combines the differences to each other kind: with ``max`` it is enough to distinguish one kind,
    with ``fmean`` the mean has to be large.
    """

    def control(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        count = len(FAMILIES)
        kinds = [[claims[case.call.id] for case in cases[kind::count]] for kind in range(count)]
        perfect, *others = (share_of_yes(kind, kinds[0]) for kind in kinds)
        is_refused = of_all([perfect - other for other in others]) < LEAST_TOLD_APART
        return _right(cases, claims) if is_refused else None

    return control


_right = each(lambda case, claim: judge_perfection(case.facts, claim))


def _afresh(case: Case, claim: Claim) -> Finding | None:
    return judge_afresh(case.facts, claim)


_judge_afresh = each(_afresh)


def _family(book: CaseBook, family: str) -> tuple[Case, ...]:
    group = family.replace(" ", "-")
    with_exit = [maze for maze in book.fixed("perfection", hidden=False, having=family) if "E" in maze.text]
    fixed = _fixed(with_exit, group)
    return (*fixed, *_cases(family, sorted(book.family(family), key=len), group))


def _shapes(book: CaseBook) -> tuple[Case, ...]:
    """Return single rows and columns, the smallest first, but those too small to say much last."""
    kinds = ("long perfect", "long imperfect")
    long = (text for kind in kinds for text in book.family(kind)[:CORRIDORS])
    by_size = sorted((*SINGLE_CELLS, *long), key=len)
    few = [text for text in by_size if facts_of(text).dimension.position_count < TELLING]
    return _cases("shapes", (*by_size[len(few) :], *few), "shapes")


def _marked(book: CaseBook) -> tuple[Case, ...]:
    """Return mazes with the same walls, the entry in the first or last cell, with and without an exit."""
    texts = []
    for text in (*book.family("perfect")[:MARKED], *book.family("extra passage")[:MARKED]):
        maze = facts_of(text).maze
        last = Vector(maze.dimension.row_count, maze.dimension.column_count)
        for entry, exit_ in ((Vector(1, 1), last), (last, Vector(1, 1)), (last, None), (Vector(1, 1), None)):
            texts.append(marked(maze, entry, exit_).to_text())
    without_exit = [maze for maze in book.fixed("perfection", hidden=False) if "E" not in maze.text]
    drawn = _cases("marked", sorted(texts, key=len), "entry-and-exit")
    return (*_fixed(without_exit, "entry-and-exit"), *drawn)


def _deep(book: CaseBook) -> tuple[Case, ...]:
    nearly = (
        _case(f"nearly/{number}", text, "deep") for number, text in enumerate(nearly_perfect(book.seed))
    )
    large = (
        _case(f"deep/{number}", text, "deep", label=label)
        for number, (label, text) in enumerate(large_mazes(book.seed))
    )
    return (*large, *nearly)


def _fixed(mazes: Iterable[FixedMaze], group: str) -> tuple[Case, ...]:
    return tuple(
        _case(
            f"file/{group}/{maze.name}",
            maze.text,
            group,
            label=said("the_maze", name=maze.name),
            hidden=maze.hidden,
        )
        for maze in mazes
    )


def _rung(text: str) -> Case:
    return _case(f"small/{text}", text, "small")


def _cases(name: str, texts: Iterable[str], group: str) -> tuple[Case, ...]:
    return tuple(_case(f"{name}/{number}", text, group) for number, text in enumerate(texts))


@lru_cache(maxsize=8192)  # several checks look at the mazes of one family
def _case(name: str, text: str, group: str, *, label: Message | None = None, hidden: bool = False) -> Case:
    call = Call(f"perfection/{name}", IsPerfect(text), group=f"perfection.{group}")
    facts = facts_of(text)
    wave = 0 if hidden else wave_of(facts.dimension.position_count)
    return Case(call, label or size_of(text), facts, text, CODE, hidden, wave=wave)


def examine(files: Mapping[str, bytes], known: Sequence[str]) -> OwnMazes:
    """Return what the mazes among these files catch.

    ``known`` are the texts of the test mazes that students know.
    """
    paths = own_mazes_among(files)
    caught_already = frozenset().union(*map(_caught_by_known, known))
    first = [_examined(path, files[path], caught_already) for path in paths[:MOST]]
    rest = [OwnMaze(path, message=said("own_maze_too_many", most=MOST)) for path in paths[MOST:]]
    return OwnMazes((*first, *rest), len(MISTAKES))


def _examined(path: str, content: bytes, caught_already: frozenset[str]) -> OwnMaze:
    try:
        text = read_own_maze(content).to_text()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return OwnMaze(path, message=said("own_maze_encoding", line=line))
    except MazeFormatError as error:
        place = {"line": error.line, "column": error.column}
        return OwnMaze(
            path, message=said("own_maze_malformed", **place, expected=error.expected, found=error.found)
        )
    except MazeSizeError as error:
        return OwnMaze(path, message=said("own_maze_large", size=str(error.dimension), most=MOST_SIDE))
    caught = caught_by(text)
    in_order = [name for name in MISTAKES if name in caught]
    return OwnMaze(
        path, text, tuple(in_order), tuple(name for name in in_order if name not in caught_already)
    )


@lru_cache(maxsize=500)
def _caught_by_known(text: str) -> frozenset[str]:
    """Return the mistakes that a test maze of the course catches, cached for the next submission."""
    return caught_by(text)


def _reproduce(_target: Target, case: Case, file: str) -> Json:
    """Return the maze to save and a command that checks it, or several with one checker."""
    asked = case.call.asked(IsPerfect)
    if asked.before:
        code = "from perfection_checker import PerfectionChecker; c = PerfectionChecker(); "
        return mazes_one_by_one((*asked.before, asked.maze), code, "c.is_perfect({})", file=file)
    return {"file": file, "command": f"maze perfect {file}"}


def with_sources(
    planned: PlannedExercise, sources: Callable[[], Sources], read: Read = read_here
) -> PlannedExercise:
    """Give each check the submission's files, to compare what ran with what students are given."""
    copies = Copies(given_trees(*JUDGES_OF_MAZES), sources, read)
    checks = (replace(check, judge=partial(_unless_copied, check.judge, copies)) for check in planned.checks)
    return replace(planned, checks=tuple(checks))


def _unless_copied(judge: Judge, copies: Copies, cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Judge cases, unless a copy of what students are given ran in one of them."""
    for case in cases:
        if copied := copies.among([claims[case.call.id]]).copied:
            came = said("given_function", name=copied[0].replace(":", "."))
            return Wrong(
                case, Finding("failed", came, {"text": said("own_check")}, {"text": came}, decides=True)
            )
    return judge(cases, claims)


KIND = Kind(
    titles=lambda _: TITLES,
    checks=lambda book, _: checks(book),
    sentence=lambda _exercise, wrong: (
        said("decides", finding=wrong.finding.message)
        if wrong.finding.decides
        else said("checker", **wrong.told())
    ),
    with_sources=with_sources,
    reproduce=_reproduce,
    hidden_kind=of_a_graph,
    space=SPACE,
    told_by_check={"repeat": "checker-remembers"},
    own_mazes=MazesHandedIn(own_mazes_among, examine, tuple(typical_mistakes.MISTAKES)),
    twins=twins,
)
