"""Every link in the repository's Markdown leads to a file that is there, and to a heading that it has."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import FOLDERS, PAGES, ROOT, anchors, links, mentions, name

A_PATH = re.compile(rf"({'|'.join(FOLDERS)}|scripts)/[\w./*-]*")


def test_every_link_leads_somewhere() -> None:
    found = [(page, target) for page in PAGES for target in links(page) if not urlsplit(target).scheme]
    assert [f"{name(page)}: {target}" for page, target in found if not leads(page, target)] == []


def leads(page: Path, target: str) -> bool:
    """Whether a relative link's file is there, and has the heading."""
    path, _, anchor = unquote(target).partition("#")
    file = (page.parent / path).resolve() if path else page
    return file.is_file() and file.is_relative_to(ROOT) and (not anchor or anchor in anchors(file))


def test_a_link_that_leads_nowhere_is_found() -> None:
    page = ROOT / "README.md"
    assert leads(page, "docs/instructors.md#next-year")
    assert not leads(page, "docs/instructors.md#next-years")
    assert not leads(page, "docs/instructor.md")
    assert not leads(page, "../README.md")


def test_the_handout_leads_out_of_the_kit_nowhere() -> None:
    folder = ROOT / "student_template"
    found = [target for handout in folder.glob("*.md") for target in links(handout)]
    assert [target for target in found if not (folder / target).resolve().is_relative_to(folder)] == []


def test_every_path_in_the_text_is_there() -> None:
    found = {text: name(page) for page in PAGES for text in mentions(page) if A_PATH.fullmatch(text)}
    missing = [path for path in found if not [*ROOT.glob(path.rstrip("/"))]]
    assert {path: found[path] for path in missing} == {}


@pytest.mark.parametrize("reader", ["students", "teaching-assistants", "instructors", "administrators"])
def test_the_page_of_a_reader_is_read_in_ten_minutes(reader: str) -> None:
    """What is looked up, and not read, belongs on a page of docs/reference/."""
    assert len((ROOT / f"docs/{reader}.md").read_text(encoding="utf-8").split()) < 1500
