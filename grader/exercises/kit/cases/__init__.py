"""What the student's code is called with: drawn mazes, and fixed ones."""
