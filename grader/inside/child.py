"""A child of the runner: loads the student's files, makes one call, and replies.

Theory of operation. The code of the submission runs in a thread, since only a thread can be given
a big stack. The main thread wakes up now and then, and when the call in hand has used up its
seconds, it answers in its place and ends the process. Code that goes beyond its turns or questions
does so itself, in the call that is one too many. On another version of the file, many of which are
tried and a good part never ends, such a call is unwound first, and the process goes on where that
works. Code that never lets another thread run is ended by the kernel (SIGXCPU) or by the parent.
Everything in here can be tampered with by the submission, which lives in the same process: what is
answered is a claim.

A line to the parent is ``ready`` when the target is loaded, or a reply without its output. After
each call the mark goes to the output, so that the parent can tell the calls' output apart.

What the stand-in for AldousBroder makes while files are loaded: code may try itself out there.

One maze a dimension, made by one loop: whoever keeps it has nothing that is worth more. Loading is over
before the first call begins, and what is imported later finds the stand-in refusing.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
from binascii import a2b_base64
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from importlib import import_module
from mmap import mmap
from random import Random
from random import seed as seed_global_random
from time import monotonic, process_time, sleep
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from lab.leftovers import SLOW, Leftovers
from lab.vector import EAST, NORTH
from lab.waits import IN_C, LOADING, CallTime, has_processes

from . import files, limits, turns
from .asked_search import Steps, asked_searches, stand_in_for_search
from .calls import FunctionCall, GeneratorCall, PerfectionCall, RunningCall, ScriptCall, SolverCall
from .faults import current_fault, fault, fault_at
from .files import ROOT, ChildJob, Message, MissingError, Output, find, flush, furnish, run_in_full, searches
from .ran import RunNotes, watch_writers
from .wire import ENDLESS, LOADING_DEPTH, LOADING_TURNS, OWN, STAND_IN, Budget, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lab.dimension import Dimension
    from lab.factory import Factory
    from lab.maze import Maze


class Lines:
    """Notes the lines of one file while it is entered; any other code runs as fast as ever."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.seen: set[int] = set()

    def __enter__(self) -> None:
        """Note lines from now on, and forget those of an earlier call."""
        self.seen = set()
        sys.settrace(self._enter)

    def __exit__(self, *_: object) -> None:
        """Stop noting lines."""
        sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event != "call" or frame.f_code.co_filename != self._path:
            return None
        return self._note

    def _note(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            self.seen.add(frame.f_lineno)
        return self._note


_MAKERS: Final[list[Any]] = vars(import_module("lab.generators.aldous_broder"))["makers"]
"""Where the stand-in looks; a copy of it that is imported in a call has an empty list of its own."""


@contextmanager
def trying_out() -> Iterator[None]:
    """Let AldousBroder make mazes in this context, and refuse afterwards."""
    _MAKERS.append(_corridors)
    try:
        yield
    finally:
        _MAKERS.clear()


def _corridors(factory: Factory, dimension: Dimension) -> Maze:
    """Make a maze with a corridor for each row, and one door from each to the next."""
    maze, columns = factory.fully_disconnected(dimension), dimension.column_count
    for row, column in dimension.all_positions():
        if column < columns:
            maze.break_wall((row, column), EAST)
        if row > 1 and column == (7 * row * row + 3 * row) // 4 % columns + 1:
            maze.break_wall((row, column), NORTH)
    return maze


READY: Final = b"ready"
QUESTION: Final = b"?"
"""Begins a line with which a child asks the grader something."""
ENDLESS_LOADING, LOST, TOO_SLOW, DONE = 96, 97, 98, 99
"""Exit statuses of a child that made too many turns to load its target, that could not answer, that took
too long to load its target, and that has answered all."""
_TICK_SECONDS: Final = 0.05
_LOOKS: Final = 20
"""Who has used no processor time in 20 looks waits for what is not Python's, and no longer."""
_TURNS_A_WAIT: Final = 25
"""What a wait costs that is passed over."""
_KERNEL_GRACE_SECONDS: Final = 0.5
"""CPU seconds that this process has to give its own answer, before the kernel ends it."""
_ANSWERING_SECONDS: Final = 1.0
"""Seconds that another answer may take which is just being given."""
_ROOM_TO_ANSWER: Final = 500
"""Frames that an answer needs from the depth at which the code was cut off."""
_SET_ASIDE_BYTES: Final = 32 * limits.MIB
"""Address space that is kept for an answer, where the submission has used up all that it may."""
_exit, _read, _write, _getpid, _loads = os._exit, os.read, os.write, os.getpid, json.loads
_CHUNK: Final = 65536
_MISSING, _NO_MEMORY = "missing", "out-of-memory"


def run(job: ChildJob, replies: int, answers: int, loading: int = LOADING) -> NoReturn:
    """Do the job and end the process; descriptors 0, 1 and 2 are the student's by now.

    ``loading`` is what the clocks show while files are loaded, in nanoseconds seen from a call.
    """
    try:
        _Child(job, replies, answers, loading).run()
    except BaseException:  # noqa: BLE001 - the parent is told by the exit status
        _exit(LOST)


class _CutOff(BaseException):
    """Unwinds a call on another version of the file that has used up its turns or questions."""


class _Child:
    def __init__(self, job: ChildJob, replies: int, answers: int, loading: int) -> None:
        self._files = {**job.files}
        self._job, self._replies, self._answers = job._replace(files=self._files), replies, answers
        self._version: int | None = None
        self._lines = Lines(f"{ROOT}/{job.target['file']}") if job.lines else None
        self._steps = files.recorder_of(dict(job.steps)) if job.steps else None
        self._ran = RunNotes(job.files, job.codes)
        self._loading, self._over = True, False
        self._kinds: Mapping[str, Callable[[], RunningCall]] = {
            "solve": lambda: SolverCall(self._new_search, self._questions.next, self._steps),
            "script": lambda: ScriptCall(self._steps),
            "is_perfect": PerfectionCall,
            "generate": lambda: GeneratorCall(self._steps),
            "ask": lambda: FunctionCall(self._new_search, self._questions.next),
        }
        self._leftovers = _leftovers(job)
        self._load_module = _load_in_full if job.charged else self._leftovers.load
        most = sys.maxsize if job.charged else job.limits["output_bytes"]
        self._output = Output(most, lambda: self._leftovers.note("dropped", "print"))
        self._new_search = (
            searches(job.files, self._load_module)
            if job.search == OWN
            else asked_searches(self._ask, lambda: self._turns.next())
        )
        self._budget_of = cache(job.pace.of_call)  # thousands of calls have the same few
        self._pid, self._answering = _getpid(), _thread.allocate_lock()
        self._call = job.calls[0]
        self._running: RunningCall | None = None
        self._turns = turns.Counter(LOADING_TURNS, self._end_endless)
        self._questions = turns.Counter(0, self._end_endless)
        self._spent: Message | None = None
        self._waits = 0
        self._begun = self._cpu_end = self._wall_end = 0.0
        self._cpu_of_all = process_time() + job.pace.cpu_left
        self._wall_of_all = monotonic() + job.pace.stretch * job.pace.wall_left
        self._time = CallTime(self._end_waiting, self._pass_over, lambda: self._turns.used, self._end_late)
        self._time.in_thread = self._ran.join
        self._time_of_loading = loading
        self._stuck_at: Message = {}
        self._asking, self._idle = False, 0
        self._processor_times: tuple[tuple[int, int], ...] | None = None
        self._kernel_end = 0
        self._set_aside = mmap(-1, _SET_ASIDE_BYTES)  # none of its pages is ever touched

    def run(self) -> NoReturn:
        self._begin(self._call)
        limits.limit(self._job.limits)
        self._limit_depth = limits.limit_depth()
        self._limit_depth(LOADING_DEPTH)
        furnish(self._job, self._output, run_in_full if self._job.charged else self._leftovers.run)
        _thread.start_new_thread(self._work, ())
        while True:
            sleep(_TICK_SECONDS)
            with suppress(MemoryError):  # the submission has used it up: its own thread is about to tell
                self._look_after()

    def _look_after(self) -> None:
        """Keep what is noted small, and the call within its seconds."""
        running = self._running
        if running is not None:
            running.drop_repeats()
        self._time.look()
        if process_time() > self._cpu_end or monotonic() > self._wall_end or self._is_idle():
            self._cut_off()

    def _is_idle(self) -> bool:
        """Tell whether the call waits for what is not Python's: none of its threads has run in many looks."""
        times = self._time.processor_times()
        may_wait = self._asking or has_processes()
        is_same = times is not None and times == self._processor_times and not may_wait
        self._processor_times, self._idle = times, self._idle + 1 if is_same else 0
        return self._idle >= _LOOKS

    # --- the thread of the submission -----------------------------------------------------------

    def _work(self) -> None:
        limits.limit_stacks()
        try:
            turns.install(self._turns)
            if self._job.search == STAND_IN:
                stand_in_for_search()
            modules = self._named((*SLOW, *IN_C))
            is_charged = self._job.charged
            with self._leftovers.passing_over(modules, charged=is_charged), self._time.in_force(modules):
                self._make_calls()
            _exit(DONE)
        except BaseException:  # noqa: BLE001 - the parent is told by the exit status
            _exit(LOST)

    def _make_calls(self) -> None:
        self._time.begin(self._time_of_loading)
        watch_writers()
        with trying_out():
            target, failure = self._load()
        self._loading = False
        self._put(READY + b"\n")
        for call in self._job.calls:
            self._count(self._begin(call))
            self._time.begin(_noise(call))
            if call.get("version", self._version) != self._version:
                target, failure = self._load_version(call["version"])
            self._answer(failure or self._do(target, call))

    def _pass_over(self, what: str) -> None:
        """Note a wait whose end came at once; it takes turns, so that waiting again and again is endless."""
        self._waits += 1
        for _ in range(_TURNS_A_WAIT):
            self._turns.next()
        if not self._job.charged:
            self._leftovers.note("passed", what)

    def _named(self, modules: Iterable[str]) -> list[str]:
        return [each for each in modules if any(each.encode() in file for file in self._files.values())]

    def _load(self, *, is_second: bool = False) -> tuple[Any, Message | None]:
        try:
            file, name = self._job.target["file"], self._job.target["name"]
            return find(self._job.files, file, name, self._load_module), None
        except MissingError as error:
            return None, {"outcome": _MISSING, "fault": fault(error.kind, error.found, "import")}
        except BaseException:  # noqa: BLE001 - whatever leaves the student's file is told
            failure = self._raised("import")
        if self._job.search == OWN or is_second or not stand_in_for_search():
            return None, failure
        return self._load(is_second=True)

    def _load_version(self, number: int) -> tuple[Any, Message | None]:
        """Load another text of the target's file in place of the one that is loaded."""
        self._version, file = number, self._job.target["file"]
        self._files[file] = a2b_base64(self._job.versions[number])
        sys.modules.pop(file.removesuffix(".py").replace("/", "."), None)
        target, failure = self._load()
        return target, self._endless() or failure

    def _do(self, target: Any, call: Message) -> Message:
        running = self._kinds[call["kind"]]()
        self._running = running
        seed_global_random(0)
        try:
            with (noting := self._noting(call)):
                running.run(target, call["arguments"])
            told: Message = {"outcome": "returned", "value": running.value()}
            return self._endless() or {**told, **(self._ran.told if noting is self._ran else {})}
        except BaseException as error:  # noqa: BLE001 - whatever leaves the student's code is told
            if isinstance(error, RecursionError) and self._recursed_for_ever():
                self._spent = self._spent or {"what": "questions", "count": self._questions.used}
            return self._endless() or {**self._raised(running.stage), "value": running.value()}

    def _noting(self, call: Message) -> AbstractContextManager[object]:
        """Return what is entered around a call: it notes steps or lines, or what ran, where that is asked."""
        return self._steps or self._lines or (self._ran if call.get("ran") else nullcontext())

    def _recursed_for_ever(self) -> bool:
        """Tell whether the questions would have been used up, had the call gone as deep as the stack can.

        Then it was endless, whatever the size of the maze. A lower limit that the submission set is its own
        choice, and does not count.
        """
        budget: Budget = self._call["budget"]
        depth = min(budget.depth, limits.RECURSION_LIMIT)
        asked = self._questions.share * limits.RECURSION_LIMIT
        return sys.getrecursionlimit() == depth and asked >= depth

    def _raised(self, stage: str) -> Message:
        error = sys.exc_info()[1]
        if limits.is_want_of_memory(error):
            self._make_room(error)
            # where exactly the memory ran out is luck, so it is not told
            return {"outcome": _NO_MEMORY, "fault": fault("MemoryError", "", stage)}
        return {"outcome": "raised", "fault": current_fault(stage, self._job.files)}

    def _make_room(self, error: BaseException | None = None) -> None:
        """Release what was set aside for the answer, and what the frames of the submission hold."""
        self._set_aside.close()
        if error is not None:
            error.__traceback__ = None

    # --- answering ------------------------------------------------------------------------------

    def _begin(self, call: Message) -> Budget:
        budget = self._budget_of(call["budget"])
        with self._answering:
            self._call, self._running = call, None
            self._output.begin()
            self._begun = process_time()
            self._cpu_end = min(self._begun + budget.cpu_seconds, self._cpu_of_all)
            self._wall_end = min(monotonic() + budget.wall_seconds, self._wall_of_all)
        self._kernel_end = limits.limit_cpu(self._cpu_end + _KERNEL_GRACE_SECONDS, self._kernel_end)
        return budget

    def _count(self, budget: Budget) -> None:
        """Count the turns and the questions of a call from now on, and limit its depth."""
        self._questions = turns.Counter(budget.questions, self._end_endless)
        self._turns = turns.Counter(budget.turns, self._end_endless)
        self._spent, self._stuck_at, self._waits = None, {}, 0
        self._limit_depth(budget.depth)
        if self._job.charged:
            self._time.most_seconds = budget.wall_seconds
        turns.install(self._turns)

    def _end_endless(self) -> NoReturn:
        """Report how far the call came that went beyond its budget, and end the process at once.

        An exception could be caught. Only on another version of the file, where no other thread runs, is the
        call unwound by one first.
        """
        if self._version is not None and self._spent is None and self._is_only_thread():
            self._spent = self._counted()
            raise _CutOff  # who catches it and goes on comes here again
        if _getpid() != self._pid or not self._answering.acquire(timeout=_ANSWERING_SECONDS):
            _exit(LOST)
        try:
            if self._loading:
                flush()
                _exit(ENDLESS_LOADING)
            self._make_room()
            limits.allow_recursion(_ROOM_TO_ANSWER)
            self._spent = self._spent or self._counted()
            self._send(self._endless() or {})
        finally:
            _exit(0)

    def _end_waiting(self, frame: FrameType | None, count: int) -> NoReturn:
        """Report where the call waits for what nobody can bring, as one that goes on for ever."""
        self._spent = {"what": "waits", "count": count}
        self._stuck_at = {"fault": fault_at(frame, self._job.files)}
        if self._version is not None and self._is_only_thread():
            raise _CutOff
        self._end_endless()

    def _is_only_thread(self) -> bool:
        """Tell whether nothing of the submission runs beside this thread.

        A thread that ``_thread`` itself starts is counted only once it runs, so the name must not stand in
        any file.
        """
        return _thread._count() == 1 and not any(b"_thread" in content for content in self._files.values())

    def _counted(self) -> Message:
        """Return what the call has used up, turns or questions, and how many."""
        counters = {"questions": self._questions, "turns": self._turns}
        what = max(counters, key=lambda name: counters[name].share)
        waited = self._waits if what == "turns" else 0
        return {"what": what, "count": max(counters[what].used - waited * _TURNS_A_WAIT, waited)}

    def _endless(self) -> Message | None:
        """Return the answer to an endless call, whatever it gave or raised when unwound; None for others."""
        value = self._running.value() if self._spent and self._running else None
        told = {"outcome": ENDLESS, "value": value, "spent": self._spent, **self._stuck_at}
        return told if self._spent else None

    def _cut_off(self) -> None:
        """Answer for the call in hand, unless it has just been answered, and end the process."""
        with self._answering:
            if process_time() <= self._cpu_end and monotonic() <= self._wall_end and self._idle < _LOOKS:
                return
            self._time_out()

    def _end_late(self) -> None:
        """Answer for a call that would have waited too long, where what waits is charged."""
        with self._answering:
            self._time_out()

    def _time_out(self) -> NoReturn:
        """Answer that the call took too long, and end the process."""
        self._make_room()
        if self._loading:
            flush()
            _exit(TOO_SLOW)
        running = self._running
        self._send({"outcome": "timeout", "value": running.value() if running else None})
        _exit(0)

    def _answer(self, told: Message) -> None:
        if _getpid() != self._pid:
            _exit(0)  # a process that the submission forked, and let return
        with self._answering:
            self._send(told)
            self._cpu_end = self._wall_end = float("inf")
        is_endless = told["outcome"] == ENDLESS and self._version is None
        if is_endless or told["outcome"] in (_NO_MEMORY, "timeout") or self._over:
            _exit(0)

    def _ask(self, number: int, done: int, steps: Steps) -> Message:
        """Have the grader's search with that number take some steps, and return what they changed."""
        self._questions.next()
        with self._answering:
            self._asking = True
            self._put(QUESTION + encode({"search": number, "done": done, "steps": steps}))
            line = bytearray()
            while not line.endswith(b"\n"):
                data = _read(self._answers, _CHUNK)
                if not data:
                    _exit(LOST)
                line += data
            self._asking = False
        answer: Message = _loads(line)
        return answer

    def _send(self, told: Message) -> None:
        flush()
        with suppress(OSError):  # the submission may have closed its output
            _write(1, self._job.mark)
        left = self._leftovers.fresh()
        line = self._line({**told, "left": left} if left else told)
        if len(line) > self._job.limits["reply_bytes"] and self._steps:
            self._steps = None
            line = self._line({**told, "left": left} if left else told)
        if len(line) > self._job.limits["reply_bytes"]:
            line = self._line({"outcome": "output-limit", "fault": fault("output-limit", "", "call")})
            self._over = True
        self._put(line)

    def _put(self, line: bytes) -> None:
        view = memoryview(line)
        while view:
            view = view[_write(self._replies, view) :]

    def _line(self, told: Message) -> bytes:
        head: Message = {"type": "reply", "round": self._job.round_id, "id": self._call["id"]}
        seen: Message = {"lines": sorted(self._lines.seen)} if self._lines else {}
        if self._steps:
            seen = {"steps": self._steps.events}
        return encode({**head, **told, **seen, "cpu_seconds": round(process_time() - self._begun, 6)})


def _noise(call: Message) -> int:
    """Return how much later the clocks of a generator's call begin, in nanoseconds, drawn as its noise is."""
    return Random(call["arguments"]["noise"]).randrange(10**15) if call["kind"] == "generate" else 0


def _leftovers(job: ChildJob) -> Leftovers:
    """Return the notes on what was left in the files of the submission."""
    folder = f"{ROOT}/"
    modules = {part.removesuffix(".py") for path in job.files for part in path.split("/")}

    def own(path: str) -> str | None:
        file = path.removeprefix(folder)
        return file if file in job.files else None

    return Leftovers(own, modules, limits.is_want_of_memory, ROOT)


def _load_in_full(module_name: str, _name: str) -> ModuleType:
    return import_module(module_name)
