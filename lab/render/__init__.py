"""Pictures of mazes: as text, SVG, plots, and films."""
