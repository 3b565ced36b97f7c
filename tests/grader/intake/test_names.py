"""Names that come from outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.intake import safe_name, submission_name
from grader.intake.files import Caps, LeftOut, clean_path
from grader.intake.names import student_name

ANYTHING = st.text(st.characters(codec=None), max_size=300)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("in/ada.zip", "ada"),
        ("in/Ada Lovelace.TAR.GZ", "Ada Lovelace"),
        ("ada.tgz", "ada"),
        ("in/ada.smith", "ada.smith"),
        ("...zip", "submission"),
        ("con.zip", "_con"),
        ("in/=cmd|x.zip", "=cmd-x"),
        ("a\u202eb.zip", "a-b"),
    ],
)
def test_a_submission_is_named_after_its_path(path: str, name: str) -> None:
    assert submission_name(Path(path)) == name


@pytest.mark.parametrize(
    ("called", "name"),
    [("Bob\u00a0B\u202fC.zip", "Bob B C"), ("Bob\u202eB.zip", "Bob\\u202eB"), (" Ada\u3000", "Ada")],
)
def test_a_student_is_named_with_plain_spaces_and_nothing_that_a_terminal_obeys(
    called: str, name: str
) -> None:
    """The name is looked up in gradebooks, where a no-break space would find nobody."""
    assert student_name(Path(called)) == name


def test_a_folder_keeps_its_whole_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "ada.zip"
    folder.mkdir()
    assert submission_name(folder) == "ada.zip"
    monkeypatch.chdir(folder)
    assert submission_name(Path()) == "ada.zip"


@given(ANYTHING)
@example("..")
@example("nul.txt")
@example("é" * 200)
@example("a" * 149 + " .")
def test_a_safe_name_is_one_part_of_a_path(text: str) -> None:
    name = safe_name(text)
    assert name
    assert name.isprintable()
    assert not set('/\\:*?"<>|') & set(name)
    assert not name.startswith((".", " "))
    assert not name.endswith((".", " "))
    assert len(name.encode()) <= 160
    assert safe_name(name) == name


@given(ANYTHING)
@example("a/../b")
@example("./a//b/.")
def test_a_clean_path_stays_inside(text: str) -> None:
    try:
        parts = clean_path(text, Caps())
    except LeftOut:
        return
    assert parts
    assert all(part not in ("", ".", "..") and "/" not in part and part.isprintable() for part in parts)
