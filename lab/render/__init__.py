"""Pictures of mazes: as text, as SVG, as a plot, and moving."""
