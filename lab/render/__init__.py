"""Pictures of mazes."""
