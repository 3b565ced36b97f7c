"""The generators that cases are drawn from, by the texture of what they make."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from lab import Generator
from lab.generators import AldousBroder
from reference.generators.my_generator import MyGenerator

TEXTURES: dict[str, Callable[[Random], Generator]] = {
    "random walk": AldousBroder,
    "division": MyGenerator,
}
