"""Experiments on mazes: each measures a table, and draws it as a plot."""
