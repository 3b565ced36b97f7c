"""The generators that students are given."""

from lab.generators.aldous_broder import AldousBroder

__all__ = ["AldousBroder"]
