"""How the mistakes that hints are about are told; of the whole corpus in tests/grader/test_corpus.py."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import Formatter

import pytest

from grader.exercises.kit.kind import HANDED_OVER, diagnose, diagnose_each, told_by_checks
from grader.exercises.kit.solvers.exploring import journey, right_styles
from grader.exercises.registry import kind_of, misconceptions
from grader.languages import catalogue, languages
from grader.model import Call, Claim, Fault, Solve
from grader.model.claims import SolveRun, SolveRuns, VectorsValue
from grader.session.connection import size_of
from lab import Vector
from lab.exercises import SOLVER_IDS
from reference.solvers.bfs import BFS
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.exercises.misconceptions.in_process import calls_of, claims_of, planned
from tests.submissions.loader import EXERCISES, Case, cases

MOST = 90
"""At most 90 calls of an exercise are made here."""

MOST_CELLS = 400
"""Calls of at most 400 cells, or steps, are enough here."""


def some_calls(exercise: str) -> tuple[Call, ...]:
    """Calls of all kinds, and small mazes rather than large ones."""
    calls = [call for call in calls_of(exercise) if size_of(call) <= MOST_CELLS or exercise == "generator"]
    return tuple(calls[:: max(1, len(calls) // MOST)])


def test_every_mistake_of_the_corpus_has_its_model() -> None:
    named = [
        (case, id_) for case in cases() for id_ in case.expectation.exercises if case.expectation.mistake
    ]
    assert len(named) > 100
    held = {f"{exercise}.{case.expectation.mistake}" for case, exercise in named}
    assert held <= set(misconceptions())
    assert not [case for case in cases("right") if case.expectation.mistake]


TOLD_BY_CHECKS = [
    f"generator.{HANDED_OVER}",
    *(f"{id_}.{name}" for id_ in EXERCISES for name in kind_of(id_).told_by_check.values()),
]


def test_no_two_models_of_an_exercise_have_one_name() -> None:
    assert len(set(misconceptions())) == len(misconceptions())
    assert {id_.partition(".")[0] for id_ in misconceptions()} == set(EXERCISES)


def test_every_hint_asks_and_takes_no_value() -> None:
    hints = {
        (language, id_): catalogue(language).hint(id_)
        for language in languages()
        for id_ in (*misconceptions(), *TOLD_BY_CHECKS)
    }
    assert {key: hint for key, hint in hints.items() if "?" not in hint} == {}
    assert {
        key: hint for key, hint in hints.items() if any(name for _, name, _, _ in Formatter().parse(hint))
    } == {}


@pytest.mark.parametrize("language", languages())
def test_no_hint_is_left_over(language: str) -> None:
    hints = {key.removeprefix("hint.") for key in catalogue(language).texts if key.startswith("hint.")}
    used = {id_ if id_ in hints else id_.partition(".")[2] for id_ in (*misconceptions(), *TOLD_BY_CHECKS)}
    assert hints == used


def test_an_exercise_may_have_words_of_its_own_for_a_name_that_others_share() -> None:
    english = catalogue("en")
    assert english.hint("bfs.remembers-the-maze-before") == english("hint.remembers-the-maze-before")
    assert english.hint("search.shared") == english("hint.search.shared")
    assert english.hint("dfs.no-such-model") == ""


@pytest.mark.parametrize("exercise", SOLVER_IDS)
def test_right_styles_visit_the_cells_of_the_lab(exercise: str) -> None:
    """Maze C of the lab; a solver that stops at sight of the exit visits a part."""
    text = "+-+-+-+\n|   | |\n+-+ + +\n|  S  |\n+ +-+ +\n|  E| |\n+-+-+-+"
    order = {"dfs": "22 12 11 23 13 33 21 31 32"}.get(exercise, "22 12 23 21 11 13 33 31 32")
    whole = tuple(Vector(int(cell[0]), int(cell[1])) for cell in order.split())
    for style in right_styles(exercise):
        made = journey(style, text)
        assert made.visits in (whole, whole[:-1])
        assert made.cells == ((2, 2), (2, 1), (3, 1), (3, 2))


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ([], None),
        (["dfs.repeat"], "dfs.remembers-the-maze-before"),
        (["dfs.repeat", "dfs.large"], None),
        (["dfs.large"], None),
    ],
)
def test_a_check_about_one_mistake_tells_it_where_no_other_is_lost(
    lost: Sequence[str], told: str | None
) -> None:
    assert told_by_checks(kind_of("dfs"), "dfs", lost, decides=False) == told


def test_whose_work_it_is_decides_over_all_else() -> None:
    told = told_by_checks(
        kind_of("generator"), "generator", ["generator.perfect", "generator.own-work"], decides=True
    )
    assert told == "generator.work-of-another"


def test_a_few_runs_are_no_evidence() -> None:
    text = "+-+-+\n|S E|\n+-+-+"
    run = SolveRun(VectorsValue(((0, -1),)), (), (), (), (), used_search=False, late_looks=0, changed=None)
    calls = [Call(str(number), Solve((text,))) for number in range(3)]
    assert (
        diagnose(
            kind_of("dfs"), "dfs", [(call, Claim(call.id, "returned", SolveRuns((run,)))) for call in calls]
        )
        is None
    )


def test_a_call_that_was_never_made_shows_nothing(tmp_path: Path) -> None:
    pairs = claims_of(Case("wrong", "dfs-west-first-own-stack"), "dfs", tmp_path, some_calls("dfs"))
    late = [(call, Claim(call.id, "timeout", fault=Fault("not run", ""))) for call, _ in pairs[::3]]
    assert diagnose(kind_of("dfs"), "dfs", [*late, *pairs]) == "dfs.west-first"


ROOMS = ("+-+-+\n|S  |\n+ + +\n|   |\n+-+-+", "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+")
TREE = "+-+-+\n|S  |\n+ +-+\n|   |\n+-+-+"


def ended(texts: Sequence[str], *endless: str) -> list[tuple[Call, Claim]]:
    """What a right BFS answers, but where it has no end."""
    calls = [Call(text, Solve((text,))) for text in texts]
    claims = run_with(BFS, Search)(calls, False)
    late = {text: Claim(text, "timeout") for text in endless}
    return [(call, late.get(call.id, claim)) for call, claim in zip(calls, claims, strict=True)]


@pytest.mark.parametrize(
    ("endless", "hint"),
    [
        (ROOMS, "bfs.forgets-to-mark"),
        ((*ROOMS, TREE), "bfs.forgets-to-mark"),
        (ROOMS[:1], None),
        ((ROOMS[0], TREE), "bfs.waits-without-a-way"),
        ((ROOMS[1], TREE), None),
    ],
    ids=str,
)
def test_who_walks_in_circles_has_no_end_where_there_are_any(
    endless: Sequence[str], hint: str | None
) -> None:
    corridors = ["+" + "-+" * n + "\n|S" + " " * (2 * n - 3) + "E|\n+" + "-+" * n for n in range(2, 20)]
    assert diagnose(kind_of("bfs"), "bfs", ended((*corridors, *ROOMS, TREE), *endless)) == hint


@pytest.mark.parametrize("outcome", ["timeout", "died", "violation", "missing", "out-of-memory"])
@pytest.mark.parametrize("exercise", EXERCISES)
def test_claims_without_a_value_are_taken_in(exercise: str, outcome: str) -> None:
    pairs = [(call, Claim(call.id, outcome)) for call in some_calls(exercise)]  # type: ignore[arg-type]
    told = diagnose(kind_of(exercise), exercise, pairs)
    assert told is None


STACK = """
from lab import Solver

