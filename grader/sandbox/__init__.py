"""Boxes in which submissions run: one contract, several back ends."""
