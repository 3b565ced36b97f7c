"""The display of a running batch: a live table, plain lines, or nothing."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil, exp, sqrt
from statistics import NormalDist, mean, variance
from types import TracebackType
from typing import Any, Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from grader.batch.orchestrator import Executor
from grader.exports.grades_csv import format_points
from grader.text import visible

# --- time left --------------------------------------------------------------------------------------
# How long a batch still takes: a range, from the spread of what it has graded so far.
#
# Submissions take from a second to minutes, and the first ones to finish are the short ones. So the time per
# submission is the wall time of the run divided by the number of submissions, those still running counted as
# half.

ENOUGH: Final = 5
"""No estimate is given before this many submissions are graded."""
SURE: Final = 0.9
"""The probability that the time left lies in the range."""
_USUAL_SPREAD: Final = 1.0
_USUAL_COUNT: Final = 4
"""The prior: a standard deviation as large as the mean, weighted like this many submissions."""
_QUANTILE: Final = NormalDist().inv_cdf((1 + SURE) / 2)

_UNITS: Final = ((3600.0, "h"), (60.0, "min"), (1.0, "s"))


class TimeLeft:
    """The times of one run."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic, *, then: str = "") -> None:
        """Begin a run over ``total`` submissions now; ``clock`` returns seconds, ``then`` what follows."""
        self.total, self._clock, self._began, self._then = total, clock, clock(), then
        self._seconds: list[float] = []
        self.running = 0
        """How many submissions are being graded now."""
        self._done = 0

    def more(self, count: int) -> None:
        """Count more submissions than were there at the beginning."""
        self.total += count

    def add(self, seconds: float | None) -> None:
        """Count a finished submission; ``seconds`` is None if it did not have to be graded."""
        self._done += 1
        if seconds is not None:
            self._seconds.append(seconds)

    def range(self) -> tuple[float, float] | None:
        """Return the least and the most seconds left; None if it is too early to say, or over."""
        graded, left = len(self._seconds), self.total - self._done
        if graded < ENOUGH or left <= 0:
            return None
        half = min(self.running, left) / 2
        middle = (self._clock() - self._began) / (graded + half) * (left - half)
        wide = exp(_QUANTILE * self._spread() * sqrt(1 / graded + 1 / left))
        return middle / wide, middle * wide

    def _spread(self) -> float:
        """Return the standard deviation of the times of submissions, as a share of their mean."""
        own = variance(self._seconds) / (mean(self._seconds) or 1.0) ** 2
        known = len(self._seconds) - 1
        return sqrt((_USUAL_COUNT * _USUAL_SPREAD**2 + known * own) / (_USUAL_COUNT + known))

    def told(self) -> str:
        """Return the time left in words; empty if it is too early to say."""
        found = self.range()
        return "" if found is None else format_range(*found) + self._then


def format_range(least: float, most: float) -> str:
    """Format a range of seconds in words, in whole minutes, or in hours if it ends beyond two."""
    unit, name = next((unit, name) for unit, name in _UNITS if most >= 2 * unit or unit == 1)
    low, high = int(least / unit), max(1, ceil(most / unit))
    return f"{low} to {high} {name} left" if low else f"at most {high} {name} left"


_FINAL: Final = ("graded", "unchanged", "refused", "undecided", "fault")
_MORE: Final = "chosen"
"""What a person chose while the class was graded is graded once more, or as well."""
_TROUBLE: Final = ("refused", "retry", "undecided", "fault", "complaint")
_REFRESH_SECONDS: Final = 0.2
_SHOWN: Final = 5
_SELDOM: Final = 10
"""The time that is left gets ten lines at most, and only while it may be a minute or more."""
_LONG_SECONDS: Final = 60.0
_MANY: Final = 20
"""Fewer submissions are compared, and fewer pairs shown, in no time that is worth a line."""


class Screen(Console):
    """A console that goes quiet once its pipe breaks, where rich would end the process."""

    def on_broken_pipe(self) -> None:
        """Stop printing."""
        self.quiet = True


@contextmanager
def _as_long_as_it_lasts(console: Console) -> Iterator[None]:
    """Stop printing when the output fails: the batch goes on, and reports it at the end."""
    try:
        yield
    except OSError:
        console.quiet = True


def display_for(console: Console, total: int, *, quiet: bool, then: str = "") -> Quiet:
    """Return the display for a terminal, for a file or pipe, or for ``--quiet``.

    ``then`` says what is done after the last submission, and follows the time that is left.
    """
    if quiet:
        return Quiet()
    view = LiveView if console.is_terminal else LineDisplay
    return view(console, total, then)


