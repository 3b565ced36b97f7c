"""What ran in a call: which functions of the submission's files, and code that stands in no file at all.

Theory of operation. While a call runs of which it is asked, Python tells each code object that begins, in
each thread. What a code object says of itself is not believed: ``compile(text, __file__, "exec")`` and
``code.replace`` set it. It only names the file to compare with, and known is what is the same, instruction by
instruction, as what that file compiles to: a file as it was handed in, one of the lab, or one of Python's
library. What ``dataclasses`` and ``namedtuple`` write stands in no file, and is known by being the very
object that they made. All else is unseen: text that was run, a module that was written, what another process
does.

This goes on in the process of the submission, which can undo it: it is a claim, as all that a box says.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.util import cache_from_source
from io import FileIO
from random import Random
from types import CodeType, FrameType
from typing import Any, Final

import lab

from .files import ROOT, Codes, Loader, Message
from .values import clean

MOST_TOLD: Final = 500
"""At most 500 functions, and so many unseen ones, are told; more of the former count as unseen."""
_LIBRARY, *_OWN = (file.rpartition("/")[0] for file in (os.__file__, lab.__file__, __file__))
_FOLDERS: Final = (_LIBRARY, *_OWN)
"""Where Python's library, the lab and the runner lie, which a submission cannot change."""
_OPTIMIZED: Final = 0x1
"""The flag of the code of functions, which modules and classes lack."""
_PYC_HEADER: Final = 16
_LOOP: Final = re.compile(r"\b(for|while)\b")
_WRITERS: Final = {"dataclasses": ("exec", exec), "collections": ("eval", eval)}
"""Modules of Python that write code at run time, and by which function they run it."""
_PROCESSES: Final = ("fork", "forkpty", "posix_spawn", "posix_spawnp", "fork_exec")
_CHOICES: Final = Random.choices.__code__
_Content = tuple[Any, ...]
_written: Final[dict[int, CodeType]] = {}
"""What ``dataclasses`` and ``namedtuple`` made; kept, so that no other object gets its number."""


def watch_writers() -> None:
    """Note what is written so far of the lab's and Python's own classes, and have what writes more note it.

    Has to be called before any file of a submission is loaded; a second time it does nothing.
    """
    if _written:
        return
    for module in [*sys.modules.values()]:
        classes = [each for each in [*getattr(module, "__dict__", {}).values()] if isinstance(each, type)]
        members = (getattr(each, "__func__", each) for made in classes for each in [*vars(made).values()])
        codes = (getattr(each, "__code__", None) for each in members)
        _note_written(code for code in codes if code is not None and code.co_filename == "<string>")
    for name, (run_by, run) in _WRITERS.items():
        if name in sys.modules:
            setattr(sys.modules[name], run_by, _noting(run))


def _note_written(codes: Iterable[CodeType]) -> None:
    _written.update((id(code), code) for code in codes)


def _noting(run: Callable[..., Any]) -> Callable[..., Any]:
    def noted(text: str, *names: Any) -> Any:
        code = compile(text, "<string>", run.__name__, dont_inherit=True)
        if _LOOP.search(text) is None:  # neither writes one: what has one was slipped in
            _note_written(_all(code))
        return run(code, *names)

    return noted


