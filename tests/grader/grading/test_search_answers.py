"""The Search that stays outside: what it answers, what it refuses, and solvers that stand on it."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import replace
from itertools import repeat
from json import loads
from random import Random
from typing import Any, cast

import pytest

from grader.errors import ProtocolError, QuestionsSpent
from grader.grading.search_answers import LOOKS, STEPS, TAKES, SearchAnswers
from grader.inside.asked_search import AskedSearch
from grader.model import Call, Limits, RunScript, Solve, Spent, Submission, Target
from grader.model.claims import VectorsValue
from grader.session.connection import MAX_QUESTION, MAX_STEPS, at_size, encode
from grader.session.session import CALL_QUESTION_BYTES, Session
from lab import MOVES, Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder
from reference.solvers import bfs, dfs, dijkstra
from reference.solvers.search import Search
from tests.fake_backends import ScriptedBackend
from tests.grader.session.popen_box import BFS, ROOM, open_session
from tests.submissions.loader import FILES

SOLVER = Target("solvers/bfs.py", "BFS")
SEARCH = Target("solvers/search.py", "Search")
WRONG = "class Search:\n    def record(self, start, move, end): raise ValueError('wrong')\n"
SOLVING = "class BFS:\n    def solve(self, maze, search):\n        {}\n"
CORRIDOR = "+-+-+-+\n|S   E|\n+-+-+-+"
SMALL = Call("c1", Solve(("+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+",)))


ANY = Call("c1", RunScript(()))
"""A call of which no maze is known."""


def ask(answers: SearchAnswers, *steps: list[Any], search: int = 1, done: int = 0) -> dict[str, object]:
    return answers.answer({"search": search, "done": done, "steps": list(steps)})


def test_what_a_step_changes_is_answered() -> None:
    answers = SearchAnswers(ANY)
    found = [["record", [[1, 1], [0, 1], [1, 2]]], ["record", [[1, 2], [0, -1], [1, 1]]]]
    told = ask(answers, ["mark_as_pending", [[1, 1]]], ["first_pending", []], *found)
    assert told["changes"] == [[1, 1], []]
    again = [["mark_as_pending", [[1, 3]]], ["record", [[1, 3], [0, -1], [1, 2]]]]
    assert ask(answers, *again)["changes"] == [[]]
    assert ask(answers, ["record", [[1, 3], [1, 0], [2, 3]]], *again[:1])["changes"] == [[1, 1]]
    with pytest.raises(ProtocolError, match="foreseen"):
        ask(answers, *found, search=2, done=1)


class Asked(AskedSearch):
    """A search that asks in this process; how often, and how many turns were counted."""

    def __init__(self, *mazes: str) -> None:
        answers, self.asked, self.turns = SearchAnswers(Call("c1", Solve(mazes))), 0, 0

        def ask(number: int, done: int, steps: list[list[Any]]) -> dict[str, Any]:
            self.asked += 1
            question = {"search": number, "done": done, "steps": steps}
            answer: dict[str, Any] = loads(encode(answers.answer(loads(encode(question)))))
            return answer

        def turn() -> None:
            self.turns += 1

        super().__init__(ask, turn, 1)


def room(side: int) -> Maze:
    return Factory().fully_connected(Dimension(side, side))


ROOM_OF_SIX = room(6)


@pytest.mark.parametrize("style", [*TAKES, ""])
@pytest.mark.parametrize("seed", range(15))
def test_it_is_like_a_search_that_is_there(style: str, seed: int) -> None:
    """Whatever is done, foreseen or not, in a maze that is known to the grader or in another one."""
    luck = Random(seed)
    searches: list[Any] = [Asked(*[ROOM_OF_SIX.to_text()] * (seed % 3)), Search()]
    steps = {"visit": 8 * (seed % 2) + 1, "take": 1, "record": 1, "mark": 1, "left": 1, "look": 1}
    current = Vector(1, 1)
    for each in searches:
        each.mark_as_pending(current)
    for _ in range(150):
        (step,) = luck.choices([*steps], [*steps.values()])
        method, known = style or luck.choice(TAKES), [*searches[1].known_cells]
        cell = luck.choice([*known, Vector(luck.randint(1, 7), luck.randint(1, 7))])
        begun, move = luck.choice([current, luck.choice(known)]), luck.choice(MOVES)
        told = [_made(step, each, method, cell, begun, move) for each in searches]
        assert told[0] == told[1]
        current = told[0] if isinstance(told[0], Vector) else current


def _made(step: str, search: Any, method: str, cell: Vector, begun: Vector, move: Vector) -> object:
    """Make a step, and return what it tells: of a visit, the cell."""
    if step == "mark":
        return search.mark_as_pending(cell)
    if step == "record":
        return search.record(begun, move, begun + move)
    if step == "look":
        known = search.known_cells
        return known, [(search.distance_to(each), _way(search, each)) for each in known]
    if step == "left" or not search.has_pending_cells():
        return search.has_pending_cells()
    taken = getattr(search, method)()
    if step == "visit" and Dimension(6, 6).includes(taken):
        for way in ROOM_OF_SIX.valid_moves_at(taken):
            search.record(taken, way, taken + way)
    return taken


def _way(search: Any, cell: Vector) -> object:
    try:
        return search.moves_to(cell)
    except (LookupError, RuntimeError) as error:
        return type(error)


class WestFirst:
    """A solver with other habits: the last way first, and no way back to what it knows."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.last_pending()
            if maze.is_exit(cell):
                return search.moves_to(cell)
            for move in reversed(maze.valid_moves_at(cell)):
                if cell + move not in search.known_cells:
                    search.record(cell, move, cell + move)
        return None


