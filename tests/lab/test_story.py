"""Stories of recorded calls: every sentence was seen in the run, at the line that it names."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import Maze, Vector
from lab.recorded import Told
from lab.steps import MOST_EVENTS, Event, StepRecorder, shown
from lab.story import MOST_STEPS, SENTENCES, Recorded
from lab.watch import STREAMS, Watch, WatchedMaze
from tests.rounds import untraced

CORRIDOR = "+-+-+-+\n|S    |\n+-+-+-+\n"
ROOM = "+-+-+\n|S  |\n+   +\n|  E|\n+-+-+\n".replace("+   +", "+ + +")
HEAD = "class DFS:\n    def solve(self, maze, search):\n"


def recorded(code: str, text: str, path: Path) -> Recorded:
    """Record a solver's call in this process."""
    path.write_text(code, encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "student"}
    exec(compile(code, str(path), "exec"), scope)  # noqa: S102 - the test's own code
    watch = Watch(_bound())
    recorder = StepRecorder(lambda file: file == str(path))
    recorder.watch({name: getattr(watch, name) for name in STREAMS})
    with untraced(), suppress(Exception), recorder:
        scope["DFS"]().solve(WatchedMaze.of(Maze.from_text(text), watch), None)
    return Recorded(code, recorder.events)


def _bound() -> Any:
    left = iter(range(500))

    def question() -> None:
        if next(left, None) is None:
            raise RuntimeError("too many questions")

    return question


def keys(told: list[Told]) -> list[tuple[str, int | None]]:
    return [(each.key, each.line) for each in told]


def test_a_cell_that_was_turned_away_is_told_with_the_values(tmp_path: Path) -> None:
    code = HEAD + (
        "        stack, visited = [maze.entry], set()\n"
        "        while stack:\n"
        "            cell = stack.pop()\n"
        "            for move in maze.valid_moves_at(cell):\n"
        "                if move not in visited:\n"
        "                    visited.add(move)\n"
        "                    stack.append(cell + move)\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    told = run.of_parting(3, "(1, 3)", None, "(1, 2)")
    assert keys(told)[:2] == [("stops", None), ("decided", 7)]
    assert told[1].values == {"cell": "(1, 3)", "test": "move not in visited", "outcome": "False"}
    assert told[1].shown == {"move": "east", "visited": "{east}"}
    assert told[-1].key == "fell_off"


def test_what_waited_is_told_where_another_cell_came_first(tmp_path: Path) -> None:
    code = HEAD + (
        "        stack = [maze.entry]\n"
        "        seen = {maze.entry}\n"
        "        while stack:\n"
        "            cell = stack.pop()\n"
        "            for move in maze.valid_moves_at(cell):\n"
        "                near = cell + move\n"
        "                if near not in seen:\n"
        "                    seen.add(near)\n"
        "                    stack.append(near)\n"
    )
    run = recorded(code, ROOM, tmp_path / "dfs.py")
    told = run.of_parting(2, "(1, 2)", "(2, 1)", "(1, 1)")
    assert keys(told) == [("parts", 7), ("origin", 6), ("decided", 9), ("put", 10), ("put", 11)]
    assert told[1].shown == {"stack": "[(1, 2), (2, 1)]"}
    assert told[0].values == {"count": "2", "came": "(2, 1)", "due": "(1, 2)"}
    assert told[4].values == {"cell": "(1, 2)", "name": "stack"}


@pytest.mark.parametrize(
    ("body", "first"),
    [
        ("        return self.nothing(maze.entry)\n", ("raised", 3)),
        (
            "        try:\n            return maze.nothing()\n"
            "        except AttributeError:\n            return None\n",
            ("raised", 4),
        ),
    ],
)
def test_exceptions_that_ended_the_call_and_that_were_caught(
    body: str, first: tuple[str, int], tmp_path: Path
) -> None:
    run = recorded(HEAD + body, CORRIDOR, tmp_path / "dfs.py")
    told = run.of_swallowed() or run.of_exception() or run.of_ending()
    assert keys(told)[0] == first


def test_a_cell_to_which_the_code_comes_again(tmp_path: Path) -> None:
    code = HEAD + (
        "        stack = [maze.entry]\n"
        "        while stack:\n"
        "            cell = stack.pop()\n"
        "            for move in maze.valid_moves_at(cell):\n"
        "                stack.append(cell + move)\n"
    )
    told = recorded(code, CORRIDOR, tmp_path / "dfs.py").of_rounds()
    assert keys(told) == [("again", 6), ("put", 7)]
    assert told[0].values == {"cell": "(1, 1)"}


def test_the_line_that_put_a_wrong_move_into_the_way(tmp_path: Path) -> None:
    code = HEAD + (
        "        way = []\n        for move in maze.valid_moves_at(maze.entry):\n"
        "            way.append(move.opposite())\n        way.reverse()\n        return way\n"
    )
    told = recorded(code, ROOM, tmp_path / "dfs.py").of_element(0, "east")
    assert told[0][:3] == ("element", 5, {"came": "north", "due": "east"})
    assert told[-1].values == {"value": "[north, west]"}


def test_walls_that_close_a_cycle_or_leave_cells_apart() -> None:
    walls = [((1, 1), (1, 2)), ((1, 2), (2, 2)), ((2, 2), (2, 1)), ((2, 1), (1, 1))]
    cells = ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"]

    def run(count: int) -> Recorded:
        events = [Event("line", 1, 1)]
        for one, other in walls[:count]:
            events.append(Event("mark", 1, 1, "opened", {"0": str(one), "1": str(other)}))
        return Recorded("pass\n", [*events, Event("return", 1, 1, "a maze")])

    told = [[(str(a), str(b)) for a, b in walls[:count]] for count in range(5)]
    assert run(4).of_walls(told[4], cells)[0].key == "cycle"
    assert run(2).of_walls(told[2], cells)[0].values == {"one": "(1, 1)", "other": "(2, 1)"}
    assert run(3).of_walls(told[3], cells) == []
    assert run(4).of_walls(told[3], cells) == [], "another maze came of it"


values = st.recursive(
    st.none() | st.integers() | st.text(max_size=80) | st.tuples(st.integers(-2, 9), st.integers(-2, 9)),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=5), inner, max_size=30),
    max_leaves=60,
)


