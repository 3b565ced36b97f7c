"""What the pages on security say of the sandboxes is what the grader promises, and its tests are there."""

from __future__ import annotations

import re
from functools import cache

from grader.sandbox import base
from tests.docs.pages import ROOT
from tests.submissions.loader import table

WORDS = {"True": "yes", "False": "no"}
TERMS = {promise.sentence: (promise.docker, promise.bubblewrap, promise.process) for promise in base.PROMISES}


@cache
def page(name: str = "security.md") -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_table_holds_every_promise_and_no_other() -> None:
    table = page().partition("| a submission … |")[2].partition("\n\n")[0].split("\n")[2:]
    assert table == [
        f"| {' | '.join([sentence, *(WORDS.get(str(term), str(term)) for term in terms)])} |"
        for sentence, terms in TERMS.items()
    ]


def test_what_a_promise_needs_is_said_as_doctor_says_it() -> None:
    needed = {
        name
        for terms in TERMS.values()
        for term in terms
        if isinstance(term, str)
        for name in term.split(" and ")
    }
    said = dict(re.findall(r"^- `(\w+)`:? (.+)\.$", page(), re.MULTILINE))
    assert said == {term: base.ADVICE[term] for term in needed}


def test_every_attack_names_tests_and_programs_that_are_there() -> None:
    attacks = page("reference/attacks.md").partition("| attack |")[2].splitlines()[2:]
    named = [re.findall(r"`((?:tests|hostile)/[\w./-]+)`", attack.rpartition(" | ")[2]) for attack in attacks]
    assert all(named)
    programs = {f"hostile/{name}" for name in table("hostile")}
    assert [
        name for names in named for name in names if name not in programs and not (ROOT / name).is_file()
    ] == []


def test_every_file_that_tries_a_promise_is_named() -> None:
    trying = [
        path
        for path in (ROOT / "tests" / "grader" / "sandbox").glob("test_*.py")
        if "mark.promise(" in path.read_text(encoding="utf-8")
    ]
    told = page("reference/attacks.md")
    assert [path.name for path in trying if f"`tests/grader/sandbox/{path.name}`" not in told] == []
