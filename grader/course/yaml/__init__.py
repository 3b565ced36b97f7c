"""YAML with every mistake told by file, line and column."""
