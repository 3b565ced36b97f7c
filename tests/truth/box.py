"""A box without a process: code that is known to end is loaded, called and recorded where the test runs."""

from __future__ import annotations

import random
import signal
import sys
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from io import StringIO
from itertools import groupby
from time import process_time
from types import CodeType, FrameType, ModuleType
from typing import Any, NoReturn

from grader.inside import turns
from grader.inside.calls import GeneratorCall, PerfectionCall, RunningCall, ScriptCall, SolverCall
from grader.inside.faults import current_fault, fault, fault_at
from grader.inside.files import ROOT, MissingError, find, recorder_of, searches
from grader.session.connection import encode
from lab.leftovers import Leftovers
from lab.watch import watched_searches
from reference.solvers.search import Search
from tests.fake_backends import AnsweringBackend, greeting

Message = Mapping[str, Any]
Compile = Callable[[Any, str], CodeType]
SECONDS = 20
"""No call of a submission may take more seconds of the processor here."""
LOOKS_AFTER, IDLE = 3, 0.001
"""What has used less than a thousandth of a second in three waits for ever."""


class CutOff(BaseException):
    """Ends a call that goes on for ever."""


counted: Compile = lru_cache(maxsize=2000)(turns.compiled)


class Loading(MetaPathFinder, InspectLoader):
    """Loads the files of a submission, once while it is entered."""

    def __init__(self, files: Mapping[str, bytes], compiled: Compile = counted) -> None:
        self._files, self._compiled = files, compiled
        self._names = {part for path in files for part in [path.removesuffix(".py").split("/")[0]]}

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        del path, target
        place = fullname.replace(".", "/")
        if f"{place}.py" in self._files:
            return self._spec(fullname, f"{place}.py", is_package=False)
        if any(each.startswith(f"{place}/") for each in self._files):
            return self._spec(fullname, f"{place}/__init__.py", is_package=True)
        return None

    def _spec(self, name: str, file: str, *, is_package: bool) -> ModuleSpec | None:
        spec = spec_from_loader(name, self, origin=f"{ROOT}/{file}", is_package=is_package)
        if spec is not None:
            spec.has_location = True
        return spec

    def get_source(self, fullname: str) -> None:
        del fullname

    def is_package(self, fullname: str) -> bool:
        return f"{fullname.replace('.', '/')}.py" not in self._files

    def exec_module(self, module: ModuleType) -> None:
        path = str(module.__spec__.origin if module.__spec__ else "")
        text = self._files.get(path.removeprefix(f"{ROOT}/"), b"")
        exec(self._compiled(text, path), vars(module))  # noqa: S102 - a submission of the tests

    def __enter__(self) -> None:
        self._forget()
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        self._forget()

    def _forget(self) -> None:
        for name in [name for name in sys.modules if name.split(".")[0] in self._names]:
            del sys.modules[name]


