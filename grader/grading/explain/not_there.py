"""What there is on a student's machine and not in a box: modules, files, the network, signals."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any, Final

from grader.languages import Message, said
from lab.exercises import EXERCISES
from lab.python_versions import newer_name, newer_syntax

_NO_MODULE: Final = re.compile(r"No module named '([\w.]+)'")
_NO_NAME: Final = re.compile(r"name '(help|exit|quit|copyright|credits|license)' is not defined")
"""Python's ``site`` adds these for interactive use."""
_NO_STAR: Final = re.compile(r"name '\w+' is not defined \(from [\w.]+ import \*: ")
"""As ``lab/leftovers.py`` adds to what Python says."""
_OF_THE_LAB: Final = frozenset({"lab", *(each.module.split(".")[0] for each in EXERCISES)})
_NAMES: Final = {
    "ImportError": r"cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'",
    "AttributeError": r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'",
    "ModuleNotFoundError": r"No module named '(?P<module>[\w.]+)'",
    "NameError": r"name '(?P<name>\w+)' is not defined",
}
"""How Python says that a module, or a name, is not there."""
_READ_BY: Final = re.compile(r"\(Python (\d+)\.(\d+)\)$")
"""A message on syntax ends with the Python that could not read it."""
_SIGNAL: Final = "signal only works in main thread"
_SYSTEM: Final = ("FileNotFoundError", "PermissionError")


def explain_absence(fault: Mapping[str, Any], sentence: Message | str) -> Message | None:
    """Return the sentence with what is not there while a submission is graded; None for other faults."""
    kind, message = fault.get("kind"), str(fault.get("message", ""))
    if kind == "ModuleNotFoundError" and (found := _NO_MODULE.match(message)):
        return _module(found[1], sentence)
    if kind == "NameError" and (found := _NO_NAME.match(message)):
        return said("interactive_only", sentence=sentence, name=found[1])
    if kind in _SYSTEM or (kind == "ValueError" and message.startswith(_SIGNAL)):
        return said("system_not_there", sentence=sentence)
    return None


def explain_star(fault: Mapping[str, Any], sentence: Message | str) -> Message | None:
    """Return the sentence with what is there, for a name that ``import *`` did not bring; None for others."""
    is_it = fault.get("kind") == "NameError" and _NO_STAR.match(str(fault.get("message", "")))
    return said("module_not_there", sentence=sentence) if is_it else None


def explain_version(fault: Mapping[str, Any], sentence: Message | str) -> Message | None:
    """Return the sentence with what came with a newer Python than the one that graded; None for others."""
    kind, message = str(fault.get("kind")), str(fault.get("message", ""))
    newer = None
    if kind in _NAMES and (found := re.match(_NAMES[kind], message)):
        names = {"module": "builtins", "name": "", **found.groupdict()}
        newer = newer_name(names["module"], names["name"])
    elif fault.get("trace") and (graded := _READ_BY.search(message)):
        code = str(fault["trace"][-1]["code"])
        newer = newer_syntax(code)
        is_newer = newer is not None and newer.since > (int(graded[1]), int(graded[2]))
        newer = newer._replace(what=code) if newer is not None and is_newer else None
    if newer is None:
        return None
    return said("newer_python", sentence=sentence, what=newer.what, version=newer.version)


def _module(name: str, sentence: Message | str) -> Message | None:
    whole = {each.stem: each.module for each in EXERCISES}.get(name, name)
    if whole != name:
        return said("module_is_meant", sentence=sentence, found=name, meant=whole)
    root, _, inner = name.partition(".")
    if root in _OF_THE_LAB or (inner and root in sys.stdlib_module_names):
        return None
    return said("module_not_there", sentence=sentence)
