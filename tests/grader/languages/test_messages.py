"""Messages: what the grader's code says has a text in every catalogue, with the same values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from grader.course import statements
from grader.exercises import registry
from grader.exercises.kit.check import KINDS
from grader.exercises.kit.findings import fault_text, ordinal
from grader.exercises.kit.folders.checks import STANDARD
from grader.exercises.kit.folders.code import Returns
from grader.exercises.kit.library import large_mazes
from grader.feedback import render_html
from grader.languages import DEFAULT, Message, catalogue, languages, said
from grader.model import Fault, Frame
from grader.repairs.source import KINDS as KINDS_OF_EDITS
from grader.verification.bank import SHIPPED
from lab.came import FAULTS
from lab.came import KINDS as FILE_KINDS
from lab.exercises import BY_ID
from lab.leftovers import KINDS as LEFT
from lab.slip_sentences import SENTENCES as OF_SLIPS
from lab.story_sentences import SENTENCES as STORY
from lab.watch import STREAMS
from tests.grader.languages.whole import WHOLE

ROOT = Path(__file__).parents[3]
ENGLISH, NORWEGIAN = catalogue("en"), catalogue("nb")
SENTENCES = {
    key.removeprefix("said."): text for key, text in ENGLISH.texts.items() if key.startswith("said.")
}
JUDGES = [
    *sorted((ROOT / "grader" / "exercises").rglob("judge.py")),
    *sorted((ROOT / "grader" / "exercises").rglob("checks.py")),
    *sorted((ROOT / "grader" / "exercises").glob("*/kind.py")),
    *(ROOT / "grader" / "exercises" / "kit" / name for name in ("findings.py", "facts.py", "check.py")),
    ROOT / "grader" / "grading" / "verdicts.py",
]
"""The files that judge; of a course's own exercises, one that speaks to instructors is none."""
WORKED_OUT = {
    "f'endless_{how}'": {f"endless_{how}" for how in STREAMS},
    "f'story_{each.key}'": {f"story_{key}" for key in STORY},
    "keys[fault.stage]": {
        f"{verb}{when}" for verb in ("raised", "ended") for when in ("", "_at_import", "_at_construct")
    },
    "f'ordinal_{suffix}'": {f"ordinal_{suffix}" for suffix in ("st", "nd", "rd", "th")},
    "name": {
        *("serpentine", "serpentine_no_exit", "twisty", "twisty_walled", "divided_room"),
        *("many_cycles", "many_cycles_no_way", "empty_room"),
    },
    "f'came_{kind}'": {f"came_{kind}" for kind in (*FILE_KINDS, "damaged", "no_archive")},
    "f'came_{came.letter}'": {f"came_{kind}" for kind in FILE_KINDS},
    "f'fault_{came.fault}'": {f"fault_{fault}" for fault in FAULTS},
    "f'left_{left.kind}'": {f"left_{kind}" for kind in LEFT},
    "f'kind_{name}'": {f"kind_{name}" for name in KINDS},
    "f\"form_{form.replace('-', '_')}\"": {f"form_{form.replace('-', '_')}" for form in get_args(Returns)},
    "each.key": {*OF_SLIPS},
    "f'look_{edit.kind}'": {f"look_{kind}" for kind in KINDS_OF_EDITS},
}
"""Keys that do not stand in the call itself."""
SILENT = (
    r"maze (solve|generate) .*|python -c .*|from \S+ import .*|[gs]\.(solve|generate)\(.*",
    r"(solver = )?\x00(\(\)\.solve\(maze, Search\(\)\)|; \x00)|search = Search\(\)|MyGenerator\(.*",
    r"solver\.solve\(\x00, Search\(\)\)|Wrong \| None",
    r"(extra|missing|no) (passage|way|file|class)|cycle and island|long (im)?perfect|exit status",
    r"expected a case with a (maze|script), got \x00|expected one call of the name \x00, got two that differ",
    r"\(\x00, \x00\)|\x00 x \x00|\x00: \x00|\x00 = \x00|\x00 \(\x00\)|… \(\x00\)",
    r"Dimension\(\x00, \x00\)|made = \x00\(\)|\x00s = \x00\(\); |maze perfect \x00",
    r"bool \| str|the way back goes in circles",
    r"the family \x00|long \x00",  # which an instructor reads
)
"""Texts that are no sentences: commands, code, names of families, values as the program writes them."""


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


# --- the code and the catalogues --------------------------------------------------------------------


def keys_of(argument: ast.expr) -> set[str]:
    """The keys that the first argument of ``said`` may be."""
    match argument:
        case ast.Constant(str(key)):
            return {key}
        case ast.IfExp(_, one, other):
            return keys_of(one) | keys_of(other)
    return WORKED_OUT[ast.unparse(argument)]


