"""Run the public tests, and report each to ``maze check`` as it happens, a JSON line for each event.

A test is a method ``test_...`` of a class ``Test...`` in a file ``test_....py``; its docstring is its title.
``pytest`` runs the same ones. A test that hangs is killed with its whole process: what was reported before is
not lost.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from lab.leftovers import Leftover
from lab.proportion import size_class

Test = TypeVar("Test", bound=Callable[..., None])

_EXAMPLES: list[dict[str, Any]] = []
"""The running test's example, if it has reported one."""

_LEFT: list[Leftover] = []
"""What the test passed over."""

_COUNTED: list[tuple[int, bool, bool]] = []
"""The cases that the test has counted."""

VARIABLE = "MAZE_CHECK_REPORT"
"""The environment variable that names the file to write to."""


class Failed(BaseException):
    """A public test failed; its text says why. No ``except Exception`` of a student's catches it."""


def fail(message: str) -> NoReturn:
    """End the running test, which failed for this reason."""
    raise Failed(message)


def for_each(name: str, values: Iterable[Any]) -> Callable[[Test], Test]:
    """Let a test run for each of the values of one of its arguments."""

    def mark(test: Test) -> Test:
        vars(test)["each"] = (name, tuple(values))
        return test

    return mark


@dataclass(frozen=True, slots=True)
class PublicTest:
    """A test and its arguments; ``id`` is what pytest calls it."""

    id: str
    call: Callable[[], None]
    title: str
    checks: tuple[str, ...]
    is_drawn: bool
    """Whether it looks at drawn cases, each by itself."""


def tests_in(file: str) -> Iterator[PublicTest]:
    """Yield the tests of a file on Python's path, inherited ones first."""
    for class_ in vars(import_module(Path(file).stem)).values():
        if isinstance(class_, type) and class_.__name__.startswith("Test"):
            names = dict.fromkeys(name for each in reversed(class_.__mro__) for name in vars(each))
            for name in (name for name in names if name.startswith("test_")):
                yield from _tests(f"{file}::{class_.__name__}::{name}", class_, getattr(class_, name))


def _tests(id_: str, class_: type, function: Callable[..., Any]) -> Iterator[PublicTest]:
    title, checks = " ".join((function.__doc__ or function.__name__).split()), getattr(function, "checks", ())
    is_drawn = hasattr(function, "drawn")
    if is_drawn and not function(class_()).cases:
        return  # of a check that this course does not have: to ask nothing is no pass
    if not hasattr(function, "each"):
        yield PublicTest(id_, partial(function, class_()), title, checks, is_drawn)
        return
    name, values = function.each
    for value in values:
        call = partial(function, class_(), **{name: value})
        yield PublicTest(f"{id_}[{value}]", call, title, checks, is_drawn)


def run(tests: str, wanted: Sequence[str], tell: Callable[..., None]) -> None:
    """Run the tests of a folder that are named by file or id, under its guard, in the order of the files.

    ``tell`` is called with what happens, by keyword: each test at first, and then the start and the end of
    each.
    """
    sys.path.insert(0, tests)
    guarded: Callable[..., str | None] = import_module("conftest").guarded
    found = [
        test
        for file in dict.fromkeys(name.partition("::")[0] for name in wanted)
        for test in tests_in(file)
        if file in wanted or test.id in wanted
    ]
    for test in found:
        file = Path(test.id.partition("::")[0]).name
        tell(event="test", id=test.id, file=file, title=test.title, checks=test.checks, drawn=test.is_drawn)
    for test in found:
        clear()
        _LEFT.clear()
        _COUNTED.clear()
        tell(event="start", id=test.id)
        message = guarded(test.call, file=test.id.partition("::")[0], checks=test.checks)
        example = _EXAMPLES.pop() if _EXAMPLES else None
        passed = message is None
        told = {"message": message or "", "example": example, "left": _LEFT, "cases": _COUNTED}
        tell(event="end", id=test.id, passed=passed, **told)


def show(**example: Any) -> None:
    """Report the example on which the running test is about to fail, for a page."""
    _EXAMPLES[:] = [example]


def clear() -> None:
    """Report no example."""
    _EXAMPLES.clear()


def count(size: int, *, is_right: bool, elsewhere: bool = False) -> None:
    """Count a case of the running test, by the number of its cells or steps.

    ``elsewhere`` says that no answer came where other checks are about that.
    """
    _COUNTED.append((size_class(size), is_right, elsewhere))


def nothing_counts() -> None:
    """Count all cases of the running test as wrong: they are right by chance."""
    _COUNTED[:] = [(size, False, False) for size, _, _ in _COUNTED]


def add(**more: Any) -> None:
    """Add to the example of the running test, or report one of these alone."""
    _EXAMPLES[:] = [{**example(), **more}]


def example() -> dict[str, Any]:
    """Return the example that the running test has reported; nothing if it has reported none."""
    return _EXAMPLES[0] if _EXAMPLES else {}


def tell_left(found: Iterable[Leftover]) -> None:
    """Report what the running test passed over, with its end."""
    _LEFT.extend(found)


def as_line(message: Mapping[str, Any]) -> str:
    """Return what happens as a line."""
    return json.dumps(message, default=str)


def _write(**message: Any) -> None:
    with Path(os.environ[VARIABLE]).open("a", encoding="utf-8") as stream:
        stream.write(as_line(message) + "\n")


if __name__ == "__main__":  # the tests report to the module of this name, not to this copy of it
    import_module("lab.commands.reporter").run(sys.argv[1], sys.argv[2:], _write)