class Quiet:
    """A display that shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def tell(self, event: str, **facts: Any) -> None:
        """Show an event."""

    def tick(self, executor: Executor) -> None:
        """Redraw what changes with time."""


class LineDisplay(Quiet):
    """A display of one plain line for each event."""

    def __init__(self, console: Console, total: int, then: str = "") -> None:
        self._console, self._total, self._done = console, total, 0
        self._left, self._tenths = TimeLeft(total, then=then), 0

    def tell(self, event: str, **facts: Any) -> None:
        """Print a line about a submission."""
        if "submission" not in facts:
            return
        self._done += event in _FINAL
        self._total += event == _MORE
        self._left.more(event == _MORE)
        self._print(one_line(event, facts))
        if event in _FINAL:
            self._left.add(facts.get("seconds"))
            tenths, left = _SELDOM * self._done // self._total, self._left.range()
            if left is not None and left[1] >= _LONG_SECONDS and tenths > self._tenths:
                self._tenths = tenths
                self._print(self._left.told())

    def tick(self, executor: Executor) -> None:
        """Note how many submissions are running."""
        self._left.running = _running(executor)

    def _print(self, text: str) -> None:
        count = f"[{self._done:>{len(str(self._total))}}/{self._total}]"
        with _as_long_as_it_lasts(self._console):
            self._console.print(f"{count} {text}", markup=False, highlight=False, soft_wrap=True)


class LiveView(Quiet):
    """A display that is redrawn: a bar, rate, time left, counts, each worker's job, the latest troubles."""

    def __init__(self, console: Console, total: int, then: str = "") -> None:
        self._bar = Progress(
            TextColumn("Grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[left]}"),
            console=console,
            auto_refresh=False,
        )
        self._task = self._bar.add_task("", total=total, rate="", left="")
        self._left = TimeLeft(total, then=then)
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
        if event == _MORE:
            self._left.more(1)
            self._bar.update(self._task, total=self._left.total)
        if event in _FINAL:
            self._bar.advance(self._task)
            self._left.add(facts.get("seconds"))
        if event in _TROUBLE:
            self._troubles.append(one_line(event, facts))

    def tick(self, executor: Executor) -> None:
        """Redraw, at most five times a second."""
        now = time.monotonic()
        if now - self._shown < _REFRESH_SECONDS:
            return
        self._shown = now
        self._left.running = _running(executor)
        rate = sum(self._counts[event] for event in _FINAL) / max(now - self._started, 0.001)
        self._bar.update(self._task, rate=f"{rate:.1f} a second", left=self._left.told())
        table = Table.grid(padding=(0, 2))
        for number, (name, seconds) in enumerate(executor.doing(), 1):
            table.add_row(
                f"worker {number}", Text(visible(name) or "idle"), f"{seconds:.0f} s" if name else ""
            )
        shown = Group(self._bar, self._summary(), table, *self._last())
        with _as_long_as_it_lasts(self._console):
            self._live.update(shown, refresh=True)

    def _summary(self) -> Text:
        shown = [f"{self._counts[event]} {event}" for event in (*_FINAL, "retry") if self._counts[event]]
        return Text("  ".join(shown))

    def _last(self) -> list[Text]:
        return [Text(line, style="yellow", overflow="ellipsis", no_wrap=True) for line in self._troubles]


def _running(executor: Executor) -> int:
    return sum(bool(name) for name, _ in executor.doing())


def one_line(event: str, facts: dict[str, Any]) -> str:
    """Format an event as one line without control characters."""
    name = visible(str(facts["submission"])).replace("\n", " ").replace("\t", " ")
    if event == "graded":
        score, most = format_points(facts["score"]), format_points(facts["max_score"])
        return f"{name}  {score} of {most}  {facts['seconds']:.1f} s"
    reason = visible(str(facts.get("reason", ""))).replace("\n", " ")
    return f"{name}  {event}{': ' if reason else ''}{reason[:300]}"


class EndDisplay:
    """Says what is done after the last submission, and how long that takes where it is long."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._left, self._tenths = say, TimeLeft(0), 0
        self._since, self._is_told = time.monotonic(), False

    def tell(self, event: str, **facts: Any) -> None:
        """Show how many submissions are compared, or how many pages of pairs are written of how many."""
        done, count, now = facts["done"], facts["count"], time.monotonic()
        if event == "compare":
            if count >= _MANY and not self._is_told:
                self._say(f"comparing {count} submissions")
            self._is_told = True
            return
        if done == 0:
            if count >= _MANY:
                self._say(f"showing {count} pairs side by side")
            self._left, self._tenths = TimeLeft(count), 0
        else:
            self._left.add(now - self._since)
        self._since, left, tenths = now, self._left.range(), _SELDOM * done // count
        if left is not None and left[1] >= _LONG_SECONDS and tenths > self._tenths:
            self._tenths = tenths
            self._say(f"[{done}/{count}] {self._left.told()}")
