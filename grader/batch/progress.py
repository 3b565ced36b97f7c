"""What is seen of a batch while it runs: a live table, plain lines, or nothing."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from grader.batch.executor import Executor
from grader.exports.csv_cells import format_points
from grader.text import visible

_FINAL: Final = ("graded", "unchanged", "refused", "fault")
_TROUBLE: Final = ("refused", "retry", "fault", "complaint")
_REFRESH_SECONDS: Final = 0.2
_SHOWN: Final = 5


class Screen(Console):
    """A terminal, or a pipe; where nobody reads it any more, rich would end the process."""

    def on_broken_pipe(self) -> None:
        """Show nothing more."""
        self.quiet = True


@contextmanager
def _as_long_as_it_lasts(console: Console) -> Iterator[None]:
    """Show nothing more where what shows it takes no more: that ends no batch, and is told at the end."""
    try:
        yield
    except OSError:
        console.quiet = True


def display_for(console: Console, total: int, *, quiet: bool) -> Quiet:
    """The display that suits a terminal, a file, or a person who asked for silence."""
    if quiet:
        return Quiet()
    return LiveView(console, total) if console.is_terminal else LineDisplay(console, total)


class Quiet:
    """Shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def tell(self, event: str, **facts: Any) -> None:
        """Something happened."""

    def tick(self, executor: Executor) -> None:
        """Time passed."""


class LineDisplay(Quiet):
    """A line an event, without colour or movement."""

    def __init__(self, console: Console, total: int) -> None:
        self._console, self._total, self._done = console, total, 0

    def tell(self, event: str, **facts: Any) -> None:
        """Write a line about a submission."""
        if "submission" not in facts:
            return
        self._done += event in _FINAL
        count = f"[{self._done:>{len(str(self._total))}}/{self._total}]"
        with _as_long_as_it_lasts(self._console):
            self._console.print(
                f"{count} {one_line(event, facts)}", markup=False, highlight=False, soft_wrap=True
            )


class LiveView(Quiet):
    """A bar with rate and time left, counts, what each worker does, and the last troubles."""

    def __init__(self, console: Console, total: int) -> None:
        self._bar = Progress(
            TextColumn("Grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=console,
            auto_refresh=False,
        )
        self._task = self._bar.add_task("", total=total, rate="")
        self._counts: Counter[str] = Counter()
        self._troubles: deque[str] = deque(maxlen=_SHOWN)
        self._started = time.monotonic()
        self._shown = 0.0
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=True)  # no thread: workers fork

    def __enter__(self) -> Self:
        with _as_long_as_it_lasts(self._console):
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _as_long_as_it_lasts(self._console):
            self._live.stop()

    def tell(self, event: str, **facts: Any) -> None:
        """Count an event."""
        self._counts[event] += 1
        if event in _FINAL:
            self._bar.advance(self._task)
        if event in _TROUBLE:
            self._troubles.append(one_line(event, facts))

    def tick(self, executor: Executor) -> None:
        """Draw, now and then."""
        now = time.monotonic()
        if now - self._shown < _REFRESH_SECONDS:
            return
        self._shown = now
        rate = sum(self._counts[event] for event in _FINAL) / max(now - self._started, 0.001)
        self._bar.update(self._task, rate=f"{rate:.1f} a second")
        shown = Group(self._bar, self._summary(), self._workers(executor), *self._last())
        with _as_long_as_it_lasts(self._console):
            self._live.update(shown, refresh=True)

    def _summary(self) -> Text:
        shown = [f"{self._counts[event]} {event}" for event in (*_FINAL, "retry") if self._counts[event]]
        return Text("  ".join(shown))

    def _workers(self, executor: Executor) -> Table:
        table = Table.grid(padding=(0, 2))
        for number, (name, seconds) in enumerate(executor.doing(), 1):
            table.add_row(
                f"worker {number}", Text(visible(name) or "idle"), f"{seconds:.0f} s" if name else ""
            )
        return table

    def _last(self) -> list[Text]:
        return [Text(line, style="yellow", overflow="ellipsis", no_wrap=True) for line in self._troubles]


def one_line(event: str, facts: dict[str, Any]) -> str:
    """An event in words, on one line that no terminal obeys."""
    name = visible(str(facts["submission"])).replace("\n", " ").replace("\t", " ")
    if event == "graded":
        score, most = format_points(facts["score"]), format_points(facts["max_score"])
        return f"{name}  {score} of {most}  {facts['seconds']:.1f} s"
    reason = visible(str(facts.get("reason", ""))).replace("\n", " ")
    return f"{name}  {event}{': ' if reason else ''}{reason[:300]}"
