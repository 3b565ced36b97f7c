"""Next year's course: another seed, hidden mazes that nobody has seen, and what of the old ones got out."""
