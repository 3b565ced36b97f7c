"""Each sentence of the catalogues and each refusal in the code stands in an expected file."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from grader import errors
from grader.languages import catalogue
from tests.golden.harness import HERE
from tests.golden.inputs import ROOT

REFUSALS = {name for name, _ in inspect.getmembers(errors, inspect.isclass)} | {
    "CommandError",
    "MazeFormatError",
}
OF_A_BROKEN_MACHINE = {
    "BoxTimeout",
    "DiskError",
    "PlatformError",
    "ProtocolError",
    "QuestionsSpent",
    "SandboxError",
}
"""Refusals that no input calls forth, but a fault does: tests/grader/faults."""
NEVER_SHOWN = {"BeyondBounds"}
"""Refusals in whose place a sentence is said: said.reading_too_much and said.not_explained."""
MISTAKES = re.compile(r"(hint|mistake|shared)\.")
"""Names of mistakes, of which inputs show some: tests/grader/exercises/kit/test_shared.py, perfection."""
BANKS = {"right", "wrong", "submissions"}
EXCEPTIONS: dict[str, str] = {
    "expected a person who takes part in a course": "who is forgotten in the moment of handing in",
    "--cluster needs Dask: install the extra [cluster]": "the tests have Dask",
    "seconds now; what is graded is kept:": "a scheduler that is lost: test_cluster.py",
    "stopped: the same command goes on": "Ctrl-C: test_stop_signals.py",
    "this link for a registration was used by another platform meanwhile": "two in the same moment",
    **dict.fromkeys(
        (
            "expected a registration token that a platform makes, got something else",
            "this platform is registered here, under the same client id: nothing was changed",
            "expected a platform that waits to be confirmed: another teacher was faster",
            "serve.launch.registered.title",
            "serve.launch.registered.what",
            "serve.launch.registered.close",
        ),
        "a platform that registers itself: tests/grader/serve/lti/test_registration.py",
    ),
    "expected a check that a person marks, got": "a rubric that changed since the page was opened",
    **dict.fromkeys(
        ("nothing of yours is to be taken back", "expected a criterion of"),
        "keys and pages offer what there is: tests/grader/batch/test_marking.py",
    ),
    "ask.refused.late": "with a capital on a page: tests/golden/serve/requests",
    "ask.refused.replied": "the same",
    "page.score_so_far_one": "a single point is open: tests/grader/batch/test_marking.py",
    **dict.fromkeys(
        ("said.text_unread", "said.written_too_much"),
        "beyond the reader's bounds: tests/grader/grading/test_handed_in.py",
    ),
    "said.story_unordered": "it makes other mazes each time: tests/lab/test_luck.py",
    "said.story_drew_other": "it draws other mazes each time: tests/lab/test_luck.py",
    "said.story_past": "how a story of visits may begin: tests/lab/test_story.py",
    **{
        f"serve.{key}": "how much time is left, and what late costs: tests/grader/serve/web/test_pages.py"
        for key in (
            "late.minutes",
            "late.minute",
            "late.free",
            "late.nothing",
            "late.limit",
            "late.limit_one",
        )
    },
    "serve.late.grace": "the same",
    "serve.kit": "what a release has: tests/grader/serve/web/test_pages.py",
    "serve.handout": "the same",
    "said.newer_python": "it hangs on the Python that grades",
    "said.not_asked": "it hangs on how fast the machine is",
    "said.no_maze_text": "only a box that lies answers so: it writes the text itself",
    "said.no_word": "only a box that lies ends a call without a fault",
    "said.grader_erred": "a mistake in the grader: tests/grader/batch/test_reader.py",
    "said.not_graded": "only a fault of the grader leaves a submission without a result",
    "a mistake in the grader, not in the work: to read it raised": "tests/grader/batch/test_reader.py",
    "the bank was not graded": "a process that was killed without a word",
    "the folder of mazes cannot be read:": "a folder that may not be read, and root reads all",
    "the grader is not installed here: run pip install . in its folder": "no installation: test_shipped.py",
    "this installation lacks the student template: install the grader again": "the same",
    "was changed by somebody else since it was opened here: download this one, and compare": (
        "told to the page of the editor, which asks a server: test_server.py"
    ),
    "did not come to an end, and was ended by force": "takes 80 seconds: tests/lab/commands/test_trace.py",
    "again.too_large": "a page of a megabyte: tests/grader/feedback/test_feedback.py",
    "ask.about": "one of several checks, and in Markdown: tests/grader/batch/test_requests.py",
    "picture.too_large": "a page of a megabyte: tests/grader/feedback/test_feedback.py",
    "ungraded.fault": "a fault of the grader: tests/grader/batch/test_orchestrator.py",
    "picture.costs": "a maze with costs: tests/grader/feedback/test_feedback.py",
    "picture.costs_many": "the same of a larger one: tests/lab/render/test_pictures.py",
    "picture.digits": "the same",
    "legend.costs": "a maze with costs: tests/grader/feedback/test_feedback.py",
    "revisits.probed": "by what a solver is seen: tests/grader/feedback/test_feedback.py",
    "revisits.tested": "the same",
    "said.endless_tested": "by what a solver is seen: tests/grader/exercises/solvers/test_ways.py",
    "said.output_limit": "a flood, as of the hostile programs: tests/submissions/hostile.yaml",
    "own.analysis.said.too_much": "reading that ends at a bound of time: tests/grader/test_bounds.py",
    "said.look_equal": "asked of an edit of the repairs: tests/grader/repairs/test_operators.py",
    "said.look_under_condition": "the same",
    "said.kind_large_room": "a hidden maze: tests/grader/exercises/kit/test_facts.py",
    "said.hidden_later": "told before a deadline that is still to come: tests/grader/serve/web/test_pages.py",
    "what staff put right cannot be read:": "a file that was changed: tests/grader/batch/test_choices.py",
    "expected a check that asks about mazes, but this one asks about none": (
        "one of the lab's Search or generators: tests/grader/grading/test_engine.py"
    ),
    "expected a maze of at most": "one of more than 64 KiB: tests/grader/serve/web/test_tries.py",
    "said.intake_own_choice": "a choice of the student in the service: tests/grader/batch/test_choices.py",
    "said.pythons_own": "a file that Python has loaded: tests/lab/commands/test_commands.py",
    **{
        f"own.{exercise}.{key}": "the handout of a released kit: tests/grader/release/test_handout.py"
        for exercise in (
            *("graph", "analysis", "wall_follower", "neighbours", "is_way", "braid", "tower"),
            *("cheapest", "a_star"),
        )
        for key in ("row", "time")
    },
}
"""Sentences by their key, and refusals by their longest piece, that no input calls forth, and why."""


def test_each_sentence_of_the_catalogues_is_called_forth() -> None:
    said = _said()
    texts = {
        key: _longest(text for text, *_ in Formatter().parse(text))
        for key, text in catalogue("en").texts.items()
    }
    missing = [f"{key}: {piece}" for key, piece in texts.items() if piece not in said]
    assert [
        line for line in missing if not MISTAKES.match(line) and line.partition(": ")[0] not in EXCEPTIONS
    ] == []


def test_each_refusal_is_called_forth() -> None:
    said = _said()
    sources = (path for top in ("lab", "grader") for path in sorted((ROOT / top).rglob("*.py")))
    found = [each for path in sources if not BANKS & {*path.parts} for each in _refusals(path)]
    assert [
        f"{place}: {piece}" for place, piece in found if piece not in said and piece not in EXCEPTIONS
    ] == []


def _said() -> str:
    """Return all that the expected files hold, on one line."""
    texts = (path.read_text(encoding="utf-8") for path in HERE.glob("*/*/expected/**/*") if path.is_file())
    return _on_one_line("\n".join(text + text.replace('\\"', '"') for text in texts))


def _refusals(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the place and the longest literal piece of each refusal that a file raises with a text."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            name = ast.unparse(node.exc.func).rpartition(".")[2]
            if name in REFUSALS - OF_A_BROKEN_MACHINE - NEVER_SHOWN:
                pieces = [each.value for each in ast.walk(node.exc.args[0]) if isinstance(each, ast.Constant)]
                if piece := _longest(each for each in pieces if isinstance(each, str)):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", piece


def _longest(pieces: Iterator[str]) -> str:
    return _on_one_line(max(pieces, key=len, default=""))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
