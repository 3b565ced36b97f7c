"""What SECURITY.md says of the sandboxes is what the grader promises."""

from __future__ import annotations

import re

from grader.sandbox import promises
from tests.docs.pages import ROOT

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
WORDS = {"True": "yes", "False": "no"}
TERMS = {
    promise.sentence: (promise.docker, promise.bubblewrap, promise.process) for promise in promises.PROMISES
}


def test_the_table_holds_every_promise_and_no_other() -> None:
    table = PAGE.partition("| a submission … |")[2].partition("\n\n")[0].split("\n")[2:]
    assert table == [
        f"| {' | '.join([sentence, *(WORDS.get(str(term), str(term)) for term in terms)])} |"
        for sentence, terms in TERMS.items()
    ]


def test_what_a_promise_needs_is_said_as_doctor_says_it() -> None:
    needed = {term for terms in TERMS.values() for term in terms if isinstance(term, str)}
    said = dict(re.findall(r"^- `(\w+)`:? (.+)\.$", PAGE, re.MULTILINE))
    assert said == {term: promises.ADVICE[term] for term in needed}


def test_the_tests_that_it_names_are_there() -> None:
    named = re.findall(r"`(tests/[\w/]+(?:\.py)?)`", PAGE)
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []
