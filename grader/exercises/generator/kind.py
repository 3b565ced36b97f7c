"""How the grader handles the student's own generator, and its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from grader.exercises.generator import judge as judges
from grader.exercises.generator.given_walk import is_given_walk, walks_alike
from grader.exercises.generator.judge import judge_dimension, made, mazes_of, size
from grader.exercises.kit.check import (
    Case,
    Check,
    Claims,
    Judge,
    PlannedExercise,
    Wrong,
    case_ladder,
    each,
    of_a_dimension,
    together,
)
from grader.exercises.kit.findings import SHOWN, Finding, unmarked
from grader.exercises.kit.kind import Gallery, Kind, Sources
from grader.exercises.kit.library import CaseBook, seeds
from grader.exercises.kit.trees import Compared, Copies, given_trees
from grader.languages import Message, said, titles_in
from grader.model import Call, Claim, Generate, Json, Target
from grader.model.claims import GeneratedMazes, MazeValue
from grader.reader import Read, read_here
from lab import Dimension, Maze, Vector
from lab.recorded import Told
from lab.story import Recorded
from lab.telling import of_maze

TITLES = titles_in("generator", prefix="generator.")

SMALL = tuple(
    Dimension(rows, columns) for rows in range(1, 6) for columns in range(1, 6) if rows * columns > 1
)
LONG = (Dimension(1, 300), Dimension(300, 1))
SEEDS = 20
"""How many seeds are tried on each small dimension to show a mistake."""
GIVEN = "lab.generators.aldous_broder:AldousBroder.generate"
"""What students are given, and may not hand in."""
LARGE = (Dimension(60, 60), *LONG, Dimension(25, 80))
ROOMY = Dimension(8, 8)
SPREAD = (
    *(Dimension(3, 3), Dimension(3, 5), Dimension(5, 3), Dimension(5, 5), Dimension(4, 9), Dimension(9, 4)),
    *(Dimension(9, 9), Dimension(7, 14), Dimension(14, 7), Dimension(15, 15), Dimension(20, 20)),
)
"""Small and large dimensions, tall, wide and square, on which the source of randomness is checked."""
SPREAD_SEEDS = 6
"""Six mazes are never all alike by chance: there are 192 mazes of 3 x 3."""
WALKED = Dimension(5, 5)
"""The dimension of the mazes that are searched for AldousBroder's walk."""
WHOLE = Dimension(18, 18)
"""A dimension at which mistakes at the border matter little."""
GALLERY = (Dimension(5, 5), Dimension(8, 12), Dimension(12, 12))


def checks(book: CaseBook) -> dict[str, Callable[[], Check]]:
    """Return functions that make the checks, by id.

    All but the first and the last pay only if the mazes are mostly perfect, or perfect unless they are large.
    """
    sizes, mazes = partial(_sizes, book), _mazes
    made: dict[str, Callable[[], Check]] = {
        "perfect": lambda: _on_ladder(_check("perfect", sizes(), _each(_judge_as_asked))),
        "dimension": lambda: _on_ladder(_check("dimension", sizes(), _each(judges.judge_dimension), mazes())),
        "entry-and-exit": lambda: _on_ladder(
            _check("entry-and-exit", sizes(), _each(judges.judge_entry_and_exit), mazes())
        ),
        "same-seed": lambda: replace(
            _check("same-seed", _twins(), _judge_twins, mazes(), alone=False), control=_by_lot
        ),
        "other-seed": lambda: _check(
            "other-seed", (*_roomy(), *_spread()), _other_seeds, mazes(), alone=False
        ),
        "again": lambda: _check(
            "again",
            _seeded("again", ROOMY, times=2),
            _together(judges.judge_again),
            mazes(),
            alone=False,
        ),
        "repeat": lambda: replace(
            _check("repeat", sizes(), _each(_judge_maze), mazes()), twins=lambda case: (case,)
        ),
        "own-work": lambda: _check("own-work", _seeded("own-work", WALKED), _own_work, mazes(), alone=False),
        "large": lambda: _check("large", _large(), _each(_judge_maze)),
    }
    return {f"generator.{name}": make for name, make in made.items()}


def with_sources(
    planned: PlannedExercise, sources: Callable[[], Sources], read: Read = read_here
) -> PlannedExercise:
    """Give the check of own work the submission's files, to compare what ran with AldousBroder."""
    copies = Copies(given_trees(GIVEN), sources, read)
    checks = (
        replace(check, judge=partial(_own_work, copies=copies), note=partial(_likeness, check.cases))
        if check.id == "generator.own-work"
        else check
        for check in planned.checks
    )
    return replace(planned, checks=tuple(checks))


def gallery(_: CaseBook) -> tuple[Case, ...]:
    """Return calls that make mazes to show to the student."""
    return _cases("gallery", zip(GALLERY, seeds("gallery", len(GALLERY)), strict=True))


def _check(
    name: str, cases: tuple[Case, ...], judge: Judge, controls: tuple[Case, ...] = (), *, alone: bool = True
) -> Check:
    id_ = f"generator.{name}"
    control = _on_the_whole if controls else None
    return Check(id_, TITLES[id_], cases, judge, control, controls, alone=alone)


