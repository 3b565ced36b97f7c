"""What there is on a student's machine and not in a box: modules, files, the network, signals."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any, Final

from grader.languages import Message, said
from lab.exercises import EXERCISES

_NO_MODULE: Final = re.compile(r"No module named '([\w.]+)'")
_NO_NAME: Final = re.compile(r"name '(help|exit|quit|copyright|credits|license)' is not defined")
"""Python's ``site`` adds these for interactive use."""
_OF_THE_LAB: Final = frozenset({"lab", *(each.module.split(".")[0] for each in EXERCISES)})
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


def _module(name: str, sentence: Message | str) -> Message | None:
    whole = {each.stem: each.module for each in EXERCISES}.get(name, name)
    if whole != name:
        return said("module_is_meant", sentence=sentence, found=name, meant=whole)
    root, _, inner = name.partition(".")
    if root in _OF_THE_LAB or (inner and root in sys.stdlib_module_names):
        return None
    return said("module_not_there", sentence=sentence)
