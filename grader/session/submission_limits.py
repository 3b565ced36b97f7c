"""What a whole submission may use, over all of its boxes, and what it has used of that so far.

A fault costs the exercise in which it stands, so all that is counted here belongs to one file:

- its seconds (``Purses``): where it is asked with the grader's Search afterwards, half of them are kept for
  that, since what it does with its own may be the fault of that one;
- whether a call of it ran into a clock, was endless, or silenced the runner, and how often;
- whether it can be loaded, with the Search that it imports, or with one that stands in;
- the bytes of its answers, those of calls alone apart, and the boxes that were ended for what it did.

Only that loading the Search ends the process is known of all files that import it, which get a stand-in then.
Memory, processes, disk and output belong to one call: what it leaves is removed before the next process.

A purse counts seconds of the processor, as the box tells them, so that nothing hangs on how busy the machine
is; what was ended by force is taken to have computed all the time. For boxes that lie, and for what waits, it
counts seconds on the wall as well, divided by how much longer things take on a busy machine.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final, Literal

from grader.model import Again, Call, Claim, Fault, Limits, Outcome, Target
from grader.model.claims import NOT_RUN, CallsBefore
from grader.session.connection import (
    ASKED,
    CALM,
    COSTLY,
    ENDLESS,
    OWN,
    PATIENT,
    PRESSED,
    STAND_IN,
    Pace,
)
from lab.exercises import exercise_of


def unanswered(
    call: Call, outcome: Outcome, message: str, *, kind: str = "", stage: Literal["import", "call"] = "call"
) -> Claim:
    """Return the claim on a call that nobody answered: its fault is of the kind of its outcome by default."""
    return Claim(call.id, outcome, fault=Fault(kind or outcome, message, stage=stage))


def not_asked(before: CallsBefore, call: Call) -> Claim:
    """Return the claim on a call that was left out since those before it had used up the time of its file."""
    why = "not asked: the time of its exercise was used up"
    return Claim(call.id, "not-asked", fault=Fault(NOT_RUN, why), before=before)


# --- stretch ----------------------------------------------------------------------------------------
# How much longer things take than on an idle machine, by how many processes want to run at the moment.
#
# Clocks on the wall are stretched by it, so that what they end does not hang on what else the machine does.
# It is looked at where no process of the submission lives, which could make it larger.

MOST: Final = 10.0
"""A clock is stretched to ten times its seconds at most: nothing waits for ever."""
_LOAD: Final = Path("/proc/loadavg")


def stretch_now() -> float:
    """Return by which factor, from 1 to MOST, work takes longer now than on an idle machine."""
    return round(min(MOST, max(1.0, _wanting() / _cores())), 1)


def _wanting() -> float:
    """Return how many processes run or wait for a processor; their mean in a minute where no /proc tells."""
    try:
        return float(_LOAD.read_text("ascii").split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return os.getloadavg()[0]


def _cores() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        return os.cpu_count() or 1


# --- the purse --------------------------------------------------------------------------------------
# The seconds of a submission: four fifths for what decides, shared out by exercise, which is known by its
# file, and a fifth for what explains. Nobody spends what is another's. What an exercise leaves over goes to
# all others, but for what its hidden checks are planned to take.

LEAST_SHARE: Final = 1 / 15
"""However few calls it has, an exercise gets a fifteenth of the time; of more than 15, each the same part."""
EXPLAINS: Final = 1 / 5
"""The part of a submission's seconds for stories, edits and smaller cases: all that moves no mark."""


def shares_of(calls: Mapping[str, int]) -> dict[str, float]:
    """Return the share of the time of each file, by how many calls are planned of it; they sum to 1."""
    least = min(LEAST_SHARE, 1 / max(1, len(calls)))
    rest, planned = 1 - least * len(calls), sum(calls.values())
    return {
        file: least + rest * (count / planned if planned else 1 / len(calls)) for file, count in calls.items()
    }


class Purses:
    """What is left of the seconds of a submission on one clock."""

    def __init__(self, seconds: float, shares: Mapping[str, float]) -> None:
        """Fill the purses; a file that is not in ``shares`` has one with all the seconds."""
        self._seconds, self._shares = seconds, dict(shares)
        self._own = {file: share * seconds for file, share in shares.items()}
        self._over = 0.0
        """What exercises have left over."""
        self.spent: defaultdict[str, float] = defaultdict(float)
        """The seconds that the calls of a file took so far."""

    def left(self, file: str) -> float:
        """Return how many seconds the calls of a file may still take."""
        return self._own.get(file, self._seconds) + self._over

    def spend(self, file: str, seconds: float) -> None:
        """Take seconds from the purse of a file, and what is not in there from what others have left over."""
        self.spent[file] += seconds
        own = self._own.get(file, self._seconds) - seconds
        self._own[file] = max(0.0, own)
        self._over = max(0.0, self._over + min(0.0, own))

    def empty(self, file: str, kept: float) -> None:
        """Take all that the calls of a file may still take, but for what is kept."""
        kept = min(kept, self.left(file))
        self.spent[file] += self.left(file) - kept
        self._own[file], self._over = kept, 0.0

    def give(self, file: str, kept: float) -> None:
        """Give to all others what is in the purse of a file beyond a part of its share."""
        own, kept = self._own.get(file, 0.0), kept * self._seconds * self._shares.get(file, 1.0)
        self._over += max(0.0, own - kept)
        self._own[file] = min(own, kept)