@pytest.mark.parametrize("solver", [dfs.DFS, bfs.BFS, dijkstra.Dijkstra, WestFirst])
def test_a_solver_asks_once_for_many_cells(solver: Any) -> None:
    maze = AldousBroder(Random(1)).generate(Factory(), Dimension(30, 30))
    for each in (maze, room(20)):
        search = Asked(each.to_text())
        assert solver().solve(each, search) == solver().solve(each, Search())
        assert search.asked < 30


def test_a_look_at_a_search_is_a_turn_and_so_is_what_it_looks_through() -> None:
    search = Asked()
    search.mark_as_pending(Vector(1, 1))
    for cell in [(1, n) for n in range(1, 9)]:
        search.record(Vector(*cell), MOVES[1], Vector(*cell) + MOVES[1])
    assert search.has_pending_cells()
    before = search.turns
    search.distance_to(Vector(1, 9))
    assert search.turns == before + 1
    search.moves_to(Vector(1, 9))
    assert search.turns == before + 2 + 8
    search.closest_pending()
    assert search.turns >= before + 3 + 8 + 9


def test_an_exception_is_told_as_what_it_is() -> None:
    with pytest.raises(LookupError, match="no cell is pending"):
        Asked().first_pending()
    unknown = ask(SearchAnswers(ANY), ["record", [[9, 9], [0, 1], [9, 10]]], ["first_pending", []])
    assert (unknown["changes"], "lookup" in unknown) == ([], True)
    search = Asked()
    search.record(Vector(9, 9), MOVES[1], Vector(9, 10))
    with pytest.raises(LookupError):
        search.has_pending_cells()
    assert not search.has_pending_cells()


@pytest.mark.parametrize(
    "question",
    [
        {},
        {"search": "1", "done": 0, "steps": [["first_pending", []]]},
        {"search": True, "done": 0, "steps": [["first_pending", []]]},
        {"search": 1, "done": "0", "steps": [["first_pending", []]]},
        {"search": 1, "done": True, "steps": [["first_pending", []]]},
        {"search": 1, "done": -1, "steps": [["first_pending", []]]},
        {"search": 1, "steps": [["first_pending", []]]},
        {"search": 1, "done": 0, "steps": []},
        {"search": 1, "done": 0, "steps": ["first_pending"]},
        {"search": 1, "done": 0, "steps": [["_take", [[1, 1]]]]},
        {"search": 1, "done": 0, "steps": [["__class__", []]]},
        {"search": 1, "done": 0, "steps": [["first_pending", [[1, 1]]]]},
        {"search": 1, "done": 0, "steps": [["mark_as_pending", [[1, "1"]]]]},
        {"search": 1, "done": 0, "steps": [["mark_as_pending", [[1, True]]]]},
        {"search": 1, "done": 0, "steps": [["mark_as_pending", [[1, 2**40]]]]},
        {"search": 1, "done": 0, "steps": [["mark_as_pending", [[1, 2, 3]]]]},
        {"search": 1, "done": 0, "steps": [["mark_as_pending", [[1, 1]]]] * (MAX_STEPS + 1)},
    ],
)
def test_a_question_of_another_shape_is_refused(question: dict[str, object]) -> None:
    with pytest.raises(ProtocolError):
        SearchAnswers(ANY).answer(question)