class DFS(Solver):
    def solve(self, maze, search):
        stack = [(maze.entry, [], [maze.entry])]
        visited = set()
        while stack:
            cell, moves, cells = stack.pop()
            if cell == maze.exit:
                return {found}
            visited.add(cell)
            for move in maze.valid_moves_at(cell):
                if cell + move not in visited:
                    stack.append((cell + move, moves + [move], cells + [cell + move]))
        return {nothing}
"""
FEW, SMALL = 25, 60
"""At most 25 cases of a check, of mazes of at most 60 cells, are enough here."""


@pytest.mark.parametrize(
    ("found", "nothing", "slip", "of"),
    [
        ("moves", "[]", "dfs.another-no-way", "no-way"),
        ("moves", "False", "dfs.another-no-way", "no-way"),
        ("cells", "None", "dfs.cells-for-moves", "valid-path"),
        ("cells[1:]", "None", "dfs.cells-for-moves", "valid-path"),
    ],
)
def test_a_slip_does_not_hide_the_mistake_behind_it(found: str, nothing: str, slip: str, of: str) -> None:
    names: dict[str, type] = {}
    exec(STACK.format(found=found, nothing=nothing), names)  # noqa: S102 - it stands above
    run = run_with(names["DFS"], Search)
    calls = {
        check.id: [case.call for case in check.cases if size_of(case.call) <= SMALL][:FEW]
        for check in planned("dfs").checks
    }
    seen = {id_: list(zip(each, run(each, False), strict=True)) for id_, each in calls.items()}
    told = diagnose_each(kind_of("dfs"), "dfs", seen)
    assert told[f"dfs.{of}"] == slip
    assert told["dfs.visit-order"] == "dfs.west-first"
