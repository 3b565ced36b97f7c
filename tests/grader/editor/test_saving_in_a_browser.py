"""What the editor saves, and what it does not."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page

from grader.course.maze_files import load_maze_file
from grader.course.plan import disagreement
from lab import Dimension, Factory
from tests.grader.editor.pages import START, Opened, at, drawing, opened

__all__ = ["opened"]
"""Fixture of the neighbour."""


def indented(drawing: str) -> str:
    return "".join(f"  {line}\n" for line in drawing.split("\n"))


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    assert started.value.suggested_filename == "start.yaml"
    file = folder / "downloads" / "saved.yaml"
    started.value.save_as(file)
    return file


def test_what_nobody_changed_is_saved_as_it_stood_there(opened: Opened, tmp_path: Path) -> None:
    assert saved(opened(), tmp_path).read_text(encoding="utf-8") == START
    own = START.replace("maze: |", "exercises: # only\n- dfs\nvisit_order:\n  dfs: [[1, 1], [1, 2], [1, 3], "
                        "[2, 1], [2, 2], [2, 3]]\nmaze: |")  # fmt: skip
    assert saved(opened(own), tmp_path).read_text(encoding="utf-8") == own


def test_what_was_changed_is_a_test_maze_again(opened: Opened, tmp_path: Path) -> None:
    page = opened()
    page.mouse.click(*at(page, 1, 2, down=0.97))
    page.get_by_label("Name").fill('no: "#1" \\ Ø')
    page.get_by_label("The mistake that it catches").fill("  yes ")
    page.get_by_label("Students").select_option("public")
    page.get_by_label("perfection").uncheck()
    page.get_by_label("Write the visit orders into the file").check()
    file = saved(page, tmp_path)
    read = load_maze_file(file, agrees=disagreement)
    assert (read.name, read.catches, read.visibility) == ('no: "#1" \\ Ø', "yes", "public")
    assert read.exercises == ("dfs", "bfs", "dijkstra")
    assert set(read.visit_order) == {"dfs", "bfs", "dijkstra"}
    assert read.text.split("\n") == drawing(page)
    assert file.read_text(encoding="utf-8").startswith("# drawn by hand\n")


def test_a_file_that_lacks_something_is_not_saved(opened: Opened) -> None:
    page = opened()
    for label, told in (("The mistake that it catches", "the mistake that it catches"), ("Name", "a name")):
        page.get_by_label(label).fill(" ")
        page.get_by_role("button", name="Download").click()
        assert page.locator("#saved").text_content() == f"Say {told} first"
        assert page.get_by_label(label).evaluate("field => field === document.activeElement")
    page = opened()
    for name in ("dfs", "bfs", "dijkstra", "perfection"):
        page.get_by_role("checkbox", name=name, exact=True).uncheck()
    page.get_by_role("button", name="Download").click()
    assert page.locator("#saved").text_content() == "Choose an exercise first"


def test_a_name_that_the_course_has_is_not_saved(opened: Opened, tmp_path: Path) -> None:
    other = START.replace("One dead end", "Straße").replace("|    E|", "|   |E|")
    (tmp_path / "other.yaml").write_text(other, encoding="utf-8")
    page = opened()
    for name in ("STRASSE", " straße "):
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Download").click()
        told = "Another maze of this course has this name: choose another"
        assert page.locator("#saved").text_content() == told
        assert page.get_by_label("Name").evaluate("field => field === document.activeElement")
    page.get_by_label("Name").fill("Strase")
    assert load_maze_file(saved(page, tmp_path)).name == "Strase"


def test_visit_orders_that_a_file_has_no_room_for_are_told(opened: Opened) -> None:
    room = Factory().fully_connected(Dimension(100, 100)).to_text().replace("E", " ")
    page = opened(START.split("maze: |")[0] + "maze: |\n" + indented(room))
    page.get_by_label("Write the visit orders into the file").check()
    page.get_by_role("button", name="Download").click()
    told = page.locator("#saved").text_content() or ""
    assert re.fullmatch(r"The file would have \d+ KiB, and may have 256: leave out the visit orders", told)
