"""The generators that cases are drawn from, by the texture of what they make."""

from __future__ import annotations

from reference.generators.registry import GENERATORS

TEXTURES = {name: generator for name, generator in GENERATORS.items() if name != "Random tree, shuffled"}
"""All of them; to shuffle and pop gives what popping at random gives."""
