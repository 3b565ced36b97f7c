"""The generators that cases are drawn from, by the texture of their mazes."""

from __future__ import annotations

from reference.generators.registry import GENERATORS

TEXTURES = {name: generator for name, generator in GENERATORS.items() if name != "Random tree, shuffled"}
"""All of them, except shuffling with popping, which gives the same as popping at random."""