# --- groups -----------------------------------------------------------------------------------------
# Groups of calls on which one check depends: after one that ran into a limit, or a few that ended their
# process, the others are not made.
#
# The session keeps them outside of the box, since which calls belong together may tell what is
# expected of them.

MOST_DEATHS: Final = 3
"""After the third call of a group that ends its process, which takes seconds where it fills the memory, the
others are not made; until then each is made, and judged by how it ends itself."""
_DEATHS: Final = ("died", "out-of-memory")
SPENT: Final = ("endless", "timeout", "out-of-memory", "output-limit", "died", "violation")
"""Outcomes after which the rest of a group needs no run: each costs a process, or a limit."""


class Groups:
    """The groups of one run of calls, and which of them are spent."""

    def __init__(self) -> None:
        self._spent: dict[str, tuple[str, Outcome]] = {}
        self._deaths: Counter[str] = Counter()

    def note(self, call: Call, claim: Claim) -> bool:
        """Note how a call ended; tell whether its group is spent."""
        if call.group and claim.outcome in SPENT and self._is_last(call, claim):
            self._spent.setdefault(call.group, (call.id, claim.outcome))
        return call.group in self._spent

    def _is_last(self, call: Call, claim: Claim) -> bool:
        """Tell whether no more of the group is worth a run, and count calls that ended their process."""
        at_import = claim.fault is not None and claim.fault.stage == "import"
        if at_import or claim.outcome not in _DEATHS:
            return True
        self._deaths[call.group] += 1
        return self._deaths[call.group] >= MOST_DEATHS

    def not_made(self, call: Call) -> Claim | None:
        """Return the claim on a call whose group is spent; None where the call is worth making."""
        if call.group not in self._spent:
            return None
        first, outcome = self._spent[call.group]
        why = f"not run, since the call {first} of the same group ended so"
        return unanswered(call, outcome, why, kind=NOT_RUN)


MAX_RESTARTS: Final = 8
"""A file that has ended more boxes than this is not called again."""
_UNLOADABLE: Final = ("timeout", ENDLESS)
"""Outcomes of loading a file that cost a whole limit: such a file is not loaded again."""
_ENDING: Final = (*_UNLOADABLE, "died", "out-of-memory", "output-limit", "violation")
"""Outcomes of loading the search after which nothing that imports it is loaded, either."""
MAX_SILENCES: Final = 2
"""A file that has made the runner fall silent this often is not called again; each costs a deadline."""
ANSWER_FACTOR: Final = 4
CALL_ANSWER_BYTES: Final = 4096
"""The answers of one file may take 4 times ``reply_bytes``, and 4,096 bytes more for each call; those of
right submissions take 2 KB a call."""


