"""The exercise of making perfect mazes."""
