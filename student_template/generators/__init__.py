"""Your generator of perfect mazes."""