class RunNotes:
    """Notes what runs while it is entered."""

    def __init__(self, files: Mapping[str, bytes], codes: Codes) -> None:
        """Take the submission's files, and what was compiled of them ahead."""
        self._files, self._codes = files, codes
        self._seen: dict[int, CodeType] = {}
        self._of_file: dict[str, dict[tuple[str, int], list[CodeType]]] = {}
        self._places: dict[int, tuple[str, Any]] = {}
        self._choosing: list[CodeType] = []
        """What called ``choices``."""
        self._others: set[str] = set()
        self.told: Message = {}
        """What ran in the last call that was noted, for its reply."""
        self._is_noting = False

    # --- while a call runs --------------------------------------------------------------------------

    def __enter__(self) -> None:
        """Note what runs from now on."""
        self._seen, self._choosing, self._others, self._is_noting = {}, [], set(), True
        self.join()

    def __exit__(self, *_: object) -> None:
        """Stop, and find out what it was."""
        if sys.getprofile() != self._note:
            self._others.add("sys.setprofile")
        sys.setprofile(None)
        self._is_noting = False
        self.told = self._found()

    def join(self) -> None:
        """Note what runs in this thread, where anything is noted."""
        if self._is_noting:
            sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            self._seen[id(frame.f_code)] = frame.f_code
            if frame.f_code is _CHOICES and frame.f_back is not None:
                self._choosing.append(frame.f_back.f_code)
        elif event == "c_call" and argument.__name__ in _PROCESSES:
            self._others.add(argument.__name__)

    # --- what it was --------------------------------------------------------------------------------

    def _found(self) -> Message:
        functions, unseen = set[tuple[str, int, str]](), {*self._others}
        for key, code in [*self._seen.items()]:  # threads that go on may still run something
            file, known = self._place(code)
            if known is None and key not in _written:
                unseen.add(clean(code.co_name, 100))
            elif known is not None and known.co_flags & _OPTIMIZED and file.startswith(f"{ROOT}/"):
                functions.add((file.removeprefix(f"{ROOT}/"), known.co_firstlineno, known.co_name))
        if len(functions) > MOST_TOLD:
            unseen.add(f"{len(functions)} functions")
        chose = any(self._place(code)[0].startswith(f"{ROOT}/") for code in [*self._choosing])
        told = {"functions": [[*each] for each in sorted(functions)[:MOST_TOLD]], "chose": chose}
        return {"ran": {**told, "unseen": sorted(unseen)[:MOST_TOLD]}}

    def _place(self, code: CodeType) -> tuple[str, CodeType | None]:
        """Return the file that a code object is of, and the same code as that file has it; None if it has it
        not."""
        if id(code) not in self._places:
            file = _file_of(code)
            named = self._known(file).get((code.co_name, code.co_firstlineno), ()) if file else ()
            known = next((each for each in named if _content(each) == _content(code)), None)
            self._places[id(code)] = file, (code, known)  # kept, so that no other gets its number
        file, (_, known) = self._places[id(code)]
        return file, known

    def _known(self, file: str) -> Mapping[tuple[str, int], list[CodeType]]:
        """Return what a file compiles to, by names and first lines."""
        if file not in self._of_file:
            self._of_file[file] = {}
            with suppress(OSError, SyntaxError, ValueError, RecursionError):
                for code in _all(self._compiled(file)):
                    self._of_file[file].setdefault((code.co_name, code.co_firstlineno), []).append(code)
        return self._of_file[file]

    def _compiled(self, file: str) -> CodeType:
        if file.startswith(f"{ROOT}/"):
            content = self._files.get(file.removeprefix(f"{ROOT}/"))
            if content is None:
                raise FileNotFoundError(file)
            return Loader(file, content, self._codes.get((file, content))).get_code()
        with suppress(OSError, ValueError, EOFError, TypeError):
            made = marshal.loads(_bytes_of(cache_from_source(file))[_PYC_HEADER:])  # noqa: S302 - Python's own
            if isinstance(made, CodeType):
                return made
        return compile(_bytes_of(file), file, "exec", dont_inherit=True)


def _bytes_of(path: str) -> bytes:
    with FileIO(path) as file:
        return file.readall()


def _file_of(code: CodeType) -> str:
    """Return the file that a code object says that it is of; "" where a submission could have written it."""
    path = code.co_filename
    if path.startswith("<frozen ") and path.endswith(">"):
        path = f"{_LIBRARY}/{path[8:-1].replace('.', '/')}.py"
    is_known = any(path.startswith(f"{folder}/") for folder in (ROOT, *_FOLDERS))
    return path if is_known and os.path.normpath(path) == path else ""


def _all(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all that lie in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all(constant)


def _content(code: CodeType) -> _Content:
    """Return all that decides what a code object does, and the line at which it begins."""
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    constants = tuple(map(_constant, code.co_consts))
    told = (code.co_name, code.co_firstlineno, code.co_code, code.co_exceptiontable)
    return (*told, *counts, *names, constants)


def _constant(value: Any) -> Any:
    """Return what tells a constant from others, 0 from False and 0.0 as well."""
    if isinstance(value, CodeType):
        return _content(value)
    return repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)