def calls(path: Path) -> Iterator[tuple[str, set[str] | None]]:
    """Each key that a file says, with the names of its values; None where they are not to be seen."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "said":
            given = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
            for key in keys_of(node.args[0]):
                yield key, given if len(given) == len(node.keywords) else None


def test_what_is_said_is_in_the_catalogue_with_its_values() -> None:
    """Every sentence of the catalogue is said somewhere, too."""
    sources = [path for path in (ROOT / "grader").rglob("*.py") if SHIPPED not in path.parents]
    speaking = [path for path in sources if re.search(r"import .*\bsaid\b", path.read_text(encoding="utf-8"))]
    made = [(path, key, given) for path in speaking for key, given in calls(path)]
    assert SENTENCES.keys() == {key for _, key, _ in made}
    with_values = [(path, key, given) for path, key, given in made if given is not None]
    assert [each for each in with_values if each[2] != names(SENTENCES[each[1]])] == []


def spoken(path: Path) -> Iterator[str]:
    """The texts of a file, with a NUL for each value that is put in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    inside |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "\0" for part in node.values)
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


def test_no_text_of_the_judges_stands_in_the_code() -> None:
    """Whoever writes a new sentence finds out here that it is a line in each catalogue."""
    titles = {
        *statements.TITLES.values(),
        *(title for declared in registry.titles().values() for title in declared.values()),
    }
    left = [
        (path, text)
        for path in JUDGES
        for text in spoken(path)
        if " " in text.strip() and text not in titles
        if not any(re.fullmatch(silent, text, re.DOTALL) for silent in SILENT)
    ]
    assert left == []


def test_the_titles_are_those_of_the_checks() -> None:
    titles = {f"exercise.{exercise}": title for exercise, title in statements.TITLES.items()}
    for exercise, declared in registry.titles().items():
        owner = "solver" if BY_ID[exercise].kind == "solver" else exercise
        titles |= {f"{owner}.{check.partition('.')[2]}": title for check, title in declared.items()}
    told = {
        key.removeprefix("title."): text for key, text in ENGLISH.texts.items() if key.startswith("title.")
    }
    assert {key for key in told if key.startswith("answer.")} == {
        f"answer.{name}" for name in STANDARD["rng"]
    }
    assert {key: text for key, text in told.items() if not key.startswith("answer.")} == titles


@pytest.mark.parametrize("code", languages())
def test_every_catalogue_has_the_same_keys_and_names(code: str) -> None:
    english, texts = catalogue("en").texts, catalogue(code).texts
    assert sorted(texts.keys() ^ english.keys()) == []
    assert [key for key, text in texts.items() if names(text) != names(english[key])] == []
    assert [key for key, text in texts.items() if not text and key != "page.machine_made"] == []


@pytest.mark.parametrize("code", [code for code in WHOLE if code != DEFAULT])
def test_nothing_of_a_catalogue_was_left_in_english(code: str) -> None:
    """Two words in a row that are not values are the language's own."""
    english = catalogue("en").texts
    words = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
    left = [key for key, text in catalogue(code).texts.items() if text == english[key] and words.search(text)]
    assert left == []


def test_no_text_of_the_catalogues_is_left_over() -> None:
    feedback = Path(render_html.__code__.co_filename).parent
    folders = (feedback, feedback.parent / "serve" / "web", feedback.parent / "batch" / "report" / "pages")
    paths = (path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".j2"))
    sources = "".join(path.read_text(encoding="utf-8") for path in paths)
    for key in catalogue("en").texts:
        section, _, name = key.partition(".")
        used = (
            key in sources
            or section in ("why", "status", "move", "hint", "said", "shared")
            or f'"{name}"' in sources
        )
        assert used or re.search(rf'{section}\.[a-z_]*["{{]', sources), key


# --- in words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", languages())
def test_what_is_worked_out_can_be_said_in_every_language(code: str) -> None:
    stages: list[Fault] = [
        Fault(kind, "why", (Frame("a.py", 3, "f", ""),), stage)
        for kind in ("KeyError", "signal 9")
        for stage in ("call", "import", "construct")
    ]
    messages = [*map(fault_text, stages), *map(ordinal, range(1, 5)), *(label for label, _ in large_mazes(1))]
    assert len({catalogue(code).say(message) for message in messages}) == len(messages)


def test_what_a_value_says_is_no_template() -> None:
    assert ENGLISH.say(said("returned", value="{value} {0} {value.__class__}")) == (
        "returned {value} {0} {value.__class__}"
    )


@pytest.mark.parametrize("message", [Message("said.no_such_key"), Message("said.returned")])
def test_an_unknown_key_and_a_value_that_lacks_are_refused(message: Message) -> None:
    with pytest.raises(KeyError):
        ENGLISH.say(message)


def test_a_number_in_a_row_is_written_as_english_does() -> None:
    numbers = (1, 2, 3, 4, 11, 12, 22, 113)
    told = [ENGLISH.say(ordinal(number)) for number in numbers]
    assert told == ["1st", "2nd", "3rd", "4th", "11th", "12th", "22nd", "113th"]
