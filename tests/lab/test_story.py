"""Stories of recorded calls: every sentence was seen in the run, at the line that it names."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lab import Maze, Vector, noted
from lab.recorded import Told
from lab.steps import MOST_EVENTS, Event, StepRecorder, shown
from lab.story import MOST_STEPS, Recorded
from lab.story_sentences import SENTENCES
from lab.telling import shortened
from lab.watch import STREAMS, Watch, WatchedMaze
from tests.rounds import untraced

CORRIDOR = "+-+-+-+\n|S    |\n+-+-+-+\n"
ROOM = "+-+-+\n|S  |\n+   +\n|  E|\n+-+-+\n".replace("+   +", "+ + +")
HEAD = "class DFS:\n    def solve(self, maze, search):\n"


def recorded(code: str, text: str, path: Path) -> Recorded:
    """Record a solver's call in this process."""
    path.write_text(code, encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "student"}
    recorder, tree = StepRecorder(lambda file: file == str(path)), ast.parse(code)
    noted.prepare(recorder, tree, str(path))
    noted.install(recorder.note)
    exec(compile(tree, str(path), "exec"), scope)  # noqa: S102 - the test's own code
    watch = Watch(_bound())
    recorder.watch({name: getattr(watch, name) for name in STREAMS})
    with untraced(), suppress(Exception), recorder:
        scope["DFS"]().solve(WatchedMaze.of(Maze.from_text(text), watch), None)
    noted.install()
    return Recorded(code, recorder.events)


def _bound() -> Any:
    left = iter(range(500))

    def question() -> None:
        if next(left, None) is None:
            raise RuntimeError("too many questions")

    return question


def keys(told: list[Told]) -> list[tuple[str, int | None]]:
    return [(each.key, each.line) for each in told]


def test_a_line_that_only_takes_a_way_did_not_put_the_move_there(tmp_path: Path) -> None:
    code = HEAD + (
        "        waiting = [[move] for move in maze.valid_moves_at(maze.entry)]\n"
        "        way = waiting.pop()\n        return way\n"
    )
    told = recorded(code, ROOM, tmp_path / "dfs.py").of_element(0, "east")
    assert keys(told) == [("held", 4)]
    assert told[0].values == {"name": "way", "now": "[south]", "came": "south", "due": "east"}


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
    assert shown([1j, range(3), b"a"]) == "[1j, range(0, 3), b'a']"
    assert shown(list(range(100))).endswith(", … 100 in all]")


@given(st.integers(0, 10**6))
def test_a_story_of_any_events_holds_to_its_bounds(seed: int) -> None:
    """Events come from where the student's code runs: anything may stand in them."""
    rng = Random(seed)
    texts = ["(1, 1)", "(1, 2)", "east", "[(1, 1)]", "{}", "None", "x" * 300, "taken", "step", "opened", ""]
    texts += ["{{(1, 1)}, {(1, 2)}}", "(1, (2, 3))", "-7", "(1" * 14]
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
        *(run.of_step(0, Told("step", None, {"step": "s"}), []), run.of_walls([], ["(1, 1)"])),
        *(run.of_parting(2, "(1, 2)", came, "(1, 1)") for came in ("(1, 1)", None)),
    ]
    for told in (each for story in stories for each in story):
        assert SENTENCES[told.key].format(**told.values)
    assert MOST_STEPS < MOST_EVENTS


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
    assert run.of_parting(2, "(1, 2)", "(2, 1)", "(1, 1)", is_exit=True)[0].key == "past"


def test_an_exception_is_told_of_the_line_that_raised_it_and_not_of_those_that_it_passed(
    tmp_path: Path,
) -> None:
    code = HEAD + (
        "        try:\n            return self.go([])\n        except IndexError:\n            return []\n"
        "    def go(self, queue):\n        try:\n            return self.take(queue)\n"
        "        except KeyError:\n            return None\n        finally:\n            queue.append(1)\n"
        "    def take(self, queue):\n        return queue.pop()\n"
    )
    run = recorded(code, ROOM, tmp_path / "dfs.py")
    assert keys(run.of_swallowed())[:2] == [("raised", 15), ("caught", 5)]
    assert [each.text for each in run.events if each.kind == "return"] == ["[]"], (
        "none of the others returned"
    )
    uncaught = code.replace("IndexError", "ValueError")
    assert keys(recorded(uncaught, ROOM, tmp_path / "dfs.py").of_exception())[0] == ("raised", 15)
    twice = code.replace("KeyError", "IndexError").replace(".go([])", ".go([]) or [].pop()")
    assert keys(recorded(twice, ROOM, tmp_path / "dfs.py").of_swallowed())[:2] == [
        ("raised", 4),
        ("caught", 5),
    ]


