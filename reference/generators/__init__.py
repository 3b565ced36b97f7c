"""Generators of perfect mazes: the answer to the exercise, and one for each other way to make them."""