class SubmissionLimits:
    """What one submission has used; calls that are not worth a run get their claims here."""

    def __init__(
        self,
        limits: Limits,
        shares: Mapping[str, float],
        stretch: Callable[[], float] = stretch_now,
        again: Again | None = None,
    ) -> None:
        """Share the seconds out by file: all, or what is left for what is graded ``again``.

        ``stretch`` tells how much longer things take at the moment.
        """
        self._limits, self._stretch_now = limits, stretch
        self._whole = (
            (again.cpu_seconds, again.wall_seconds)
            if again
            else (limits.submission_cpu_seconds, limits.submission_wall_seconds)
        )
        self._stretch = 1.0
        self._deciding, self._explaining = self._filled(1 - EXPLAINS, shares), self._filled(EXPLAINS, {})
        """On the clock of the processor, and on the wall."""
        self._is_aside = False
        self._kept: dict[str, list[tuple[float, float]]] = {}
        """By file and clock: the seconds kept for calls with the grader's Search, and those spent by then."""
        self._told = 0.0
        """What the calls of the conversation that goes on told of their processor time."""
        self._is_by_force = self._is_all_told = False
        """Whether one of its calls was ended by force; whether it came to its end, and none was."""
        self._cut: float | None = None
        """What stays in the purse of which the last call of the conversation took all else."""
        self._since: float | None = None
        """When the conversation that goes on began; those that are over are taken from the purses."""
        self._slow: set[str] = set()
        """The files of which a call has timed out twice, or broken the protocol."""
        self._endless: set[str] = set()
        """The files of which a call went beyond its turns or questions."""
        self._unloadable: dict[tuple[str, bool], Outcome] = {}
        """How the files ended that could not be loaded within their limits, by name and whether a search
        stood in."""
        self.search_ends_loading = again is not None and again.search_ends_loading
        """Whether what loads the submission's Search is ended by that."""
        self._silences: Counter[str] = Counter()
        self._calls: Counter[tuple[str, bool]] = Counter()
        self._answer_bytes: Counter[tuple[str, bool]] = Counter()
        """By file, and whether made alone: how many calls there were, and how many bytes they answered."""
        self.restarts: Counter[str] = Counter()
        """By file, how often a box had to be ended for what the submission did."""

    # --- what was used ----------------------------------------------------------------------------

    def _filled(self, part: float, shares: Mapping[str, float]) -> tuple[Purses, Purses]:
        cpu, wall = self._whole
        return Purses(part * cpu, shares), Purses(part * wall, shares)

    def _purse(self, target: Target) -> tuple[Purses, Purses, str]:
        """Return what pays for a call now, on both clocks, and its name there: all that explains has one."""
        return (*self._explaining, "") if self._is_aside else (*self._deciding, target.file)

    def keep_half(self, target: Target) -> None:
        """Keep half of what is left to a file for calls with the grader's Search."""
        self._kept[target.file] = [
            (clock.left(target.file) / 2, clock.spent[target.file]) for clock in self._deciding
        ]

    def _keeps(self, file: str) -> list[float]:
        """Return what is kept of a file's seconds now, on both clocks.

        What others left over may have been spent by others since: then it is half of what there would be if
        the file itself had spent nothing meanwhile.
        """
        pairs = zip(self._deciding, self._kept.get(file, [(0.0, 0.0)] * 2), strict=True)
        return [
            min(kept, (clock.left(file) + clock.spent[file] - spent) / 2) for clock, (kept, spent) in pairs
        ]

    @property
    def explains_no_more(self) -> bool:
        """Whether what explains has used up its part."""
        return any(clock.left("") <= 0 for clock in self._explaining)

    @contextmanager
    def timed(self, target: Target) -> Iterator[None]:
        """Take the seconds of a conversation from the purse of its file.

        How busy the machine is, is looked at before and after, when no process of the submission lives.
        """
        self._stretch = self._stretch_now()
        self._told, self._is_all_told, self._is_by_force = 0.0, False, False
        self._cut = None
        self._since = started = monotonic()
        try:
            yield
        finally:
            seconds, self._since = monotonic() - started, None
            seconds /= max(self._stretch, self._stretch_now())
            cpu, wall, name = self._purse(target)
            wall.spend(name, seconds)
            if not self._is_all_told:
                cpu.spend(name, max(0.0, seconds - self._told))
            if self._cut is not None:
                cpu.empty(name, self._cut)
                self._cut = None

    def give(self, target: Target, kept: float = 0.0) -> None:
        """Give what a file leaves over to the others, but for the part of its share that it is to keep."""
        for clock in self._deciding:
            clock.give(target.file, kept)
        if target.file in self._kept:
            self.keep_half(target)

    @property
    def left(self) -> tuple[float, float]:
        """What is left to the submission, on the clock of the processor and on the wall."""
        purses = zip(self._whole, self._deciding, self._explaining, strict=True)
        cpu, wall = (
            max(0.0, most - sum(map(sum, (a.spent.values(), b.spent.values())))) for most, a, b in purses
        )
        return cpu, wall

    def can_repeat(self, target: Target, share: float) -> bool:
        """Tell whether a share of what is left is more than what has decided about a file took."""
        spent = (clock.spent[target.file] for clock in self._deciding)
        return all(took < share * (1 - EXPLAINS) * left for took, left in zip(spent, self.left, strict=True))

    def note_end(self) -> None:
        """Note that a conversation came to its end in good order."""
        self._is_all_told = not self._is_by_force

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Forget at the end what was noted meanwhile; the seconds are of those that explain."""
        before = deepcopy({name: value for name, value in vars(self).items() if name != "_explaining"})
        self._is_aside = True
        try:
            yield
        finally:
            vars(self).update(before)

    def note_answer(self, target: Target, claim: Claim, size: int, *, isolate: bool, asks: bool) -> None:
        """Note how a call ended that asked the grader's search or not, and how many bytes it answered."""
        self._calls[target.file, isolate] += 1
        cpu, _, name = self._purse(target)
        cpu.spend(name, claim.cpu_seconds)
        self._told += claim.cpu_seconds
        self._is_by_force |= claim.outcome in SPENT and not claim.cpu_seconds
        self._answer_bytes[target.file, isolate] += size
        if claim.outcome in COSTLY:
            self.note_slow(target)
        if claim.outcome == ENDLESS and not (claim.spent and claim.spent.what == "waits"):
            self._endless.add(target.file)
        if claim.fault is not None and claim.fault.stage == "import":
            self.search_ends_loading |= self._holds_the_search(target.file) and claim.outcome in _ENDING
            if claim.outcome in _UNLOADABLE:
                self._unloadable[self._loaded(target, asks=asks)] = claim.outcome

    def note_slow(self, target: Target) -> None:
        """Note that a call may have taken a whole limit of time: later calls get less."""
        self._slow.add(target.file)

    def note_timeout(self, target: Target, claim: Claim, most: float, *, asks: bool) -> None:
        """Note that a clock ended a call that had up to ``most`` seconds of the processor.

        Where less was left to its file, that was what ended it, unless it told of far less: nothing is left.
        """
        left, _ = self.left_to(target, asks=asks)
        if left < most and not 0 < claim.cpu_seconds < left / 2:
            self._cut = 0.0 if asks else self._keeps(target.file)[0]

    def note_silence(self, target: Target) -> None:
        """Note that the runner answered nothing more."""
        self.note_slow(target)
        self._silences[target.file] += 1

    # --- what is left -----------------------------------------------------------------------------

    def pace(self, target: Target) -> Pace:
        """Return how much of its budget the next call of a file gets."""
        hurry = PRESSED if target.file in self._slow else CALM
        return Pace(hurry, target.file in self._endless, self._stretch)

    def second_try(self, target: Target) -> Pace | None:
        """Return the pace to try a call that timed out again, alone; None where that decides nothing."""
        if self._is_aside or target.file in self._slow:
            return None
        return Pace(PATIENT, target.file in self._endless, self._stretch)

    def left_to(self, target: Target, *, asks: bool) -> tuple[float, float]:
        """Return how many seconds the calls of a file may still take, of the processor and on the wall."""
        running = 0.0 if self._since is None else monotonic() - self._since
        cpu, wall, name = self._purse(target)
        kept = [0.0, 0.0] if asks else self._keeps(name)
        left = cpu.left(name) - kept[0], wall.left(name) - running / self._stretch - kept[1]
        return max(0.0, left[0]), max(0.0, left[1])

    def is_over(self, target: Target, *, asks: bool) -> bool:
        """Tell whether the time for the calls of a file is used up."""
        return self._cut is not None or 0.0 in self.left_to(target, asks=asks)

    def is_too_large(self, target: Target, *, isolate: bool) -> bool:
        """Tell whether the answers of a file, all of them together, take more than they may."""
        calls = self._calls[target.file, isolate]
        most = ANSWER_FACTOR * self._limits.reply_bytes + CALL_ANSWER_BYTES * calls
        return self._answer_bytes[target.file, isolate] > most

    def search_for_solvers(self, *, asks: bool) -> str:
        """Return which Search solvers are handed now, in the words of the protocol."""
        return OWN if not asks else STAND_IN if self.search_ends_loading else ASKED

    def not_made(self, target: Target, *, isolate: bool, asks: bool) -> Callable[[Call], Claim] | None:
        """Return what makes the claims where no call of a file is worth a run now; None where calls are."""
        outcome = self._unloadable.get(self._loaded(target, asks=asks))
        if outcome is not None:
            why = f"{target.file} could not be loaded within its limits"
            return partial(unanswered, outcome=outcome, message=why, stage="import")
        if self._silences[target.file] >= MAX_SILENCES:
            why = f"not run: {target.file} made the sandbox fall silent too often"
            return partial(unanswered, outcome="timeout", message=why, kind=NOT_RUN)
        if self.is_over(target, asks=asks):
            cpu, wall, name = self._purse(target)
            seconds = max(cpu.spent[name], wall.spent[name])
            count = self._calls[target.file, False] + self._calls[target.file, True]
            return partial(not_asked, CallsBefore(count, seconds))
        if self.is_too_large(target, isolate=isolate):
            why = f"not run: the answers of {target.file} had become too large, all of them together"
            return partial(unanswered, outcome="output-limit", message=why, kind=NOT_RUN)
        if self.restarts[target.file] > MAX_RESTARTS:
            why = f"not run: {target.file} ended its sandbox too often"
            return partial(unanswered, outcome="violation", message=why, kind=NOT_RUN)
        return None

    @staticmethod
    def _holds_the_search(file: str) -> bool:
        search = exercise_of("script")
        return search is not None and file == search.file

    def _loaded(self, target: Target, *, asks: bool) -> tuple[str, bool]:
        """Return what is loaded: the file, and whether a search stands in for the one it imports."""
        return target.file, self.search_for_solvers(asks=asks) == STAND_IN
