"""Other texts of the target's file in one process, and which lines a call ran."""

from __future__ import annotations

from dataclasses import replace

from grader.model import Fault
from grader.model.claims import IntValue
from tests.grader.session.popen_box import CHECKER, answered, checker, open_session, question


def test_each_call_is_made_on_its_own_text() -> None:
    versions = [checker(f"return {number}").encode() for number in (1, 2, 1)]
    calls = [replace(question(f"c{number}"), version=text) for number, text in enumerate(versions)]
    with open_session({CHECKER.file: checker("return 0")}) as session:
        claims = session.run(CHECKER, [question("first"), *calls])
        (after,) = session.run(CHECKER, [question("last")])
    assert [answered(claim) for claim in (*claims, after)] == [IntValue(n) for n in (0, 1, 2, 1, 0)]


def test_nothing_is_left_of_the_text_before() -> None:
    count = checker("global count\ncount += 1\nreturn count", before="count = 0")
    texts = [count.encode(), f"{count}# another".encode()]
    calls = [replace(question(f"c{number}"), version=texts[number // 2]) for number in range(4)]
    with open_session({CHECKER.file: count}) as session:
        assert [answered(claim) for claim in session.run(CHECKER, calls)] == [
            IntValue(n) for n in (1, 2, 1, 2)
        ]


def test_a_text_that_does_not_load_costs_its_own_calls_only() -> None:
    texts = [b"def (", checker("while True: pass").encode(), checker("return 3").encode()]
    calls = [replace(question(f"c{number}"), version=text) for number, text in enumerate(texts)]
    with open_session({CHECKER.file: checker("return 0")}) as session:
        broken, endless, right = session.run(CHECKER, calls)
    assert isinstance(broken.fault, Fault)
    assert (broken.fault.kind, broken.fault.stage) == ("SyntaxError", "import")
    assert endless.outcome == "endless"
    assert answered(right) == IntValue(3)


def test_the_lines_that_a_call_ran_are_told_in_order() -> None:
    text = checker("x = 1\nif maze is None:\n    x = 2\nreturn x")
    first = next(n for n, line in enumerate(text.splitlines(), start=1) if "x = 1" in line)
    with open_session({CHECKER.file: text}) as session:
        traced, plain = session.run(CHECKER, [replace(question("c1"), traced=True)]) + session.run(
            CHECKER, [question("c2")]
        )
    assert traced.lines == (first, first + 1, first + 3)
    assert plain.lines == ()
