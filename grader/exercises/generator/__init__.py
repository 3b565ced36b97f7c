"""The exercise in which perfect mazes are made."""
