"""Every link in the repository's Markdown leads to a file that is there, and to a heading that it has."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

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


def test_the_handout_leads_out_of_the_kit_nowhere() -> None:
    folder = ROOT / "student_template"
    found = [target for handout in folder.glob("*.md") for target in links(handout)]
    assert [target for target in found if not (folder / target).resolve().is_relative_to(folder)] == []


def test_every_path_in_the_text_is_there() -> None:
    found = {text: name(page) for page in PAGES for text in mentions(page) if A_PATH.fullmatch(text)}
    missing = [path for path in found if not [*ROOT.glob(path.rstrip("/"))]]
    assert {path: found[path] for path in missing} == {}