@dataclass
class Job:
    """What is called in one submission, and how."""

    files: Mapping[str, bytes]
    target: Message
    """Its ``file`` and ``name``, and whose ``search`` solvers are handed."""

    loaded: Any = None
    spent: Message = field(default_factory=dict)
    """What a call has used up."""
    stuck_at: Message = field(default_factory=dict)
    """Where it waits for ever."""

    def load(self) -> dict[str, Any] | None:
        """Load what is called; return what a box replies where that fails."""
        try:
            self.loaded = find(self.files, self.target["file"], self.target["name"], self.module)
        except MissingError as error:
            return {"outcome": "missing", "fault": fault(error.kind, error.found, "import")}
        except BaseException:  # noqa: BLE001 - whatever the submission raises is told
            return {"outcome": "raised", "fault": current_fault("import", self.files)}
        return None

    def module(self, name: str, _wanted: str = "") -> Any:
        """Load a module, as far as it has come where something fails below the class that is wanted."""
        known = {part.removesuffix(".py") for path in self.files for part in path.split("/")}
        own = {f"{ROOT}/{path}": path for path in self.files}
        return Leftovers(own.get, known, lambda _: False, ROOT).load(name, _wanted)

    def reply(self, call: Message, budget: Message, seeing: Any = None) -> dict[str, Any]:
        """Make a call, within its turns, and return what a box replies; ``seeing`` records it."""
        questions, count = (
            turns.Counter(budget[name], partial(self._end, name, budget[name]))
            for name in ("questions", "turns")
        )
        running = self._running(call["kind"], questions.next, seeing)
        recursion = sys.getrecursionlimit()
        random.seed(0)
        turns.install(count)
        sys.setrecursionlimit(budget["depth"])
        entered: AbstractContextManager[Any] = nullcontext() if seeing is None else seeing
        self.spent, self.stuck_at = {}, {}
        try:
            with self._alarm(), redirect_stdout(StringIO()), entered:
                running.run(self.loaded, call["arguments"])
            return (
                {"outcome": "returned", "value": running.value()}
                if not self.spent
                else self._endless(running)
            )
        except CutOff:
            return self._endless(running)
        except BaseException as error:  # noqa: BLE001 - whatever the submission raises is told
            if self.spent or (
                isinstance(error, RecursionError) and questions.share * 30_000 >= budget["depth"]
            ):
                self.spent = self.spent or {"what": "questions", "count": questions.used}
                return self._endless(running)
            told = current_fault(running.stage, self.files)
            return {"outcome": "raised", "fault": told, "value": running.value()}
        finally:
            sys.setrecursionlimit(recursion)
            turns.install(None)

    @contextmanager
    def _alarm(self) -> Iterator[None]:
        """Cut off what waits for ever, or takes too long."""
        used = begun = process_time()

        def look(_number: int, frame: FrameType | None) -> None:
            nonlocal used
            before, used = used, process_time()
            if used - before < IDLE:
                self.stuck_at = {"fault": fault_at(frame, self.files)}
                self._end("waits", 1)
            if used - begun > SECONDS:
                raise CutOff

        handler = signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, LOOKS_AFTER, LOOKS_AFTER)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)

    def _end(self, what: str, count: int) -> NoReturn:
        self.spent = self.spent or {"what": what, "count": count}
        raise CutOff

    def _endless(self, running: RunningCall) -> dict[str, Any]:
        return {"outcome": "endless", "value": running.value(), "spent": self.spent, **self.stuck_at}

    def _running(self, kind: str, question: Callable[[], object], seeing: Any) -> RunningCall:
        own = self.target["search"] == "own"
        new_search = searches(self.files, self.module) if own else watched_searches(Search)
        kinds: Mapping[str, Callable[[], RunningCall]] = {
            "solve": lambda: SolverCall(new_search, question, seeing),
            "script": lambda: ScriptCall(seeing),
            "is_perfect": PerfectionCall,
            "generate": lambda: GeneratorCall(seeing),
        }
        return kinds[kind]()


@dataclass
class HereBackend(AnsweringBackend):
    """Boxes in this process."""

    files: Mapping[str, bytes] = field(default_factory=dict)

    def _react(self, message: Message) -> Iterable[bytes]:
        return self._replies(message) if message["type"] == "round" else [greeting(message)]

    def _replies(self, message: Message) -> Iterator[bytes]:
        target = {**message["target"], "search": message["search"]}
        calls, end = message["calls"], encode({"type": "done", "round": message["id"]})
        for version, group in groupby(calls, lambda call: call.get("version")):
            files = {**self.files}
            if version is not None:
                files[target["file"]] = b64decode(message["versions"][version])
            for some in [[call] for call in group] if message["isolate"] else [[*group]]:
                seeing = recorder_of(dict(message["steps"])) if message.get("steps") else None
                with Loading(files, counted if seeing is None else turns.compiled):
                    failure = (job := Job(files, target)).load()
                    turns.PREPARE.clear()
                    for call in some:
                        told = failure or job.reply(call, message["budgets"][call["budget"]], seeing)
                        if seeing is not None:
                            told = {**told, "steps": seeing.events}
                        head = {"type": "reply", "round": message["id"], "id": call["id"]}
                        yield encode({**head, "output": "", "cpu_seconds": 0.0, **told})
                        if message["until_endless"] and told["outcome"] == "endless":
                            yield end
                            return
        yield end
