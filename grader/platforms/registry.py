"""The supported learning platforms."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from grader.platforms.base import Platform

_NAMES: Final = (
    "canvas",
    "moodle",
    "blackboard",
    "brightspace",
    "gradescope",
    "teams",
    "classroom",
)
"""Each platform's module name, used in grades.csv and on the command line; capitalised in sentences."""

PLATFORMS: Final[Mapping[str, Platform]] = {
    name: import_module(f"grader.platforms.{name}").PLATFORM for name in _NAMES
}
