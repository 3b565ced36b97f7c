"""The Search that stays outside: what it answers, what it refuses, and solvers that stand on it."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import replace
from itertools import repeat
from random import Random
from typing import Any

import pytest

from grader.errors import ProtocolError, QuestionsSpent
from grader.grading.search_answers import LOOKS, STEPS, TAKES, SearchAnswers
from grader.inside.asked_search import AskedSearch
from grader.model import Call, Limits, RunScript, Solve, Spent, Submission, Target
from grader.model.claims import VectorsValue
from grader.session.connection import MAX_QUESTION, MAX_STEPS, encode
from grader.session.session import CALL_QUESTION_BYTES, Session
from lab import MOVES, Dimension, Factory, Vector
from reference.solvers import bfs, dijkstra
from reference.solvers.search import Search
from tests.fake_backends import ScriptedBackend
from tests.grader.session.popen_box import BFS, ROOM, open_session
from tests.submissions.loader import FILES

SOLVER = Target("solvers/bfs.py", "BFS")
SEARCH = Target("solvers/search.py", "Search")
WRONG = "class Search:\n    def record(self, start, move, end): raise ValueError('wrong')\n"
SOLVING = "class BFS:\n    def solve(self, maze, search):\n        {}\n"
CORRIDOR = "+-+-+-+\n|S   E|\n+-+-+-+"


def ask(answers: SearchAnswers, *steps: list[Any], search: int = 1) -> dict[str, object]:
    return answers.answer({"search": search, "steps": list(steps)})


def test_the_last_step_is_answered_and_those_before_it_are_done() -> None:
    answers = SearchAnswers(9)
    first = ask(answers, ["mark_as_pending", [[1, 1]]], ["first_pending", []])
    assert first == {"value": [1, 1], "left": False}
    found = ["record", [[1, 1], [0, 1], [1, 2]]]
    taken = dict.fromkeys(("first_pending", "last_pending", "closest_pending"), (1, 2))
    left = {"value": True, "left": True, "next": taken, "first": [(1, 2)]}
    assert ask(answers, found, ["has_pending_cells", []]) == left
    assert ask(answers, ["moves_to", [[1, 2]]]) == {"value": [[0, 1]], "left": True}
    assert ask(answers, ["known_cells", []]) == {"value": [[1, 1], [1, 2]], "left": True}
    assert ask(answers, ["distance_to", [[1, 2]]]) == {"value": 1, "left": True}
    assert ask(answers, ["has_pending_cells", []], search=2) == {"value": False, "left": False}, "another one"


def asked_search(size: int) -> AskedSearch:
    answers = SearchAnswers(size)
    return AskedSearch(lambda number, steps: answers.answer({"search": number, "steps": steps}), 1)


@pytest.mark.parametrize("style", [*TAKES, ""])
@pytest.mark.parametrize("seed", range(15))
def test_what_is_told_ahead_comes_as_from_a_search_that_is_there(style: str, seed: int) -> None:
    luck, asked, there = Random(seed), asked_search(36), Search()
    known = [current := Vector(1, 1)]
    for each in (asked, there):
        each.mark_as_pending(current)
    for _ in range(150):
        move, begun = luck.choice(MOVES), luck.choice([current, current, current, luck.choice(known)])
        end, does = Vector(*(begun + move)), luck.choice(["record", "record", "left", "take", "other"])
        method = style or luck.choice(TAKES)
        if does == "record" and Dimension(6, 6).includes(end):
            known.append(end)
            for each in (asked, there):
                each.record(begun, move, end)
        elif does == "take" and there.has_pending_cells():
            current = getattr(there, method)()
            assert getattr(asked, method)() == current
        elif does == "other":
            assert (asked.moves_to(current), asked.known_cells) == (
                there.moves_to(current),
                there.known_cells,
            )
        else:
            assert asked.has_pending_cells() == there.has_pending_cells()


def test_a_breadth_first_search_asks_once_for_cells_of_one_distance() -> None:
    count, answers = 0, SearchAnswers(400)

    def count_and_answer(number: int, steps: list[list[Any]]) -> dict[str, Any]:
        nonlocal count
        count += 1
        return answers.answer({"search": number, "steps": steps})

    room = Factory().fully_connected(Dimension(20, 20))
    for solver in (bfs.BFS(), dijkstra.Dijkstra()):
        count, answers = 0, SearchAnswers(400)
        assert len(solver.solve(room, AskedSearch(count_and_answer, 1)) or ()) == 38  # type: ignore[arg-type]
        assert count < 2 * 38


def test_whether_a_few_cells_are_left_is_answered_with_what_each_method_takes() -> None:
    answers = SearchAnswers(9)
    ask(answers, ["mark_as_pending", [[2, 2]]], ["first_pending", []])
    found = [["record", [[2, 2], move, [2 + move[0], 2 + move[1]]]] for move in ([-1, 0], [0, 1], [1, 0])]
    told = ask(answers, *found, ["mark_as_pending", [[2, 1]]], ["has_pending_cells", []])
    assert told["next"] == {"first_pending": (1, 2), "last_pending": (2, 1), "closest_pending": (2, 1)}
    assert "next" not in ask(answers, ["mark_as_pending", [[9, 9]]], ["has_pending_cells", []])


def test_an_exception_is_told_as_what_it_is() -> None:
    assert ask(SearchAnswers(9), ["first_pending", []]) == {"lookup": "no cell is pending", "left": False}
    unknown = ask(SearchAnswers(9), ["record", [[9, 9], [0, 1], [9, 10]]], ["first_pending", []])
    assert "lookup" in unknown


@pytest.mark.parametrize(
    "question",
    [
        {},
        {"search": "1", "steps": [["first_pending", []]]},
        {"search": True, "steps": [["first_pending", []]]},
        {"search": 1, "steps": []},
        {"search": 1, "steps": ["first_pending"]},
        {"search": 1, "steps": [["_take", [[1, 1]]]]},
        {"search": 1, "steps": [["__class__", []]]},
        {"search": 1, "steps": [["first_pending", [[1, 1]]]]},
        {"search": 1, "steps": [["mark_as_pending", [[1, "1"]]]]},
        {"search": 1, "steps": [["mark_as_pending", [[1, True]]]]},
        {"search": 1, "steps": [["mark_as_pending", [[1, 2**40]]]]},
        {"search": 1, "steps": [["mark_as_pending", [[1, 2, 3]]]]},
        {"search": 1, "steps": [["has_pending_cells", []]] * (MAX_STEPS + 1)},
    ],
)
def test_a_question_of_another_shape_is_refused(question: dict[str, object]) -> None:
    with pytest.raises(ProtocolError):
        SearchAnswers(9).answer(question)


class Counted(SearchAnswers):
    """Counts what is looked through, too."""

    looked = 0

    def _count(self, search: Any, method: str) -> None:
        super()._count(search, method)
        self.looked += len(search)


LONG = 10_000
WAY = [["mark_as_pending", [[1, 1]]], *(["record", [[1, n], [0, 1], [1, n + 1]]] for n in range(1, LONG))]
CHEAP = (["record", [[1, 1], [0, 1], [1, 2]]], ["has_pending_cells", []], ["distance_to", [[1, LONG]]])
DEAR = (
    ["mark_as_pending", [[1, 1]]],
    ["moves_to", [[1, LONG]]],
    ["known_cells", []],
    ["closest_pending", []],
)


@pytest.mark.parametrize("step", [*CHEAP, *DEAR], ids=lambda step: step[0])
def test_no_call_makes_more_steps_or_looks_through_more_cells_than_it_may(step: list[Any]) -> None:
    """A long way, and then the same question again and again."""
    answers = Counted(size=4)
    for start in range(0, LONG, 500):
        ask(answers, *WAY[start : start + 500])
    answers.looked = 0
    with pytest.raises(QuestionsSpent) as spent:
        deque((ask(answers, step) for _ in repeat(None)), maxlen=0)
    if step in CHEAP:
        assert spent.value.count == STEPS + 1
    else:
        assert answers.looked <= LOOKS[0] + 4 * LOOKS[1] + 16 * LOOKS[2]


def scripted(*lines: bytes) -> Session:
    return Session(
        ScriptedBackend(scripts=[[line + b"\n" for line in lines], []]),
        Limits(),
        Submission("", dict.fromkeys(FILES.values(), b"")),
    )


def asked(*steps: list[Any], **more: object) -> bytes:
    return encode(
        {"type": "question", "round": 1, "id": "c1", "search": 1, "steps": [*steps], **more}
    ).strip()


def test_a_solver_that_asks_without_end_is_endless_on_every_machine() -> None:
    """No box counts here: that of a submission may lie about what was asked."""
    lines = [asked(*[["has_pending_cells", []]] * MAX_STEPS)] * (STEPS // MAX_STEPS + 1)
    with scripted(*lines) as session:
        claim = solve(session, CORRIDOR)
        assert session.restarts == 0  # or calls would be violations after some of them
    assert claim.outcome == "endless"
    assert claim.spent == Spent("questions", STEPS + 1, 3)


@pytest.mark.parametrize("count", [1, CALL_QUESTION_BYTES // MAX_QUESTION + 1])
def test_a_question_takes_no_more_bytes_than_its_steps_need(count: int) -> None:
    line = asked(["has_pending_cells", []], more="x" * (MAX_QUESTION - 200 if count > 1 else MAX_QUESTION))
    with scripted(*[line] * count) as session:
        assert solve(session, CORRIDOR).outcome == "violation"


def solve(session: Session, *mazes: str) -> Any:
    (claim,) = session.run(SOLVER, [Call("c1", Solve(mazes))], answers=SearchAnswers)
    return claim


@pytest.mark.processes
@pytest.mark.parametrize("can_choose", [True, False])
def test_a_right_solver_is_right_whatever_its_own_search_does(
    can_choose: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_choose:  # no processor, as on other systems
        monkeypatch.delattr(os, "sched_setaffinity")
    with open_session({SOLVER.file: BFS, "solvers/search.py": WRONG}) as session:
        claim = solve(session, CORRIDOR, ROOM)
    assert claim.outcome == "returned"
    first, second = claim.runs
    assert first.returned == VectorsValue(((0, 1), (0, 1)), "list")
    assert first.taken == ((1, 1), (1, 2), (1, 3))
    assert first.used_search
    assert len(second.returned.value) == 2


BODIES = {
    "while True: search.mark_as_pending(maze.entry)": "endless",
    "search.mark_as_pending(maze.entry)\n        while True: search.distance_to(maze.entry)": "endless",
    "search.first_pending()": "raised",
    "search.mark_as_pending('here')": "raised",
    'import os; os.write(9, b\'?{"search":1,"steps":[["_take",[[1,1]]]]}\\n\'); return None': "violation",
    "import os; os.write(9, b'?garbage\\n'); return None": "violation",
    "search.mark_as_pending(maze.entry)\n        return [search.first_pending()] * 0": "returned",
}


@pytest.mark.processes
def test_what_goes_wrong_costs_that_call_only() -> None:
    solvers = {f"solvers/{n}.py": SOLVING.format(body) for n, body in enumerate(BODIES)}
    with open_session({**solvers, "solvers/search.py": WRONG}) as session:
        for file, outcome in zip(solvers, BODIES.values(), strict=True):
            target = Target(file, "BFS")
            (claim,) = session.run(target, [Call("c1", Solve((CORRIDOR,)))], answers=SearchAnswers)
            assert claim.outcome == outcome, solvers[file]
            assert session.run(target, [Call("c2", Solve((ROOM,)))])[0].call == "c2"


UNLOADABLE = {
    "missing": None,
    "syntax error": "class Search",
    "another name": "class Searcher:\n    pass\n",
    "import error": "import numpy\n\n\nclass Search:\n    pass\n",
    "exits": "raise SystemExit",
}
IMPORTS = (
    "from solvers.search import Search",
    "from .search import Search",
    "from search import Search",
    "import solvers.search\nSearch = solvers.search.Search",
    "from solvers import search\nSearch = search.Search",
    "from solvers.helper import Search",
)


@pytest.mark.processes
@pytest.mark.parametrize("broken", UNLOADABLE.values(), ids=[*UNLOADABLE])
def test_a_right_solver_may_name_a_search_that_cannot_be_loaded(broken: str | None) -> None:
    files = {"solvers/helper.py": "from solvers.search import Search\n"}
    for number, line in enumerate(IMPORTS):
        code = f"{line}\n{BFS}".replace("search):", "search: Search) -> None:")
        files[f"solvers/{number}.py"] = code
    with open_session(files if broken is None else {**files, "solvers/search.py": broken}) as session:
        for number, line in enumerate(IMPORTS):
            target, call = Target(f"solvers/{number}.py", "BFS"), Call("c1", Solve((CORRIDOR,)))
            (claim,) = session.run(target, [call], answers=SearchAnswers)
            (own,) = session.run(target, [replace(call, id="c2")])
            assert claim.outcome == "returned", line
            assert claim.runs[0].returned == VectorsValue(((0, 1), (0, 1)), "list")
            assert own.outcome == "raised"


ENDING = {
    "ends the process": ("import os; os._exit(0)", "died"),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "died"),
    "never ends": ("while True: pass", "endless"),
    "uses up the memory": ("x = []\nwhile True: x.append(bytearray(1 << 24))", "out-of-memory"),
}


@pytest.mark.processes
@pytest.mark.parametrize(("broken", "outcome"), ENDING.values(), ids=[*ENDING])
def test_a_search_that_ends_the_process_which_loads_it_does_not_end_the_solvers(
    broken: str, outcome: str
) -> None:
    files = {SOLVER.file: f"from solvers.search import Search\n{BFS}", "solvers/search.py": broken}
    with open_session(files) as session:
        (own,) = session.run(SOLVER, [Call("c1", Solve((CORRIDOR,)))])
        (script,) = session.run(SEARCH, [Call("c2", RunScript(((0, "has_pending_cells", ()),)))])
        claim = solve(session, CORRIDOR)
        (again,) = session.run(SOLVER, [Call("c3", Solve((CORRIDOR,)))])
    assert script.outcome == own.outcome == again.outcome == outcome
    assert claim.outcome == "returned"
    assert claim.runs[0].returned == VectorsValue(((0, 1), (0, 1)), "list")


@pytest.mark.processes
def test_who_is_not_to_ask_is_not_answered() -> None:
    code = (
        "import os\nclass BFS:\n    def solve(self, maze, search):\n"
        '        os.write(9, b\'?{"search":1,"steps":[["has_pending_cells",[]]]}\\n\')\n'
    )
    with open_session({SOLVER.file: code, "solvers/search.py": WRONG}) as session:
        (claim,) = session.run(SOLVER, [Call("c1", Solve((CORRIDOR,)))])
    assert claim.outcome == "violation"
