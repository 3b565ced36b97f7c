"""Making next year's course: another seed, fresh hidden mazes, and which of the old ones have leaked."""
