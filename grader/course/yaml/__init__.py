"""Reads YAML and reports every mistake with file, line and column."""
