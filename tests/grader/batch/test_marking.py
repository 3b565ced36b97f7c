"""What persons mark: criteria, points beside them, two markers, changed criteria, and the order of it all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.batch.ledger import decisions
from grader.batch.marking import Pair, tell_agreement, weighted_kappa
from grader.batch.marking_desk import Mark, answer_of, mark_answer, questions, take_answer, take_back
from grader.batch.marking_prompts import mark_one_by_one
from grader.cli import main
from grader.errors import InputError
from grader.feedback import render_html, render_markdown, render_text
from grader.results import read
from tests.grader.batch.marked_class import NAMES, record, report, results_of

CRITERIA = {"Names a claim": 2.0, "Gives a reason": 3.0}


def essay_of(name: str, *, criteria: dict[str, float] = CRITERIA, **more: Any) -> dict[str, Any]:
    """Return a result with 40 of 45 points by the grader, and a check of 5 that a person marks."""
    found = results_of(40.0)
    (exercise,) = found["exercises"]
    check = exercise["checks"][0] | {
        "id": "dfs.why",
        "title": "Why",
        "status": "unmarked",
        "score": 0.0,
        "max_score": sum(criteria.values()),
        "message": "A person marks this.",
        "counterexample": None,
        "criteria": [{"text": text, "points": points} for text, points in criteria.items()],
        **more,
    }
    html = f"<p>by nobody but {name[0]}</p>"
    exercise["checks"].append(check)
    exercise["handed_in"] = {"file": "why.md", "digest": name, "text": f"by {name[0]}", "html": html}
    exercise["max_score"] += check["max_score"]
    found["max_score"] = exercise["max_score"]
    return found


def class_of(out: Path, **more: Any) -> Path:
    out.mkdir(exist_ok=True)
    for name in NAMES:
        record(out, name, essay_of(name, **more))
    report(out)
    return out


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return class_of(tmp_path / "results")


def give(out: Path, who: str, *criteria: str, more: float = 0.0, reason: str = "") -> str:
    """Mark the first answer that waits for this person; return whose it was."""
    item = questions(out, who)[0].waiting[0]
    before = {name: len(known) for name, known in decisions(out).items()}
    mark_answer(out, item, Mark(who, criteria, more, reason))
    after = decisions(out)
    return next(name for name in after if len(after[name]) > before.get(name, 0))


def why(out: Path, name: str) -> dict[str, Any]:
    check: Any = read(out / name / "results.json")["exercises"][0]["checks"][-1]
    return dict(check)


def test_a_mark_counts_and_says_who_gave_it(out: Path) -> None:
    name = give(out, "grace", "Gives a reason", more=1.0, reason="a fine example")
    results = read(out / name / "results.json")
    check = why(out, name)
    assert (check["status"], check["score"], results["score"]) == ("failed", 4.0, 44.0)
    assert check["message"] == "grace marked this: 4 of 5 points."
    for shown in (render_text(results), render_markdown(results), render_html(results)):
        assert "grace marked this" in shown
        assert "a fine example" in shown


def test_all_points_pass(out: Path) -> None:
    name = give(out, "grace", *CRITERIA)
    assert (why(out, name)["status"], why(out, name)["score"]) == ("passed", 5.0)


def test_until_it_is_marked_all_say_so(out: Path) -> None:
    results = read(out / "ada_1" / "results.json")
    for shown in (render_text(results), render_markdown(results), render_html(results)):
        assert "40 of 100 points so far; 5 are not marked yet" in shown
    assert results["max_score"] == 105.0
    table = (out / "grades.csv").read_text(encoding="utf-8")
    assert "40 of 100 so far; 5 are not marked yet" in table
    assert ",unmarked," in table.splitlines()[0]


def test_a_single_point_is_open(tmp_path: Path) -> None:
    out = class_of(tmp_path / "results", criteria={"Names a claim": 1.0})
    assert "40 of 100 points so far; 1 is not marked yet" in render_text(read(out / "ada_1" / "results.json"))


@pytest.mark.parametrize(("more", "criteria"), [(1.0, tuple(CRITERIA)), (-1.0, ())])
def test_no_mark_lies_below_nothing_or_above_all(out: Path, more: float, criteria: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="so that the check has from 0 to 5"):
        give(out, "grace", *criteria, more=more, reason="why not")


def test_points_beside_criteria_want_a_reason_and_criteria_their_text(out: Path) -> None:
    with pytest.raises(InputError, match="expected a reason"):
        give(out, "grace", more=1.0)
    with pytest.raises(InputError, match="did you mean 'Gives a reason'"):
        give(out, "grace", "Gives reason")


def test_what_is_taken_back_waits_again(out: Path) -> None:
    name = give(out, "grace", "Gives a reason")
    item = take_back(out, "grace")
    assert item in questions(out, "grace")[0].waiting
    assert (why(out, name)["status"], why(out, name)["message"]) == ("unmarked", "A person marks this.")
    assert read(out / name / "results.json")["score"] == 40.0
    with pytest.raises(InputError, match="nothing of yours"):
        take_back(out, "grace")


def test_answers_come_without_names_and_taken_ones_to_nobody_else(out: Path) -> None:
    (question,) = questions(out, "grace")
    assert len(question.waiting) == 3
    first = answer_of(out, question.waiting[0])
    assert not any(name in repr(first) for name in NAMES)
    assert take_answer(out, first.item, "bo")
    (left,) = questions(out, "grace")
    assert (len(left.waiting), left.taken) == (2, 1)
    with pytest.raises(InputError, match="bo has taken"):
        mark_answer(out, first.item, Mark("grace", ()))


def test_a_mark_holds_as_long_as_the_file_is_the_same(out: Path) -> None:
    name = give(out, "grace", *CRITERIA)
    again = essay_of(name)
    record(out, name, again)
    report(out)
    assert why(out, name)["score"] == 5.0
    again["exercises"][0]["handed_in"]["digest"] = "another"
    record(out, name, again)
    report(out)
    assert why(out, name)["status"] == "unmarked"


def test_changed_points_count_and_a_text_that_is_gone_is_an_item(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = give(out, "grace", "Gives a reason")
    class_of(out, criteria={"Names a claim": 1.0, "Gives a reason": 4.0})
    assert why(out, name)["score"] == 4.0
    class_of(out, criteria={"Names a claim": 1.0, "Gives two reasons": 4.0})
    assert (why(out, name)["score"], why(out, name)["gone"]) == (0.0, ["Gives a reason"])
    assert main(["review", str(out)]) == 0
    assert f"{name}: dfs.why: it met what is no criterion any more: Gives a reason" in capsys.readouterr().out
    items = [each for question in questions(out, "grace") for each in question.waiting]
    assert len(items) == 3  # the two that wait, and the one to be marked anew


# --- two markers ------------------------------------------------------------------------------------


def twice(out: Path, one: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Have ada's work marked by two persons, with these criteria; return its name."""
    for who, criteria in (("grace", one), ("alan", other)):
        while (name := give(out, who, *criteria)) != "ada_1":
            pass
    return name


