"""The lab in a browser tab, below the service."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import InputError
from grader.serve.options import ServeOptions
from grader.serve.web.site import Site
from tests.grader.serve.web.conftest import Enter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "browser"
    made.mkdir()
    (tmp_path / "secret").write_text("hidden")
    (made / "index.html").write_text("<title>The lab</title>")
    (made / "config.json").write_text('{"title": "Mazes", "service": ""}')
    return made


def test_the_lab_is_shown_and_hands_in_here(site: Site, folder: Path, enter: Enter) -> None:
    visitor = enter(site_=replace(site, lab=folder))
    assert 'href="/lab/"' in visitor.get("/").text
    assert visitor.get("/lab").headers["location"] == "/lab/"
    page = visitor.get("/lab/")
    assert "The lab" in page.text
    assert page.headers["content-security-policy"] == "frame-ancestors 'self'"  # the page has its own
    assert visitor.get("/lab/config.json").json() == {"title": "Mazes", "service": "../"}
    assert visitor.get("/lab/../site.py").status_code == 404
    assert visitor.get("/lab/%2e%2e/secret").status_code == 404


def test_without_its_folder_there_is_none(enter: Enter) -> None:
    visitor = enter()
    assert visitor.get("/lab/").status_code == 404
    assert "/lab/" not in visitor.get("/").text


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected the folder browser/ of a grader release"):
        ServeOptions(lab=tmp_path)
