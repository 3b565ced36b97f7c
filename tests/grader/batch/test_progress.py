"""What a batch shows while it runs."""

from __future__ import annotations

import io

from rich.console import Console

from grader.batch.progress import LiveView, Quiet, display_for
from tests.grader.batch.scripted import Script


def test_the_live_view_shows_rate_workers_and_trouble() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, height=30)
    view = display_for(console, 4, quiet=False)
    assert isinstance(view, LiveView)
    script = Script({})
    script.doing = lambda: [("ada\x1b[31m", 3.2), ("", 0.0)]  # type: ignore[method-assign]
    with view:
        view.tell("graded", submission="bob", score=5.0, max_score=9.0, seconds=1.0)
        view.tell("fault", submission="cleo", reason="no\nengine")
        view.tick(script)
    shown = screen.getvalue()
    for text in ("2/4", "a second", "1 graded", "1 fault", "ada\\x1b[31m", "idle", "cleo  fault: no engine"):
        assert text in shown


def test_plain_lines_and_silence() -> None:
    screen = io.StringIO()
    lines = display_for(Console(file=screen, width=40), 10, quiet=False)
    lines.tell("start", submissions=10)
    lines.tell("graded", submission="[bold]ada", score=87.5, max_score=100.0, seconds=1.0)
    lines.tell("retry", submission="bob", reason="x" * 60)
    lines.tell("unchanged", submission="bob")
    assert screen.getvalue().splitlines() == [
        "[ 1/10] [bold]ada  87.5 of 100  1.0 s",
        f"[ 1/10] bob  retry: {'x' * 60}",
        "[ 2/10] bob  unchanged",
    ]
    assert type(display_for(Console(file=screen), 1, quiet=True)) is Quiet
