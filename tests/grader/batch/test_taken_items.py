"""Items of the review: nobody decides on one that another person has open."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grader.batch.journal import Journal
from grader.batch.taken_items import TAKEN_SECONDS, expect_free, give_back, take_item, taken_items
from grader.errors import InputError

NOW = 1_000_000.0
LATER = NOW + TAKEN_SECONDS


def take(out: Path, who: str, now: float, item: str = "1a2b", names: tuple[str, ...] = ("ada",)) -> str:
    return take_item(out, item, names, who, now)


def test_an_item_is_taken_for_ten_minutes_since_the_last_key(tmp_path: Path) -> None:
    assert take(tmp_path, "bo", NOW) == "bo"
    assert take(tmp_path, "cy", LATER - 1) == "bo"
    assert take(tmp_path, "bo", LATER - 1) == "bo"
    assert take(tmp_path, "cy", LATER) == "bo"
    assert take(tmp_path, "cy", LATER + TAKEN_SECONDS) == "cy"


def test_a_decision_on_an_item_that_another_has_taken_since_is_refused_with_the_name(tmp_path: Path) -> None:
    take(tmp_path, "bo", NOW)
    expect_free(tmp_path, ["1a2b"], "bo", LATER)
    take(tmp_path, "cy", LATER)
    with pytest.raises(InputError, match=r"cy has taken this item \(1a2b\), so nothing was decided: ask cy"):
        expect_free(tmp_path, ["other", "1a2b"], "bo", LATER)
    expect_free(tmp_path, ["other"], "bo", LATER)


def test_an_item_is_given_back_by_who_has_it_and_by_nobody_else(tmp_path: Path) -> None:
    take(tmp_path, "bo", NOW, names=("ada", "bob"))
    give_back(tmp_path, ["1a2b"], "cy")
    assert taken_items(tmp_path, NOW) == {"1a2b": "bo"}
    give_back(tmp_path, ["1a2b"], "bo")
    assert taken_items(tmp_path, NOW) == {}


def test_who_is_forgotten_has_no_item_that_is_taken(tmp_path: Path) -> None:
    take(tmp_path, "bo", NOW)
    take(tmp_path, "bo", NOW, "3c4d", ("bob",))
    with Journal(tmp_path) as journal:
        journal.forget("ada")
    assert taken_items(tmp_path, NOW) == {"3c4d": "bo"}


def test_a_folder_without_results_has_none_and_gets_no_journal(tmp_path: Path) -> None:
    assert taken_items(tmp_path) == {}
    assert not [*tmp_path.iterdir()]


@pytest.mark.processes
def test_of_two_processes_one_has_the_item(tmp_path: Path) -> None:
    Journal(tmp_path).__exit__(None, None, None)
    code = (
        "import sys; from pathlib import Path; from grader.batch.taken_items import take_item; input(); "
        "print({take_item(Path(sys.argv[1]), 'i', ['ada'], sys.argv[2]) for _ in range(20)})"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path), who],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for who in ("bo", "cy")
    ]
    for each in running:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    one, other = (each.communicate()[0] for each in running)
    assert one == other
    assert one.strip() in ("{'bo'}", "{'cy'}")