LONG = 2_000
WAY = [["mark_as_pending", [[1, 1]]], *(["record", [[1, n], [0, 1], [1, n + 1]]] for n in range(1, LONG))]


@pytest.mark.parametrize(
    "steps",
    [
        [["record", [[1, 1], [0, 1], [1, 2]]]],
        [["mark_as_pending", [[1, 1]]]],
        [["mark_as_pending", [[1, LONG]]], ["closest_pending", []]],
        [["mark_as_pending", [[1, LONG]]], ["last_pending", []]],
    ],
    ids=["records", "marks", "closest", "last"],
)
@pytest.mark.parametrize("goes_on", [False, True])
def test_no_call_makes_more_steps_or_looks_through_more_cells_than_it_may(
    steps: list[Any], *, goes_on: bool
) -> None:
    """Among many cells, the same again and again, or what is foreseen as long as there is any."""
    answers = SearchAnswers(SMALL)
    for start in range(0, LONG, 500):
        ask(answers, *WAY[start : start + 500])
    foreseen: list[Any] = []

    def go_on(_: object) -> None:
        done = len(foreseen) if goes_on else 0
        foreseen[:] = cast(list[Any], ask(answers, *steps, done=done).get("foreseen", []))

    with pytest.raises(QuestionsSpent) as spent:
        deque(map(go_on, repeat(None)), maxlen=0)
    steps_of_small, most = (at_size(4, factors) for factors in (STEPS, LOOKS))
    assert steps_of_small < spent.value.count <= steps_of_small + 1000 or most < answers.looks
    assert answers.looks < 3 * most  # one question alone may look through many


def scripted(*lines: bytes) -> Session:
    return Session(
        ScriptedBackend(scripts=[[line + b"\n" for line in lines], []]),
        Limits(),
        Submission("", dict.fromkeys(FILES.values(), b"")),
    )


def asked(*steps: list[Any], **more: object) -> bytes:
    return encode(
        {"type": "question", "round": 1, "id": "c1", "search": 1, "done": 0, "steps": [*steps], **more}
    ).strip()


def test_a_solver_that_asks_without_end_is_endless_on_every_machine() -> None:
    """No box counts here: that of a submission may lie about what was asked."""
    most = at_size(3, STEPS)
    lines = [asked(*[["mark_as_pending", [[1, 1]]]] * MAX_STEPS)] * (most // MAX_STEPS + 1)
    with scripted(*lines) as session:
        claim = solve(session, CORRIDOR)
        assert session.restarts == 0  # or calls would be violations after some of them
    assert claim.outcome == "endless"
    assert claim.spent == Spent("questions", most + 1, 3)


@pytest.mark.parametrize("count", [1, CALL_QUESTION_BYTES // MAX_QUESTION + 1])
def test_a_question_takes_no_more_bytes_than_its_steps_need(count: int) -> None:
    line = asked(
        ["mark_as_pending", [[1, 1]]], more="x" * (MAX_QUESTION - 200 if count > 1 else MAX_QUESTION)
    )
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
    'import os; os.write(9, b\'?{"search":1,"done":0,"steps":[["_take",[]]]}\\n\'); return None': "violation",
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
        '        os.write(9, b\'?{"search":1,"done":0,"steps":[["first_pending",[]]]}\\n\')\n'
    )
    with open_session({SOLVER.file: code, "solvers/search.py": WRONG}) as session:
        (claim,) = session.run(SOLVER, [Call("c1", Solve((CORRIDOR,)))])
    assert claim.outcome == "violation"
