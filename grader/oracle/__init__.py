"""Judges: what a claim is worth, worked out from the reference."""
