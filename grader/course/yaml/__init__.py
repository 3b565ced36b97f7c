"""Read YAML, and report every mistake with file, line and column."""
