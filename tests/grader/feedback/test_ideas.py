"""The second and the third hint: words, passages of the handout, and examples that are right."""

from __future__ import annotations

import re
from typing import Any

import pytest

from grader.exercises import registry
from grader.exercises.declaration import examples, ideas
from grader.exercises.kit.facts import facts_of
from grader.exercises.search.judge import answers, call_text
from grader.feedback import render_html
from grader.feedback.example import read_example
from grader.feedback.handout import find_passage
from grader.feedback.search_replay import can_draw, find_difference, replay_calls, shown_steps
from grader.feedback.views import worked_examples
from grader.languages import catalogue, languages
from lab import MOVES, Vector
from lab.exercises import LAB_EXERCISES
from tests.grader.feedback.test_feedback import sample

WORKED: dict[str, dict[str, Any]] = {}
for _name, _case in examples().items():
    WORKED.setdefault(_name.partition(".")[0], {})[_name.partition(".")[2]] = _case
IDS = [exercise.id for exercise in LAB_EXERCISES]
_CELL = re.compile(r"\((\d+), (\d+)\)")


def test_every_idea_is_about_a_check_that_there_is() -> None:
    known = {id_ for titles in registry.titles().values() for id_ in titles}
    assert set(ideas()) <= known
    left = {id_.partition(".")[2] for id_ in known - set(ideas())}
    assert left == {"hidden-mazes", "true-or-false", "dimension", "entry-and-exit", "own-work"}


@pytest.mark.parametrize("language", languages())
def test_every_idea_has_words_and_a_passage_in_each_language(language: str) -> None:
    t = catalogue(language)
    for id_, idea in ideas().items():
        found = find_passage(idea.section, language, [id_.partition(".")[0]])
        assert found is not None
        assert t.get(f"idea.{idea.name}")
        assert found.title
        assert len(found.text) > 50
        assert "<!--" not in found.text


def test_a_passage_is_about_the_exercises_of_the_page() -> None:
    whole, part = find_passage("order", "en", IDS), find_passage("order", "en", ["dfs"])
    assert whole is not None
    assert part is not None
    assert "A breadth-first search begins in b" in whole.text
    assert "A breadth-first search" not in part.text
    assert "A depth-first search begins in b" in part.text
    assert "<th></th>" not in whole.html


@pytest.mark.parametrize(("kind", "solver"), [("deep", "dfs"), ("broad", "bfs")])
def test_examples_of_solvers_are_what_the_reference_does(kind: str, solver: str) -> None:
    for name, case in WORKED[kind].items():
        facts, example = facts_of(case["maze"].strip()), read_example(case)
        assert facts.orders[solver] == (example.expected.visits,), name
        assert facts.ways[solver] == (() if name == "apart" else (example.expected.moves,)), name
    assert facts_of(WORKED["broad"]["tree"]["maze"].strip()).is_perfect
    ring = facts_of(WORKED["broad"]["ring"]["maze"].strip())
    assert ring.cycle
    assert len(ring.ways["dfs"][0]) > len(ring.ways["bfs"][0])
    assert facts_of(WORKED["broad"]["apart"]["maze"].strip()).length is None


def test_dijkstra_does_on_them_what_breadth_first_search_does() -> None:
    for case in WORKED["broad"].values():
        facts = facts_of(case["maze"].strip())
        assert (facts.orders["dijkstra"], facts.ways["dijkstra"]) == (facts.orders["bfs"], facts.ways["bfs"])
    (shown,) = worked_examples(ideas()["dijkstra.cycles"])
    assert shown.name == "broad.ring"


@pytest.mark.parametrize("name", list(WORKED["script"]))
def test_examples_of_scripts_are_what_the_reference_gives(name: str) -> None:
    shown = WORKED["script"][name]["expected"]["steps"]
    steps = [_asked(step["call"]) for step in shown]
    given = answers(steps)
    assert [call_text(step) for step in steps] == [step["call"] for step in shown]
    assert [_given(value) for value in given] == [step["gives"] for step in shown]
    example = read_example(WORKED["script"][name])
    moments = replay_calls([step for step, _ in shown_steps(example)])
    assert can_draw(moments, find_difference(*shown_steps(example)[-1], moments[-1]))


def _asked(call: str) -> tuple[int, str, tuple[tuple[int, int], ...]]:
    """The step that a call is written for."""
    name = call.removeprefix("search.").partition("(")[0]
    cells = tuple((int(row), int(column)) for row, column in _CELL.findall(call))
    moves = tuple((move[0], move[1]) for move in MOVES if f" {move.name.upper()}," in call)
    return 0, name, (*cells[:1], *moves, *cells[1:])


def _given(value: Any) -> str:
    found = getattr(value, "value", None)
    if not isinstance(found, tuple):
        return str(found)
    if found and not isinstance(found[0], tuple):
        return str(tuple(found))
    return "[" + ", ".join(Vector(*move).name for move in found) + "]"


def test_examples_of_mazes_are_what_they_are_called() -> None:
    facts = {name: facts_of(case["maze"].strip()) for name, case in WORKED["maze"].items()}
    assert facts["perfect"].is_perfect
    assert set(facts["cycle"].cycle) == {Vector(*cell) for cell in WORKED["maze"]["cycle"]["cycle"]}
    assert not facts["cycle"].islands
    assert facts["islands"].islands == tuple(Vector(*c) for c in WORKED["maze"]["islands"]["unreachable"])
    assert not facts["islands"].cycle


@pytest.mark.parametrize("language", languages())
def test_every_link_of_a_page_leads_somewhere(language: str) -> None:
    page = render_html(sample("wrong"), language=language)
    links = set(re.findall(r'<a [^>]*href="((?!data:)[^"]*)"', page))
    anchors = re.findall(r' id="([^"]*)"', page)
    assert links
    assert {link.partition("#")[0] for link in links} == {""}
    assert {link.removeprefix("#") for link in links} <= set(anchors)
    assert len(anchors) == len(set(anchors))
    assert any(link.startswith("#handout-") for link in links)


def test_an_example_is_drawn_once_and_led_to_from_elsewhere() -> None:
    page = render_html(sample("wrong"))
    assert page.count(' id="worked-maze-perfect"') == 1
    assert page.count('href="#worked-maze-perfect"') == 2


def test_where_nothing_was_handed_in_there_is_no_idea() -> None:
    results = sample("wrong")
    for check in results["exercises"][1]["checks"]:
        check |= {"status": "missing", "counterexample": None, "message": "solvers/dfs.py was not handed in."}
    results["exercises"] = results["exercises"][1:2]
    assert 'class="tier' not in render_html(results)