def test_a_generator_that_is_never_begun_does_nothing(tmp_path: Path) -> None:
    code = HEAD + (
        "        self.walk(maze.entry)\n        kept = self.walk(maze.entry)\n        list(kept)\n"
        "    def walk(self, cell):\n        yield cell\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    told = run.of_parting(2, "(1, 2)", None, "(1, 1)")
    assert ("not_begun", 3) in keys(told)
    assert [each.values["kept"] for each in run.events if "kept" in each.values] == [
        "the generator walk, not begun",
        "the generator walk, used up",
    ]
    assert keys(run.of_generator("walk")) == [("is_generator", 7)]
    assert run.of_generator("solve") == []


def test_a_generator_that_is_gone_through_is_no_call_for_nothing(tmp_path: Path) -> None:
    code = HEAD + (
        "        for cell in self.walk(maze.entry):\n            list(self.walk(cell))\n"
        "    def walk(self, cell):\n        yield cell\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    assert "not_begun" not in {key for key, _ in keys(run.of_parting(2, "(1, 2)", None, "(1, 1)"))}


def test_a_cell_beyond_the_border_is_no_move(tmp_path: Path) -> None:
    code = HEAD + (
        "        for move in ((0, 1), (0, -1)):\n"
        "            near = maze.entry + move\n"
        "            print(near)\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    assert [each.values["near"] for each in run.events if "near" in each.values] == ["(1, 2)", "(1, 0)"]
    assert "east" in {each.values.get("move") for each in run.events}


def test_one_step_back_and_into_the_call_that_decided(tmp_path: Path) -> None:
    code = HEAD + (
        "        limit = 1\n        found = self.go(maze.entry, limit)\n"
        "        if found:\n            return []\n        return None\n"
        "    def go(self, cell, limit):\n"
        "        if limit < 2:\n            return False\n        return True\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    told = shortened([*run.of_ending(), *run.deeper(run.of_ending())])
    assert keys(told) == [("made", 4), ("test", 9), ("returned", 10), ("test", 5), ("returned", 7)]
    assert told[0].values == {"name": "found", "value": "False"}
    assert told[1].shown == {"limit": "1"}


def test_a_generator_that_ends_gives_nobody_a_none(tmp_path: Path) -> None:
    code = HEAD + (
        "        return next(self.ways(maze, maze.entry), None)\n"
        "    def ways(self, maze, cell):\n"
        "        if maze.is_exit(cell):\n            yield []\n"
        "        for move in maze.valid_moves_at(cell):\n"
        "            if move:\n                self.ways(maze, cell + move)\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    assert keys(run.deeper(run.of_ending())) == [("test", 8)]


def test_a_list_is_told_of_the_line_whose_call_changed_it(tmp_path: Path) -> None:
    code = HEAD + (
        "        way = []\n"
        "        if self.go(maze, way):\n            return way\n"
        "    def go(self, maze, way):\n"
        "        move = maze.valid_moves_at(maze.entry)[0]\n"
        "        way.append(move)\n        return True\n"
    )
    told = recorded(code, CORRIDOR, tmp_path / "dfs.py").of_element(0, "south")
    assert ("element", 8) in keys(told)


def test_a_call_that_ends_in_a_block_gives_what_its_return_gave(tmp_path: Path) -> None:
    code = HEAD + (
        "        with self as _:\n            return [maze.entry]\n\n"
        "    def __enter__(self):\n        pass\n\n    def __exit__(self, *_):\n        pass\n"
    )
    told = recorded(code, ROOM, tmp_path / "dfs.py").of_ending()
    assert [(each.key, each.line, each.values) for each in told] == [("returned", 4, {"value": "[(1, 1)]"})]
    code = HEAD + "        try:\n            return [].pop()\n        except IndexError:\n            pass\n"
    assert keys(recorded(code, ROOM, tmp_path / "dfs.py").of_ending()) == [("fell_off", 6)]


def test_a_method_that_changes_a_list_gives_none_where_it_is_used(tmp_path: Path) -> None:
    for line, is_told in (
        ("return way.reverse()", True),
        ("way = way.sort()", True),
        ("return sorted(way)", False),
        ("return way.copy()", False),
        ("way.sort()", False),
        ("return way and way.sort()", False),
        ("return maze.append(1)", False),
        ("return [way.append(move) for move in ()]", False),
    ):
        code = HEAD + f"        way = [3, 1]\n        {line}\n        return way\n"
        run = recorded(code, ROOM, tmp_path / "dfs.py")
        told = [each for each in run.deeper(run.of_ending()) if each.key == "gives_none"]
        assert bool(told) == is_told, line


def test_no_sentence_denies_what_was_not_recorded(tmp_path: Path) -> None:
    """Neither text that is run nor a thread is recorded; that a cell was nowhere is said where all was."""
    plain = HEAD + "        new = [move for move in maze.valid_moves_at(maze.entry) if move.row]\n"
    for hides in (
        "",
        "        exec('1 + 1')\n",
        "        t = Thread(target=lambda: [1 + 1])\n        t.start(); t.join()\n",
    ):
        told = recorded(
            "from threading import Thread\n" + plain + hides, CORRIDOR, tmp_path / "dfs.py"
        ).of_cell("(1, 3)")
        assert ("met_not" in {each.key for each in told}) == (not hides), hides


def test_a_cell_of_which_a_value_tells_no_more_may_have_been_come_upon(tmp_path: Path) -> None:
    """Collections are told cut short, and what is worked out stands in no variable."""
    for line in (
        "held = [[[maze.entry + (0, 1)]]]",
        "held = [*range(20), (1, 2)]",
        "_ = (maze.entry[0], 1 + 1) in [maze]",
        "_ = any(cell[1] > 2 for cell in {1: (1, 2)}.values())",
    ):
        told = recorded(HEAD + f"        {line}\n", CORRIDOR, tmp_path / "dfs.py").of_cell("(1, 2)")
        assert "met_not" not in {each.key for each in told}, line


def test_what_the_deciding_line_reads_is_told_with_the_line_that_wrote_it_last(tmp_path: Path) -> None:
    code = HEAD + (
        "        edges, cells, path = 0, 2, []\n"
        "        for cell in ((1, 1), (1, 2)):\n"
        "            for move in maze.valid_moves_at(cell):\n"
        "                edges += 1\n"
        "                path.append(cell)\n"
        "        match 1:\n"
        "            case cells:\n"
        "                if edges > cells:\n"
        "                    return path\n"
    )

    def wrote(code: str) -> list[tuple[int | None, str]]:
        run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
        story = run.deeper(run.of_ending())
        return [(each.line, each.values["name"]) for each in story if each.key == "made"]

    assert wrote(code) == [(7, "path")]
    assert wrote(code.replace("return path", "return False")) == [(6, "edges"), (9, "cells")]


def test_a_line_before_the_call_that_changed_a_value_did_not_write_it(tmp_path: Path) -> None:
    code = HEAD + (
        "        self.way = []\n        self.fill()\n        return self.way\n"
        "    def fill(self):\n        self.way.append(1)\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "dfs.py")
    assert "made" not in {each.key for each in run.deeper(run.of_ending())}


def test_of_a_condition_no_value_is_told_that_a_call_in_it_changed(tmp_path: Path) -> None:
    code = HEAD + (
        "        self.seen, cell = {maze.entry}, Vector(1, 2)\n"
        "        if cell in self.seen or self.walk(cell):\n            return []\n"
        "    def walk(self, cell):\n        self.seen.add(cell)\n        return False\n"
    )
    run = recorded("from lab import Vector\n" + code, ROOM, tmp_path / "dfs.py")
    (asked,) = (each for each in run.of_ending() if each.key in ("test", "decided"))
    assert asked.shown == {"cell": "(1, 2)"}


def test_a_line_of_an_inner_function_that_wrote_what_is_returned_is_told(tmp_path: Path) -> None:
    code = HEAD + (
        "        count = 0\n"
        "        def look():\n"
        "            nonlocal count\n"
        "            count = 7\n"
        "        look()\n"
        "        return count == 0\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "it.py")
    told = [each for each in run.deeper(run.of_ending()) if each.key == "made"]
    assert [(each.line, each.values) for each in told] == [(6, {"name": "count", "value": "7"})]


def test_a_loop_without_a_turn_is_told_apart_from_one_that_is_over(tmp_path: Path) -> None:
    for stop, told in ((1, ("loop_empty", {})), (3, ("loop_over", {"row": "2"}))):
        code = HEAD + (
            f"        for row in range(1, {stop}):\n            maze.is_exit((row, 1))\n        return None\n"
        )
        run = recorded(code, ROOM, tmp_path / "it.py")
        (over,) = (each for each in run.of_ending() if each.key.startswith("loop"))
        assert (over.key, over.shown) == told


def test_a_condition_is_told_with_the_entry_that_it_reads(tmp_path: Path) -> None:
    code = HEAD + (
        "        from collections import defaultdict\n"
        "        best = defaultdict(int)\n"
        "        for move in maze.valid_moves_at(maze.entry):\n"
        "            cell = maze.entry + move\n"
        "            if 1 < best[cell]:\n"
        "                return None\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "it.py")
    shown = [each.shown["best[cell]"] for each in run.of_ending() if each.key == "test"]
    assert shown == ["0"]


def test_what_a_condition_binds_anew_is_not_told_with_what_it_was(tmp_path: Path) -> None:
    code = HEAD + (
        "        cell = maze.entry\n"
        "        for move in maze.valid_moves_at(cell):\n"
        "            if (there := cell + move) == (9, 9):\n"
        "                return there\n"
    )
    run = recorded(code, ROOM, tmp_path / "it.py")
    (asked,) = (each for each in run.of_cell("(1, 2)") if each.key == "decided")
    assert asked.shown["move"] == "east"
    assert "there" not in asked.shown


def test_a_condition_about_where_a_move_leads_is_not_about_where_it_begins(tmp_path: Path) -> None:
    code = HEAD + (
        "        cell, seen = maze.entry, set()\n"
        "        for move in maze.valid_moves_at(cell):\n"
        "            if cell + move in seen:\n"
        "                return None\n"
    )
    run = recorded(code, ROOM, tmp_path / "it.py")
    assert [each.key for each in run.of_cell("(1, 1)") if each.key == "decided"] == []
    assert [each.shown["move"] for each in run.of_cell("(2, 1)") if each.key == "decided"] == ["south"]


def test_what_calls_only_hand_on_is_told_where_it_was_given_first(tmp_path: Path) -> None:
    code = HEAD + (
        "        if self.go(3):\n"
        "            return False\n"
        "    def go(self, left):\n"
        "        if left == 0:\n"
        "            return True\n"
        "        if self.go(left - 1):\n"
        "            return True\n"
        "        return False\n"
    )
    run = recorded(code, CORRIDOR, tmp_path / "it.py")
    told = run.deeper(run.of_ending())
    assert ("returned", 7) in keys(told)
    assert ("returned", 9) not in keys(told)


def test_where_a_way_that_was_handed_on_came_from_is_told(tmp_path: Path) -> None:
    for code, told in (
        (
            "        return self.go(maze.entry, [(2, 1)])\n"
            "    def go(self, cell, way):\n"
            "        return way\n",
            ("passed", 3, {"name": "way", "value": "[(2, 1)]"}),
        ),
        (
            "        stack = [(1, [])]\n"
            "        stack.append((2, [(2, 1)]))\n"
            "        number, way = stack.pop()\n"
            "        return way\n",
            ("entered", 4, {"name": "stack", "value": "[(2, 1)]"}),
        ),
    ):
        run = recorded(HEAD + code, CORRIDOR, tmp_path / "it.py")
        assert told in [(each.key, each.line, each.values) for each in run.deeper(run.of_ending())]


def test_a_line_of_a_call_that_had_ended_asked_for_nothing(tmp_path: Path) -> None:
    code = HEAD + (
        "        for cell in ((1, 1), (1, 2)):\n"
        "            maze.valid_moves_at(self.same(cell))\n"
        "    def same(self, cell):\n"
        "        return cell\n"
    )
    run = recorded(code, ROOM, tmp_path / "it.py")
    first, *_ = run.of_parting(2, "(2, 1)", "(1, 2)", "(1, 1)")
    assert (first.key, first.line) == ("parts", 4)
