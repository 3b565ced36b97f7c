"""What docs/architecture.md says of folders, files and names is what lies there."""

from __future__ import annotations

import re

from grader.verification.bank import SHIPPED
from tests.docs.pages import ROOT, mentions, tokens

PAGE = ROOT / "docs/architecture.md"
GRADER = ROOT / "grader"
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for folder in (GRADER, ROOT / "lab")
    for path in sorted(folder.rglob("*.py"))
    if SHIPPED not in path.parents
)


def rows() -> dict[str, list[str]]:
    """The files to begin with, by folder, of the table of the parts."""
    table = re.findall(r"^\| `(grader/\w+)` \|.*\| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {folder: re.findall(r"`([^`]+)`", begin) for folder, begin in table}


def test_every_folder_of_the_grader_has_its_row() -> None:
    folders = {f"grader/{path.parent.name}" for path in GRADER.glob("*/__init__.py")}
    assert rows().keys() == folders


def test_the_files_to_begin_with_are_there() -> None:
    for folder, begin in rows().items():
        assert begin
        assert [
            file for file in begin if not ((ROOT / folder / file).exists() or (ROOT / file).exists())
        ] == []


def test_the_names_in_the_text_are_in_the_code() -> None:
    paths = {text for text in mentions(PAGE) if re.fullmatch(r"\w+/\w+\.py", text)}
    assert [path for path in paths if not ((GRADER / path).exists() or (ROOT / path).exists())] == []
    names = {match[1] for text in mentions(PAGE) if (match := re.fullmatch(r"\w+\.(\w+)", text))} - {
        "py",
        "md",
    }
    names -= {"json", "csv", "html", "toml"}
    assert [name for name in names if not re.search(rf"\b{name}\b", SOURCES)] == []
    assert "Decisions worth knowing" in {token.content for token in tokens(PAGE)}
