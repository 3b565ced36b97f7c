"""What the pages on how it works say of folders, files and names is what lies there."""

from __future__ import annotations

import re

from grader.verification.bank import SHIPPED
from tests.docs.pages import ROOT, links, mentions, name

PAGE = ROOT / "docs/architecture.md"
STEPS = ROOT / "docs/follow-one-submission.md"
DECISIONS = tuple(sorted((ROOT / "docs/decisions").glob("[0-9]*.md")))
GRADER = ROOT / "grader"


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
    paths = [path for folder in (GRADER, ROOT / "lab") for path in folder.rglob("*.py")]
    sources = [path.read_text(encoding="utf-8") for path in paths if SHIPPED not in path.parents]
    known = {word for source in sources for word in re.findall(r"\w+", source)}
    endings = {"py", "md", "json", "jsonl", "csv", "html", "toml"}
    found = {text: name(page) for page in (PAGE, STEPS, *DECISIONS) for text in mentions(page)}
    names = {text: match[1] for text in found if (match := re.fullmatch(r"\w+\.(\w+)", text))}
    assert {text: found[text] for text, each in names.items() if each not in known | endings} == {}


def test_every_step_of_a_submission_names_a_function_of_its_file() -> None:
    page = STEPS.read_text(encoding="utf-8")
    steps = re.findall(r"^\| (\d+|[a-z]) \| `([^`]+)` \| `(\w+)` \|", page, re.MULTILINE)
    numbers = [number for number, *_ in steps if number.isdecimal()]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(steps) == len(re.findall(r"^\| (?:\d+|[a-z]) \|", page, re.MULTILINE))
    for _, file, function in steps:
        assert re.search(rf"^ *def {function}\b", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), (
            file
        )


def test_every_decision_has_its_number_and_its_place_in_the_way_of_a_submission() -> None:
    assert [page.name[:3] for page in DECISIONS] == [
        f"{number:03d}" for number in range(1, len(DECISIONS) + 1)
    ]
    assert list(links(DECISIONS[0].with_name("README.md")))[1:] == [page.name for page in DECISIONS]
    assert {f"decisions/{page.name}" for page in DECISIONS} <= set(links(STEPS))
