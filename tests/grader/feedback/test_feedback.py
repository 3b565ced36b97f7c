"""The content of the feedback: what is said, in every form and language."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from grader.feedback import render_html, render_markdown, render_text
from grader.feedback.page import find_first_check, read_page
from grader.languages import catalogue, languages
from lab import Dimension, Factory

DATA = Path(__file__).parent / "data"


def sample(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return results


@pytest.mark.parametrize("render", [render_html, render_text, render_markdown])
def test_points_kept_by_a_search_that_works_are_told_as_such(render: Any) -> None:
    results = sample("right")
    assert catalogue("en")("page.follow_through") not in render(results)
    results["exercises"][1]["checks"][0]["follow_through"] = True
    assert catalogue("en")("page.follow_through") in render(results)


def going_round() -> dict[str, Any]:
    """Results with a search that went round and round four cells."""
    results = sample("timed-out")
    checks = [check for exercise in results["exercises"] for check in exercise["checks"]]
    case = next(check["counterexample"] for check in checks if check["counterexample"])
    round_ = [[2, 2], [1, 2], [1, 1], [2, 1]]
    case["actual"] |= {"visits": round_, "walk": round_ * 5, "pending": 3}
    case["actual"]["revisits"] = {"cell": [1, 2], "times": 812, "first": [2, 2], "how": "taken"}
    return results


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (
            {"revisits": {"cell": [1, 2], "times": 812, "first": [2, 2], "how": "asked"}},
            "The moves of (1, 2) were asked for 812 times. The first cell",
        ),
        (
            {"revisits": {"cell": [1, 2], "times": 812, "first": [2, 2], "how": "probed"}},
            "The sides of (1, 2) were asked about 812 times. The first cell",
        ),
        (
            {"revisits": {"cell": [1, 2], "times": 812, "first": [2, 2], "how": "tested"}},
            "(1, 2) was compared with the exit 812 times. The first cell",
        ),
        (
            {"how": "asked", "walk": [], "revisits": None},
            "When it was stopped, cells whose moves were asked for: 4.",
        ),
        ({"how": "asked", "walk": []}, "In this order, cells whose moves were asked for: (2, 2), (1, 2)"),
        ({"outside": [0, 3]}, "A cell came up that lies outside of the maze: (0, 3)."),
    ],
)
def test_what_was_asked_about_is_no_visit(told: dict[str, Any], sentence: str) -> None:
    results = going_round()
    checks = [check for exercise in results["exercises"] for check in exercise["checks"]]
    case = next(check["counterexample"] for check in checks if check["counterexample"])
    case["actual"] |= told
    shown = render_text(results, language="en")
    assert sentence in shown
    assert ("was visited" in shown) == (told.keys() == {"how", "walk"})


def test_values_keep_their_spaces_since_code_may_count_them() -> None:
    results, value = sample("wrong"), r"'|   S  |\n'"
    exercise = next(each for each in results["exercises"] if each["id"] == "dfs")
    check = next(each["id"] for each in exercise["checks"] if each["counterexample"])
    exercise["story"] = [{"file": "dfs.py", "line": 3, "text": "It ended.", "values": {"text": value}}]
    exercise["recorded"] = {"check": check, "code": {"first": 3, "lines": ["return text"]}}
    assert f"text = {value}" in render_text(results)
    assert f"<code>text = {html.escape(value)}" in render_html(results)


@pytest.mark.parametrize("render", [render_html, render_text, render_markdown])
def test_a_search_that_went_on_for_ever_is_shown_where_it_came_by_again(render: Any) -> None:
    shown = html.unescape(render(going_round(), language="en")).replace("\\", "")
    assert "(1, 2) was visited 812 times. The first cell to be visited again was (2, 2)." in shown
    assert "Cells pending when it was stopped: 3." in shown
    assert "Visited one by one, at first: (2, 2), (1, 2), (1, 1), (2, 1), (2, 2), (1, 2)" in shown


def test_a_cell_that_was_visited_again_shows_the_first_steps_in_which_it_was() -> None:
    shown = render_html(going_round(), language="en")
    assert 'data-v="1 5 9 13 17"' in shown
    assert ">1, 5…</text>" in shown
    assert catalogue("en")("legend.again") in shown


@pytest.mark.parametrize("code", languages())
def test_texts_that_nobody_has_read_are_marked_at_the_foot_of_the_page(code: str) -> None:
    note, page = catalogue(code).get("page.machine_made"), render_html(sample("right"), language=code)
    assert (f"{note}</p></div></footer>" if note else "</details></div></footer>") in page
    assert "<p></p>" not in page


def test_the_language_of_the_results_is_taken_unless_another_one_is_asked_for() -> None:
    results = sample("timed-out")
    assert "Tilbakemelding til edsger" in render_text(results)
    assert "Feedback for edsger" in render_text(results, language="en")
    assert '<html lang="nb">' in render_html(results)
    assert '<html lang="en">' in render_html(results, language="unheard-of")


def test_numbers_are_written_as_the_language_does() -> None:
    assert catalogue("en").number(87.5) == "87.5"
    assert catalogue("nb").number(87.5) == "87,5"
    assert catalogue("en").number(100.0) == "100"


@pytest.mark.parametrize("code", ["en", "de", "nb"])
def test_what_steps_cost_is_drawn_explained_and_told(code: str) -> None:
    results, t = sample("wrong"), catalogue(code)
    priced = "+-+-+-+\n|   | |\n+-+ + +\n|  S  |\n+ +-+ +\n|  E| |\n+-+-+-+"
    maze = priced.replace("|  S  |", "|  S7 |").replace("+ +-+ +", "+3+-+ +")
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            if (check.get("counterexample") or {}).get("maze") == priced:
                check["counterexample"]["maze"] = maze
    page = html.unescape(render_html(results, language=code))
    assert page.count(">7</text>") >= 2
    assert t("legend.costs") in page
    assert t("picture.costs", steps="3: (2, 1)–(3, 1); 7: (2, 2)–(2, 3)") in page
    assert t("legend.costs") not in html.unescape(render_html(sample("wrong"), language=code))
    for render in (render_markdown, render_text):
        told = " ".join(render(results, language=code).split())
        assert "S7 |" in told
        assert t("picture.digits") in told


def with_a_name_in_common() -> Any:
    results: Any = sample("wrong")
    checks = results["exercises"][1]["checks"]
    next(each for each in checks if each["id"] == "dfs.hidden-mazes")["misconception"] = {
        "id": "dfs.west-first"
    }
    return results


def test_what_to_do_first_is_what_most_hangs_on() -> None:
    shared = find_first_check(read_page(with_a_name_in_common()))
    assert shared is not None
    assert (shared.exercise.id, shared.dependent_count) == ("dfs", 1)
    same_fault = find_first_check(read_page(sample("crashed")))
    assert same_fault is not None
    assert (same_fault.exercise.id, same_fault.dependent_count) == ("bfs", 5)
    assert find_first_check(read_page(sample("right"))) is None


def test_colour_only_adds_signs_for_the_terminal() -> None:
    results = sample("wrong")
    coloured = render_text(results, colour=True)
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == render_text(results)


@pytest.mark.parametrize("render", [render_text, render_markdown, render_html])
def test_no_control_character_or_bidi_mark_gets_through(render: Any) -> None:
    shown = render(sample("hostile"))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", shown)
    assert "\\u202egnp.exe\\u2066" in shown.replace("\\\\", "\\")


def lost(message: str, status: str = "crashed", **more: object) -> dict[str, object]:
    return {"id": "dfs.x", "title": message, "status": status, "max_score": 1.0, "message": message, **more}


ONE = lost("DFS raised SyntaxError.")
HIDDEN = lost("This check is hidden", visibility="hidden")
WITH_A_MAZE = lost("DFS raised SyntaxError.", counterexample={"maze": "+-+-+\n|S E|\n+-+-+"})


NAMED = lost("DFS is wrong.", misconception={"id": "dfs.west-first"})
UNDONE = lost("Too many.", said={"message": ["said.undone", {"sentence": "DFS is wrong."}]})


@pytest.mark.parametrize(
    ("checks", "cards"),
    [
        ([ONE, ONE, HIDDEN], 1),
        ([ONE, lost("DFS raised KeyError."), HIDDEN], 3),
        ([ONE, {**ONE, "status": "failed"}], 2),
        ([ONE, {**ONE, "status": "passed"}, ONE], 2),
        ([WITH_A_MAZE, WITH_A_MAZE], 2),
        ([ONE], 1),
        ([NAMED, {**NAMED, "message": "On a maze, DFS is wrong."}, WITH_A_MAZE], 2),
        ([WITH_A_MAZE, {**NAMED, "misconception": {"id": "dfs.first-found"}}, NAMED], 3),
        ([UNDONE, WITH_A_MAZE, UNDONE], 1),
    ],
)
def test_what_was_lost_for_one_reason_is_one_card(checks: list[dict[str, object]], cards: int) -> None:
    (exercise,) = read_page({"exercises": [{"id": "dfs", "checks": checks}]}).exercises
    assert len(exercise.cards) == cards
    shown = render_html({"exercises": [{"id": "dfs", "checks": checks}]})
    assert shown.count('<details class="check ') == cards
    assert ("checks fail for one reason" in shown) is (cards < len(checks) and "passed" not in str(checks))
    assert sum(len(group) for group in exercise.groups) == len(exercise.open)


def test_markup_stays_text_in_markdown() -> None:
    outside = re.sub(r"^(`{3,})text\n.*?\n\1$", "", render_markdown(sample("hostile")), flags=re.M | re.S)
    assert "<" not in outside
    assert not re.search(r"(?<!\\)\]\(", outside)
    assert not re.search(r"(?<!\\)`", outside)


@pytest.mark.parametrize("results", [{}, {"exercises": 3}, {"exercises": [{"checks": [{}]}], "score": "NaN"}])
def test_results_that_lack_everything_still_make_a_page(results: dict[str, Any]) -> None:
    for render in (render_html, render_text, render_markdown):
        assert "–" in render(results)


def test_what_the_template_raises_is_called_still_to_be_written() -> None:
    page = read_page(sample("crashed"))
    dijkstra = next(exercise for exercise in page.exercises if exercise.id == "dijkstra")
    assert dijkstra.state == "unwritten"
    assert {check.status for check in dijkstra.open} == {"crashed"}
    assert {check.shown_status for check in dijkstra.open} == {"unwritten"}
    shown = render_html(sample("crashed")).partition('id="dijkstra"')[2].partition("</section>")[0]
    assert "In solvers/dijkstra.py, solve is still to be written." in shown
    assert "NotImplementedError" not in shown
    assert "Stopped with an error" not in shown
    assert "<svg role" not in shown


def test_a_part_that_is_unwritten_leaves_hidden_checks_as_they_are() -> None:
    results = sample("crashed")
    (dijkstra,) = [exercise for exercise in results["exercises"] if exercise["id"] == "dijkstra"]
    dijkstra["checks"][0] |= {"status": "passed", "message": "", "counterexample": None}
    (shown,) = [exercise for exercise in read_page(results).exercises if exercise.id == "dijkstra"]
    assert shown.state == "open"
    assert [check.shown_status for check in shown.open if check.hidden] == ["crashed", "crashed"]


def test_of_what_is_missing_no_case_is_shown() -> None:
    results = sample("wrong")
    check = next(c for e in results["exercises"] for c in e["checks"] if c["counterexample"])
    check |= {"status": "missing", "message": "The file solvers/search.py was not handed in."}
    view = next(c for e in read_page(results).exercises for c in e.checks if c.id == check["id"])
    assert (view.shown_status, view.example) == ("missing", None)


@pytest.mark.parametrize("render", [render_html, render_text, render_markdown])
@pytest.mark.parametrize("language", languages())
def test_a_file_without_its_class_is_not_called_missing(language: str, render: Any) -> None:
    t, results = catalogue(language), sample("crashed")
    assert t("exercise.missing") in render(results, language=language)
    for check in results["exercises"][5]["checks"]:
        told = "said.hidden" if check["visibility"] == "hidden" else "said.class_is_meant"
        check["said"] = {"message": [told]}
    shown = render(results, language=language)
    assert t("exercise.missing") not in shown
    assert t("exercise.unfound") in shown


def test_a_file_that_is_missing_stays_so_whatever_is_said_of_search() -> None:
    results = sample("crashed")
    for check in results["exercises"][5]["checks"]:
        check["said"] = {"message": ["said.with_search", {"sentence": ["said.missing_file", {"file": "x"}]}]}
    assert read_page(results).exercises[5].state == "missing"


def test_of_hidden_checks_alone_it_is_not_known_what_is_missing() -> None:
    results = sample("crashed")
    for check in results["exercises"][5]["checks"]:
        check |= {"visibility": "hidden", "said": {"message": ["said.hidden"]}}
    assert read_page(results).exercises[5].state == "missing"


def test_no_two_regions_have_one_name_where_two_scripts_failed() -> None:
    results = sample("wrong")
    checks = results["exercises"][0]["checks"]
    checks[2] |= {"status": "failed", "score": 0.0, "counterexample": checks[1]["counterexample"]}
    page = render_html(results)
    assert page.count('<ol class="calls">') == 4  # of the two, and of an example for each
    names = re.findall(r'role="region" aria-label="([^"]*)"', page)
    assert len(names) == len(set(names))


def test_what_shares_a_name_hangs_on_one_check() -> None:
    results = with_a_name_in_common()
    results["exercises"] = [results["exercises"][1]]
    first = find_first_check(read_page(results))
    assert first is not None
    assert (first.check.id, first.dependent_count) == ("dfs.visit-order", 1)


def test_solvers_hang_on_a_wrong_search_where_they_were_judged_with_it() -> None:
    results = sample("wrong")
    (shown, *_) = [check for check in results["exercises"][2]["checks"] if check["status"] == "failed"]
    shown["said"] = {"message": ["said.with_search", {"sentence": "wrong", "solver": "BFS"}]}
    first = find_first_check(read_page(results))
    assert first is not None
    assert (first.exercise.id, first.dependent_count) == ("search", 2)


def test_what_could_not_be_read_at_all_is_refused_in_its_own_words() -> None:
    results = sample("right")
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            check.update(status="missing", score=0.0)
    assert read_page(results).refused is None
    results["notes"] = ["Nothing could be read: the zip is encrypted."]
    page = read_page(results)
    assert page.refused is not None
    assert page.refused.message == "Nothing could be read: the zip is encrypted."


def test_a_mark_that_a_person_took_away_is_not_called_right() -> None:
    page = render_text(sample("right") | {"score": 0.0})
    assert "Everything is right" not in page
    assert "Well done" not in page


def test_what_would_make_a_page_too_large_is_told_in_words() -> None:
    corridor = Factory().fully_connected(Dimension(1, 9_000)).to_text()
    again = {"file": "long.txt", "command": "maze solve long.txt"}
    case = {"maze": corridor, "expected": {"text": "a way"}, "actual": {"text": "None"}, "reproduce": again}
    checks = [{"id": f"dfs.{name}", "status": "failed", "counterexample": case} for name in ("one", "other")]
    page = render_html({"exercises": [{"id": "dfs", "checks": checks}]})
    t = catalogue("en")
    assert page.count(t("again.too_large")) == 2
    assert page.count(t("picture.too_large", rows=1, columns=9_000)) == 1
    assert len(page.encode()) < 1_000_000
