"""Every link in the repository's Markdown leads to a file that is there, and to a heading that it has."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import FOLDERS, PAGES, ROOT, anchors, links, mentions, name

HANDOUTS = sorted((ROOT / "student_template").glob("*.md"))
A_PATH = re.compile(rf"({'|'.join(FOLDERS)}|scripts)/[\w./*-]*")
INVENTED = {"grader/mazes/new.yaml"}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    wrong = [target for target in links(page) if not urlsplit(target).scheme and not leads(page, target)]
    assert wrong == []


def leads(page: Path, target: str) -> bool:
    """Whether a relative link's file is there, and has the heading."""
    path, _, anchor = unquote(target).partition("#")
    file = (page.parent / path).resolve() if path else page
    return file.is_file() and file.is_relative_to(ROOT) and (not anchor or anchor in anchors(file))


def test_a_link_that_leads_nowhere_is_found() -> None:
    page = ROOT / "README.md"
    assert leads(page, "docs/instructors.md#limits")
    assert not leads(page, "docs/instructors.md#limit")
    assert not leads(page, "docs/instructor.md")
    assert not leads(page, "../README.md")


@pytest.mark.parametrize("handout", HANDOUTS, ids=name)
def test_the_handout_leads_out_of_the_kit_nowhere(handout: Path) -> None:
    folder = handout.parent
    assert all((folder / target).resolve().is_relative_to(folder) for target in links(handout))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_path_in_the_text_is_there(page: Path) -> None:
    paths = {text for text in mentions(page) if A_PATH.fullmatch(text)} - INVENTED
    assert [path for path in sorted(paths) if not list(ROOT.glob(path.rstrip("/")))] == []