def _on_ladder(check: Check) -> Check:
    """Give the check small dimensions with several seeds, to show a mistake on."""
    pairs = product(sorted(SMALL, key=_cells), sorted(seeds(check.id, SEEDS)))
    return replace(check, ladder=case_ladder(_cases("small", pairs), lambda case: _cells(_size(case))))


def _size(case: Case) -> Dimension:
    return judges.size(case.call.asked(Generate))


def _cells(size: Dimension) -> int:
    return size.position_count


def _each(judge: Callable[[Generate, Claim], Finding | None]) -> Judge:
    return each(lambda case, claim: judge(case.call.asked(Generate), claim))


def _together(judge: Callable[[Generate, Sequence[Claim]], Finding | None]) -> Judge:
    return together(lambda case, claims: judge(case.call.asked(Generate), claims))


def _sizes(book: CaseBook) -> tuple[Case, ...]:
    """Return calls for all small dimensions, and for many larger ones."""
    small = zip(SMALL, seeds("generator.sizes", len(SMALL)), strict=True)
    return _cases("sizes", sorted((*small, *book.sizes()), key=lambda pair: pair[0].position_count))


def _twins() -> tuple[Case, ...]:
    """Return calls with equal seeds but different global random states, some in another process."""
    drawn = seeds("generator.same-seed", 10)
    pairs = [*product((Dimension(3, 4), ROOMY), drawn), *product(SPREAD, drawn[:2])]
    twins = [
        _case(f"same-seed/{n}/{twin}", *pair, noise=twin) for n, pair in enumerate(pairs) for twin in (0, 1)
    ]
    anew = (_case(f"same-seed/anew/{seed}", ROOMY, seed, noise=2) for seed in drawn)
    return (*twins, *(replace(case, call=replace(case.call, anew=True)) for case in anew))