@given(values)
def test_every_value_is_a_short_text(value: object) -> None:
    assert len(shown(value)) < 400


def test_a_students_own_methods_are_never_called() -> None:
    class Trap:
        def __init__(self) -> None:
            self.cell = Vector(1, 2)

        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

        def __repr__(self) -> str:
            raise AssertionError

    assert shown([Trap()]) == "[Trap(cell=(1, 2))]"
    assert shown({"east": Vector(0, 1)}) == "{'east': east}"
    assert shown(list(range(100))).endswith(", … 100 in all]")


@given(st.integers(0, 10**6))
def test_a_story_of_any_events_holds_to_its_bounds(seed: int) -> None:
    """Events come from where the student's code runs: anything may stand in them."""
    rng = Random(seed)
    texts = ["(1, 1)", "(1, 2)", "east", "[(1, 1)]", "{}", "None", "x" * 300, "taken", "step", "opened", ""]
    events = [
        Event(
            rng.choice(["line", "mark", "raise", "return"]),
            rng.randrange(12),
            rng.randrange(3),
            rng.choice(texts),
            {name: rng.choice(texts) for name in rng.sample(["0", "1", "cell", "self.x"], rng.randrange(4))},
        )
        for _ in range(rng.randrange(40))
    ]
    code = HEAD + "        while maze:\n            if search:\n                return [self.x]\n"
    run = Recorded(code, events)
    stories = [
        *(
            run.of_rounds(),
            run.of_exception(),
            run.of_ending(),
            run.of_swallowed(),
            run.of_element(0, "east"),
        ),
        *(run.of_step(0, "s", []), run.of_walls([], ["(1, 1)"])),
        *(run.of_parting(2, "(1, 2)", came, "(1, 1)") for came in ("(1, 1)", None)),
    ]
    for told in (each for story in stories for each in story):
        assert SENTENCES[told.key].format(**told.values)
    assert MOST_STEPS < MOST_EVENTS


def test_a_full_record_takes_no_more() -> None:
    recorder = StepRecorder(lambda _: False)
    for _ in range(MOST_EVENTS + 9):
        recorder.watch({})
    assert len(recorder.events) == MOST_EVENTS


def test_an_exception_is_no_return_and_what_it_tested_no_origin(tmp_path: Path) -> None:
    code = HEAD + (
        "        cells = [maze.entry]\n"
        "        for _ in range(2):\n"
        "            cell = cells.pop()\n"
        "            if maze.is_exit(cell):\n"
        "                return []\n"
        "            cells = [cell + move for move in maze.valid_moves_at(cell)]\n"
        "        return self.lost\n"
    )
    run = recorded(code, ROOM, tmp_path / "dfs.py")
    assert [event.text for event in run.events if event.kind == "return"] == []
    told = run.of_parting(2, "(1, 2)", "(2, 1)", "(1, 1)")
    assert told[1][:3] == ("origin", 5, {"cell": "(2, 1)"})
