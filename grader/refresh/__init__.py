"""Make next year's course: another seed, fresh hidden mazes, and a report of old ones that have leaked."""