def _judge_twins(cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Compare each case with the first one of the same seed and dimension."""
    first: dict[tuple[int, ...], Case] = {}
    for case in cases:
        asked = case.call.asked(Generate)
        one = first.setdefault((asked.rows, asked.columns, asked.seed), case)
        if one is case:
            continue
        judge = judges.judge_same_anew if case.call.anew else judges.judge_same
        finding = judge(asked, claims[one.call.id], claims[case.call.id])
        if finding is not None:
            return Wrong(case, finding)
    return None


def _spread() -> tuple[Case, ...]:
    """Return calls with several seeds for each of many dimensions."""
    return _cases("other-seed/spread", product(SPREAD, seeds("generator.other-seed", SPREAD_SEEDS)))


def _other_seeds(cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Judge each dimension separately: some generators are random for large ones only."""
    sizes = dict.fromkeys(map(_size, cases))
    roomy = [case for case in cases if _size(case) == ROOMY]
    found = _together(judges.judge_different)(roomy, claims) if roomy else None
    alike = (
        _together(judges.judge_not_alike)(_of_size(size, cases), claims) for size in sizes if size != ROOMY
    )
    return found or next(filter(None, alike), None)


def _by_lot(cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Control: refuse a generator that makes the same maze from every seed, or mazes far from perfect."""
    large = _of_size(WHOLE, cases)
    return _on_the_whole(cases, claims) or _together(judges.judge_different)(large, claims)


def _on_the_whole(cases: Sequence[Case], claims: Claims) -> Wrong | None:
    """Control: refuse a generator whose mazes are far from perfect.

    One that fails only in large mazes does the work: all its smaller ones are perfect.
    """
    wrong = _together(judges.judge_on_the_whole)(_of_size(WHOLE, cases), claims)
    if wrong is None or _each(judges.judge_perfect)(_of_size(ROOMY, cases), claims) is None:
        return None
    return wrong


def _of_size(size: Dimension, cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if _size(case) == size]


def _own_work(cases: Sequence[Case], claims: Claims, copies: Copies | None = None) -> Wrong | None:
    """Judge whether AldousBroder did the work; that counts only if it looks so for every seed.

    Where nothing says so, and code ran that was not compared with it, a person decides.
    """
    calls = _calls(cases, claims)
    compared = Compared() if copies is None else _compared(calls, copies)
    finding = judges.judge_own_work(calls, compared)
    if finding is None and compared.unseen:
        finding = unmarked(said("unseen_ran", names=", ".join(compared.unseen[:SHOWN])))
    return None if finding is None else Wrong(cases[0], finding)


def _calls(cases: Sequence[Case], claims: Claims) -> list[tuple[Generate, Claim]]:
    return [(case.call.asked(Generate), claims[case.call.id]) for case in cases if case.call.id in claims]


def _compared(calls: Sequence[tuple[Generate, Claim]], copies: Copies) -> Compared:
    """Return what came of comparing what ran; a box that does not tell it has shown nothing."""
    compared = copies.among(claim for _, claim in calls)
    is_told = all(claim.ran is not None for _, claim in calls if claim.outcome == "returned")
    return compared if is_told else replace(compared, unseen=(*compared.unseen, "?"))


def _likeness(cases: Sequence[Case], claims: Claims) -> Message | None:
    """Tell staff that the work walks as AldousBroder does."""
    mazes = mazes_of(_calls(cases, claims))
    if mazes and is_given_walk(mazes):
        return said("walks_alike", mazes=len(mazes))
    values = (claim.value for claim in claims.values())
    opened = dict.fromkeys(value.opened for value in values if isinstance(value, GeneratedMazes))
    walls = [[(Vector(*one), Vector(*other)) for one, other in each] for each in opened if each]
    return said("walks_alike", mazes=len(walls)) if walks_alike(WALKED, walls) else None


def _mazes() -> tuple[Case, ...]:
    return (*_cases("whole", ((WHOLE, seed) for seed in seeds("generator.whole", 4))), *_roomy())


def _roomy() -> tuple[Case, ...]:
    return _seeded("other-seed", ROOMY)


def _seeded(name: str, size: Dimension, *, times: int = 1) -> tuple[Case, ...]:
    return _cases(name, ((size, seed) for seed in seeds(f"generator.{name}", 10)), times=times)


def _large() -> tuple[Case, ...]:
    """Return the long mazes, then those large in both directions.

    The smaller of these come first, since their limit is half as long.
    """
    cases = _cases("large", zip(LARGE, seeds("generator.large", len(LARGE)), strict=True))
    by_size = sorted({size.position_count for size in LARGE})
    return tuple(
        replace(case, wave=1 + by_size.index(size.position_count))
        for size, case in zip(LARGE, cases, strict=True)
    )


def _judge_maze(asked: Generate, claim: Claim) -> Finding | None:
    return judges.judge_dimension(asked, claim) or judges.judge_perfect(asked, claim)


def _judge_as_asked(asked: Generate, claim: Claim) -> Finding | None:
    """Judge whether the maze is perfect and has the requested dimension."""
    return judges.judge_perfect(asked, claim) or judges.judge_dimension(asked, claim)


def _cases(name: str, pairs: Iterable[tuple[Dimension, int]], *, times: int = 1) -> tuple[Case, ...]:
    return tuple(
        _case(f"{name}/{number}", size, seed, times=times, noise=number)
        for number, (size, seed) in enumerate(pairs)
    )


def _case(name: str, size: Dimension, seed: int, *, times: int = 1, noise: int = 0) -> Case:
    rows, columns = size.row_count, size.column_count
    arguments = Generate(rows, columns, seed, times, noise)
    group = f"generator.{name.split('/')[0]}"
    call = Call(f"generator/{name}", arguments, group=group)
    code = f"MyGenerator(Random({seed})).generate(Factory(), Dimension({rows}, {columns}))"
    return Case(
        call, said("with_seed", label=said("a_dimension", size=str(size)), seed=seed), None, code=code
    )


def _reproduce(_target: Target, case: Case, file: str) -> Json:
    """Return a command that makes the maze, or several with one generator."""
    asked = case.call.asked(Generate)
    rows, columns, seed = asked.rows, asked.columns, asked.seed
    if asked.times > 1:
        code = "from random import Random; from lab import Dimension, Factory; "
        code += f"from generators.my_generator import MyGenerator; g = MyGenerator(Random({seed})); "
        each = f"g.generate(Factory(), Dimension({rows}, {columns})).to_text()"
        return {"file": None, "command": f'python -c "{code}[print({each}) for _ in range({asked.times})]"'}
    command = f"maze generate {file} -r {rows} -c {columns} --algorithm mine --seed {seed}"
    return {"file": None, "command": command}


def _picture(case: Case, claim: Claim) -> dict[str, Json] | None:
    asked = case.call.asked(Generate)
    if judge_dimension(asked, claim) is not None:
        return None
    (maze,) = made(claim)
    return {"rows": asked.rows, "columns": asked.columns, "seed": asked.seed, "maze": maze.text}


def _story(_exercise: str, wrong: Wrong, claim: Claim, run: Recorded) -> list[Told]:
    """Tell which wall closed a cycle, or which cells stayed apart; of luck, what was drawn from."""
    mazes = [Maze.from_text(each.text) for each in claim.made if isinstance(each, MazeValue)]
    is_one = len(mazes) == wrong.case.call.asked(Generate).times == 1
    told = of_maze(run, mazes[0]) if is_one else []
    return told or (run.of_luck() if mazes else [])


KIND = Kind(
    titles=lambda _: TITLES,
    checks=lambda book, _: checks(book),
    sentence=lambda _exercise, wrong: (
        said("decides", finding=wrong.finding.message)
        if wrong.finding.decides
        else said("for_a_dimension", **wrong.told())
    ),
    reproduce=_reproduce,
    hidden_kind=lambda case: of_a_dimension(size(case.call.asked(Generate))),
    with_sources=with_sources,
    told_by_check={"repeat": "generator-remembers"},
    gallery=Gallery(gallery, _picture),
    story=_story,
)