def test_two_markers_near_each_other_give_the_mean(tmp_path: Path) -> None:
    out = class_of(tmp_path / "results", differ=2.0)
    name = give(out, "grace", "Names a claim", "Gives a reason")
    assert why(out, name)["status"] == "unmarked"
    assert all("marked" not in why(out, name)["message"] for name in NAMES)
    assert len(questions(out, "grace")[0].waiting) == 2
    twice(out, tuple(CRITERIA), ("Gives a reason",))
    check = why(out, "ada_1")
    assert (check["score"], check["message"]) == (4.0, "grace & alan marked this: 4 of 5 points.")
    assert "dfs.why: " in tell_agreement(out)


def test_two_markers_far_apart_wait_for_a_third(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = class_of(tmp_path / "results", differ=2.0)
    twice(out, (), tuple(CRITERIA))
    assert (why(out, "ada_1")["status"], why(out, "ada_1")["apart"]) == ("unmarked", [0.0, 5.0])
    assert main(["review", str(out)]) == 0
    assert "two persons gave 0 and 5 points, more than 2 apart" in capsys.readouterr().out
    shown = [answer_of(out, item) for item in questions(out, "third")[0].waiting]
    apart = [each for each in shown if each.apart]
    assert {each.apart for each in apart} == {(0.0, 5.0)}
    for each in apart:
        mark_answer(out, each.item, Mark("third", ("Gives a reason",)))
    assert why(out, "ada_1")["score"] == 3.0


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        ([(1.0, 1.0), (5.0, 5.0)], 1.0),
        ([(1.0, 5.0), (5.0, 1.0)], -1.0),
        ([(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)], 0.0),
        ([(0.0, 0.0), (1.0, 1.0), (2.0, 1.0)], 2 / 3),
        ([(3.0, 3.0), (3.0, 3.0)], None),
    ],
)
def test_kappa_with_quadratic_weights(pairs: list[Pair], kappa: float | None) -> None:
    assert weighted_kappa(pairs) == (None if kappa is None else pytest.approx(kappa))


# --- on the terminal, and in exports ----------------------------------------------------------------


def test_marking_on_the_terminal(out: Path) -> None:
    said, keys, lines = list[str](), iter("2nu12ns1m2n"), iter(["-1", "short"])
    last = mark_one_by_one(out, "grace", said.append, lambda _: next(lines), lambda _: next(keys, ""))
    assert last == "d"  # nothing is left
    scores = sorted(why(out, name)["score"] for name in NAMES)
    assert scores == [0.0, 4.0, 5.0]
    assert any("taken back" in line for line in said)
    assert not any(name in line for line in said for name in NAMES)


def test_an_export_names_what_is_not_marked(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    give(out, "grace", *CRITERIA)
    table = out.parent / "canvas.csv"
    command = ["export", "canvas", str(out), "--out", str(table), "--assignment", "Lab"]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "2 not marked yet, with points still to come: " in told
    assert "points not marked yet" not in table.read_text(encoding="utf-8")
    assert main([*command, "--anyway"]) == 0
    lines = table.read_text(encoding="utf-8").splitlines()
    assert lines[0].endswith(",points not marked yet")
    assert sorted(line.rpartition(",")[2] for line in lines[-3:]) == ["", "5", "5"]
