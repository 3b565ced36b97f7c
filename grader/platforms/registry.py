"""The supported learning platforms."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from grader.platforms import NAMES
from grader.platforms.base import Platform

PLATFORMS: Final[Mapping[str, Platform]] = {
    name: import_module(f"grader.platforms.{name}").PLATFORM for name in NAMES
}
