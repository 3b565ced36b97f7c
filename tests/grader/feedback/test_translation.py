"""Pages in another language than results.json: titles, the sentences of the judges, hints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.plan import load_plan
from grader.feedback import render_html, render_markdown, render_text
from grader.feedback.page import read_page
from grader.feedback.translation import Untranslated, translate_page
from grader.feedback.untrusted import MESSAGE_DEPTH, message
from grader.feedback.views import CheckView
from grader.languages import Message, catalogue, languages, said
from grader.model import Telling
from grader.results import in_english
from grader.sandbox.bubblewrap import BubblewrapBackend
from grader.sandbox.docker import DockerBackend
from grader.sandbox.process import ProcessBackend
from tests.grader.feedback.crumbs import crumbs

DATA = Path(__file__).parent / "data"
NORWEGIAN = catalogue("nb")
CHANGED = said("on_a_maze", label=said("a_maze", size="3 x 3"), solver="DFS", finding=said("changed"))


def sample(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return results


def checks_of(results: Mapping[str, object], language: str) -> dict[str, CheckView]:
    page = translate_page(read_page(results), catalogue(language))
    return {check.id: check for exercise in page.exercises for check in exercise.checks}


def with_check(**changes: Any) -> dict[str, Any]:
    """The sample of a wrong submission, with changes of its check of the visit order."""
    results = sample("wrong")
    check = next(c for e in results["exercises"] for c in e["checks"] if c["id"] == "dfs.visit-order")
    check |= changes
    return results


def shown(language: str = "nb", **changes: Any) -> CheckView:
    return checks_of(with_check(misconception=None, **changes), language)["dfs.visit-order"]


# --- messages beside the English --------------------------------------------------------------------

messages = st.recursive(
    st.sampled_from([said("changed"), said("no_way"), Message("move.north")]),
    lambda inner: (
        st.builds(lambda value: said("returned", value=value), inner | st.text("aé{} "))
        | st.builds(lambda number: said("stopped", count=number, place="(1, 2)"), st.integers(1, 9999))
    ),
    max_leaves=MESSAGE_DEPTH - 1,
)


@given(messages)
def test_a_message_is_read_as_it_was_written(written: Message) -> None:
    told: Any = in_english({"message": written})["said"]
    assert message(json.loads(json.dumps(told["message"]))) == written


def test_every_text_of_a_check_has_its_message_by_its_place() -> None:
    example: dict[str, Telling] = {
        "label": said("a_script"),
        "expected": {"text": said("no_way"), "steps": [{"call": "f()", "gives": "1"}]},
        "actual": {
            "steps": [{"call": said("more_calls", count=3), "gives": said("an_error", kind="KeyError")}]
        },
    }
    told: Any = in_english({"message": CHANGED, "hint": said("no_way"), "counterexample": example})
    view = shown(**told)
    assert view.message == "På en labyrint på 3 x 3: DFS endret labyrinten den fikk."
    assert view.hint == "None: det finnes ingen vei"
    assert view.example is not None
    assert view.example.label == "en rekke kall"
    assert view.example.expected.text == "None: det finnes ingen vei"
    (step,) = view.example.actual.steps
    assert (step.call, step.gives) == ("… 3 kall til", "en KeyError")
    (step,) = view.example.expected.steps
    assert (step.call, step.gives) == (Untranslated("f()"), Untranslated("1"))
    assert isinstance(step.call, Untranslated)
    assert shown("en", **told).message == "On a maze of 3 x 3, DFS changed the maze that it was given."


NESTED: list[Any] = ["said.changed"]
for _ in range(MESSAGE_DEPTH):
    NESTED = ["said.after_others", {"finding": NESTED}]


@pytest.mark.parametrize(
    "told",
    [
        None,
        "said.changed",
        [],
        ["said.changed", {}, "more"],
        [["said.changed"]],
        [3],
        ["said.no_such_key"],
        ["page.title"],
        ["page.title", {"submission": "ada"}],
        ["said.returned"],
        ["said.returned", ["value"]],
        ["said.returned", {"other": "1"}],
        ["said.returned", {"value": None}],
        ["said.returned", {"value": 1.5}],
        ["said.returned", {"value": True}],
        ["said.returned", {"value": 10**400}],
        ["said.returned", {"value": ["page.title"]}],
        ["said.returned", {f"value{number}": "1" for number in range(11)}],
        ["said.none_though"],
        NESTED,
    ],
    ids=lambda told: str(told)[:60],
)
def test_what_is_no_message_of_this_text_leaves_it_in_english(told: Any) -> None:
    english = catalogue("en").say(CHANGED)
    for said_ in ({"message": told}, told):
        view = shown(message=english, said=said_)
        assert view.message == english
        assert isinstance(view.message, Untranslated)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.sampled_from(["said.returned", "value", "move.north", "\0"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["value", "message", "hint", ""]), inner)
        ),
    )
)
def test_whatever_stands_there_makes_a_page(told: object) -> None:
    results = with_check(said=told)
    for language in languages():
        render_text(results, language=language)


def test_values_are_shown_and_escaped_like_all_that_submissions_say() -> None:
    evil = "<b>\x1b[31m\u202e{value}"
    told: Any = in_english({"message": said("sentence", finding=said("returned", value=evil))})
    results = with_check(**told)
    assert shown(**told).message == "returnerte <b>\\x1b[31m\\u202e{value}."
    page = render_html(results, language="nb")
    assert "returnerte &lt;b&gt;\\x1b[31m\\u202e{value}." in page
    assert "<b>\x1b" not in page


# --- pages ------------------------------------------------------------------------------------------


def test_a_title_of_the_instructors_own_stays() -> None:
    results = sample("wrong")
    results["exercises"][1] |= {"title": "Part two"}
    page = translate_page(read_page(results), NORWEGIAN)
    assert [exercise.title for exercise in page.exercises[:3]] == ["Søket", "Part two", "Bredde først-søk"]


@pytest.mark.parametrize(("graded", "shown"), [("en", "nb"), ("nb", "en")])
def test_what_is_shared_is_told_in_the_language_of_the_page(graded: str, shown: str) -> None:
    results = sample("wrong") | {"language": graded}
    check = next(c for e in results["exercises"] for c in e["checks"] if c["id"] == "dfs.visit-order")
    hints = {code: catalogue(code).hint("dfs.west-first") for code in (graded, shown)}
    check |= {"hint": hints[graded], "misconception": {"id": "dfs.west-first"}}
    assert checks_of(results, shown)["dfs.visit-order"].hint == hints[shown]
    assert checks_of(results, graded)["dfs.visit-order"].hint == hints[graded]
    for render in (render_text, render_markdown, render_html):
        assert " ".join(hints[shown].split()[:4]) in render(results, language=shown)


def test_what_stays_english_is_marked_as_english() -> None:
    told = in_english({"message": CHANGED})
    before = render_html(with_check(**told), language="nb").count('<p class="message" lang="en">')
    results = with_check(**told | {"message": "A sentence of another version."})
    page = render_html(results, language="nb")
    assert '<p class="message" lang="en">A sentence of another version.</p>' in page
    assert 'lang="en">A sentence' not in render_html(results, language="en")
    assert page.count('<p class="message" lang="en">') == before + 1


# --- what comes from elsewhere ------------------------------------------------------------------------


def test_the_words_of_sandboxes_and_the_names_of_public_mazes_are_known() -> None:
    english = catalogue("en")
    backends = (DockerBackend, BubblewrapBackend, ProcessBackend)
    assert {english(f"known.{backend.name}") for backend in backends} == {b.isolation for b in backends}
    public = {maze.name for maze in load_plan().rubric.mazes if maze.visibility == "public"}
    assert {english(f"known.maze_{name}") for name in ("a", "b", "c", "sample")} == public


def test_they_are_put_into_the_language_of_the_page() -> None:
    told: Any = in_english({"message": said("the_maze", name="Maze A, an empty room")})
    assert shown(**told).message == "labyrinten «Labyrint A, et tomt rom»"
    page = render_html(sample("right") | {"isolation": BubblewrapBackend.isolation}, language="nb")
    assert "Egne navnerom" in page
    assert "Namespaces" not in page


@pytest.mark.parametrize("name", ["wrong", "crashed", "timed-out"])
def test_no_english_word_is_left_but_what_was_written_in_english(name: str) -> None:
    results = sample(name) | {"notes": [], "isolation": "", "submission": "x", "title": ""}
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            if "said" not in check:  # a sentence of a sample that no grader says
                check |= {"message": "", "hint": "", "counterexample": None}
    assert crumbs(results) == []
