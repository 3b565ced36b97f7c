"""Boxes to run a submission in: one contract, several back ends."""
